"""One module a service, each with `collect(ask)`."""
