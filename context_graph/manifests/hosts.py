"""The host inside a connection string."""


def host_of(value: str) -> str:
    """The host of a URL or of `host:port`; the value itself when it is a bare word."""
    rest = value.partition("://")[2] or value
    authority = rest.partition("/")[0]
    return authority.rpartition("@")[2].partition(":")[0]
