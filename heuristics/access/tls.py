"""TLS versions that a change stops accepting."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import SettingChange
from heuristics.rule import RuleContext
from heuristics.stages import production_settings

_KEYS = pattern(
    r"(.*\.)?(ssl_policy|security_policy|minimum_protocol_version|min(imum)?_tls_version|tls_version|minimum_version|ssl_protocols?)"
)
_VERSIONS = ("1.0", "1.1", "1.2", "1.3")


class NarrowedTls(Record):
    """A listener, distribution or bucket that asks for a newer TLS version from now on."""

    change: SettingChange
    old: str
    new: str
    """Lowest versions accepted, like `1.2`."""

    @property
    def lost(self) -> tuple[str, ...]:
        """Versions that were accepted and are refused from now on."""
        return tuple(v for v in _VERSIONS if self.old <= v < self.new)


def narrowed_tls(context: RuleContext) -> tuple[NarrowedTls, ...]:
    """Every setting whose lowest accepted version rises."""
    return tuple(_narrowed(context))


def _narrowed(context: RuleContext) -> Iterator[NarrowedTls]:
    for change in production_settings(context):
        if change.after is None or change.old is None or change.new is None or not _KEYS.fullmatch(change.key):
            continue
        old, new = (
            lowest_version(str(change.old.value or change.old.text)),
            lowest_version(str(change.new.value or change.new.text)),
        )
        if old is not None and new is not None and old < new:
            yield NarrowedTls(change, old, new)


def lowest_version(policy: str) -> str | None:
    """The lowest TLS version that a policy accepts, by the names that AWS, Cloudflare, Azure and Google give them."""
    match = re.search(r"TLS13-1-([0-3])", policy)
    if match is None:
        match = (
            re.search(r"(?:TLS|FS)-1-([0-3])", policy)
            or re.search(r"(?i)^TLS_?v?1[._-]?([0-3])", policy)
            or re.fullmatch(r"1\.([0-3])", policy)
        )
    if match is not None:
        return f"1.{match[1]}"
    if re.fullmatch(r"(?i)TLSv1(_\d{4})?|SSLv3", policy) or re.match(r"ELBSecurityPolicy-(2015|2016|FS-2018)", policy):
        return "1.0"
    return {"COMPATIBLE": "1.0", "MODERN": "1.0", "RESTRICTED": "1.2"}.get(policy)
