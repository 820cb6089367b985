"""Addresses in the settings of the servers, read at the start: a wrong one is said then, and not in the middle of the work.

Each function raises ValueError with what is wrong in words that follow the variable's name, and never with the value: it may hold a
password.
"""

import re
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

_WRITE_DATABASE = "write sqlite:///FILE or postgresql://USER@HOST/NAME"
_WRITE_REDIS = "write redis://HOST:PORT/NUMBER, rediss://… or unix:///SOCKET"
_DRIVERS = {"sqlite": ("sqlite", "sqlite+pysqlite"), "postgresql": ("postgresql", "postgresql+psycopg")}
_LAST_PORT = 65535


def http_address(value: str) -> str:
    """`https://HOST:PORT/PATH` without query and fragment; a slash at its end is taken off."""
    try:
        parts = urlsplit(value)
        host = parts.hostname or ""
        is_one = value.startswith(("http://", "https://")) and bool(host) and not re.search(r"\s", value)
    except ValueError:
        is_one, host, parts = False, "", None
    if parts is None or not is_one:
        raise ValueError("is not an address that begins with http:// or https://")
    try:
        _ = parts.port
    except ValueError:
        raise ValueError("has a port that is no number up to 65535") from None
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError("names a host that cannot be one") from None
    if "?" in value or "#" in value:
        raise ValueError("has a ? or # in it; write the address without")
    return value.rstrip("/")


def host_address(value: str) -> str:
    """`https://HOST:PORT` and nothing behind it."""
    address = http_address(value)
    parts = urlsplit(address)
    if parts.path or "@" in parts.netloc:
        raise ValueError("has more than a host and a port; write https://gonogo.example.com")
    return address


def redis_address(value: str) -> str:
    """`redis://HOST:PORT/NUMBER`, `rediss://…` or `unix:///SOCKET`, with options that the client knows. Nothing is connected to."""
    from redis.asyncio import ConnectionPool  # noqa: PLC0415  who only keeps a graph has no need of it

    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("begins with none of redis://, rediss://, unix://")
    try:
        parts = urlsplit(value)
        _ = parts.port
        ConnectionPool.from_url(value).make_connection()  # pyright: ignore[reportUnknownMemberType]
    except Exception:  # noqa: BLE001  what its client raises for an option that it does not know is of many kinds
        raise ValueError(f"cannot be read; {_WRITE_REDIS}") from None
    if parts.scheme == "unix" and not parts.path.strip("/"):
        raise ValueError(f"names no socket; {_WRITE_REDIS}")
    if parts.scheme != "unix" and not re.fullmatch(r"/?[0-9]*", parts.path):
        raise ValueError(f"names a database that is no number; {_WRITE_REDIS}")
    return value


def database_address(value: str) -> sa.URL:
    """`sqlite:///FILE`, or `postgresql://USER@HOST/NAME` with the driver that we bring, psycopg."""
    try:
        url = sa.make_url(value)
    except (ArgumentError, ValueError):
        raise ValueError(f"cannot be read; {_WRITE_DATABASE}") from None
    drivers = _DRIVERS.get(url.get_backend_name())
    if drivers is None:
        raise ValueError(f"names {url.get_backend_name()}; gonogo keeps its data in sqlite or postgresql")
    if url.drivername not in drivers:
        raise ValueError(f"names a driver that gonogo does not use ({url.drivername.partition('+')[2]}); {_WRITE_DATABASE}")
    if url.port is not None and not 0 < url.port <= _LAST_PORT:
        raise ValueError("has a port that is no number up to 65535")
    return url


def lasting_database_address(value: str) -> str:
    """The same, for what several processes share and a restart must not lose: no database in memory."""
    url = database_address(value)
    if url.get_backend_name() == "sqlite" and (
        not url.database or ":memory:" in url.database or "memory" in url.query.get("mode", "")
    ):
        raise ValueError("names a database in memory, which a restart loses; write sqlite:///FILE")
    return value
