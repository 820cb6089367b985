"""The hosts that a value names: of a URL, of `host:port`, of a list of them, or the value itself when it is a bare word."""

from gonogo.pattern import pattern

MAX_VALUE = 4_000
MAX_HOSTS = 40
"""Hosts of one value."""
_SEPARATORS = pattern(r"[,;\s]+")
_HOST = pattern(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,250}[A-Za-z0-9])?")
_IN_CLUSTER = pattern(r"\.svc(?:\.|$)")
_PORT = pattern(r":\d{1,5}(?:$|[/?,)])")


_NOT_A_HOST = pattern(
    r"(?i)(?:^|_|-)(?:name|user|username|login|db|database|schema|password|passwd|pass|pwd|passphrase|secret|token|env|environment|mode|type|level|prefix|suffix|topic|queue|group"
    r"|vhost|exchange|channel|keyspace|collection|region|zone|stage|label|title|format|org|project|tenant"
    r"|key|tag|version|namespace|bucket|table|index|realm|role|id|profile|driver|dialect|engine|backend|provider|exporter|exporters|protocol)$"
)
"""Ends of variables' names that say what a bare word is, and that it is no host."""


def hosts_in(variable: str, value: str) -> tuple[str, ...]:
    """The hosts that a variable's value names; a bare word under `DB_USER` or `SERVICE_NAME` is none."""
    return hosts_of(value, only_addresses=_NOT_A_HOST.search(variable) is not None)


def host_of(value: str) -> str:
    """The host of a URL or of `host:port`; the value itself when it is a bare word."""
    rest = value.partition("://")[2] or value
    authority = rest.partition("/")[0]
    return authority.rpartition("@")[2].partition("(")[2].partition(":")[0] or authority.rpartition("@")[2].partition(":")[0]


def hosts_of(value: str, *, only_addresses: bool = False) -> tuple[str, ...]:
    """Every host that the value names, in its order; with `only_addresses` not from bare words.

    `jdbc:postgresql://db:5432/orders`, `user:password@tcp(db:3306)/orders` and `a:9092,b:9092` are all understood.
    """
    found: list[str] = []
    for part in _SEPARATORS.split(value[:MAX_VALUE]):
        bare = part.strip("\"'[]{}")
        if "=" in bare.partition("://")[0]:
            bare = bare.partition("=")[2]
        is_address = "://" in bare or _PORT.search(bare.rpartition("@")[2]) is not None
        host = host_of(bare)
        is_address = is_address or _IN_CLUSTER.search(host) is not None
        if len(found) >= MAX_HOSTS:
            break
        if _HOST.fullmatch(host) is not None and (is_address or not only_addresses) and host not in found:
            found.append(host)
    return tuple(found)
