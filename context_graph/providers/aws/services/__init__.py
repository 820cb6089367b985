"""One module a service: SERVICE, IS_GLOBAL and `collect(ask)`."""
