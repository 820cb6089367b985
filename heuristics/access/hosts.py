"""Host names that a change takes out of a certificate, a TLS block, a route or a published address."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from gonogo.word import Json
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production, production_settings

What = Literal["certificate", "tls", "route", "address"]
_HOST = pattern(r"(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}")
_CERTIFICATES = pattern(
    r".*certificate(_?manager)?(\.(pack|certificate|managed_\w+))?|.*(ssl_certificate|origin_ca_certificate|tls_subscription)"
)
_ROUTES = pattern(
    r"kubernetes\.(ingress|httproute|grpcroute|tlsroute|gateway|virtualservice|ingressroute|route|httpproxy|service|domainmapping|mapping|host)"
    r"|aws\.cloudfront\.distribution|aws\.(elb|lb)\.listener_rule|aws\.apigateway\.domain_name|aws\.amplify\.domain_association"
    r"|cloudflare\.(custom|worker|workers|zone|pages)\w*(\.\w+)*|google\.(compute\.url_map|cloud\.run_domain_mapping|cloud_run\.domain_mapping)|azure\.(app|cdn)\w*(\.\w*)?custom\w*domain\w*|fly\.certificate"
)
_NAMES = pattern(
    r"(?:.*\.)?(?:dns_?names|common_?name|domain_?names?|domains?|subject_?alternative_?names|sans|hosts?|host_?names?|aliases|server_?names?|fqdns?|custom_?domains?|host_header\.values|values)(?:\.\d+)?"
)
_MATCHES = pattern(r"(?:.*\.)?match")
_IN_MATCH = pattern(r"Host(?:SNI|Regexp)?\(([^)]{1,500})\)")
_TLS = pattern(r"(?:.*\.)?tls\.\w+\.hosts(?:\.\d+)?")
_PUBLISHED = pattern(r"(?:.*\.)?annotations\.external_dns.*hostname")
_SECRETS = pattern(r"(?:.*\.)?(?:secret_?name|certificate_refs\.\w+\.name|credential_name|certificate_?arn|acm_certificate_arn)")


class Named(Record):
    """One host in a declaration."""

    host: str
    what: What
    declared: Declared
    line: int


class LostHost(Record):
    """A host that is there at base and not at head."""

    host: str
    what: What
    declared: Declared
    place: Place
    """The line at base."""
    is_all_gone: bool
    """The declaration itself goes."""
    covered_by: Named | None
    """What still answers for the host at head: a wildcard, or the same name elsewhere."""
    secrets: tuple[str, ...]
    """Secrets or certificates that the declaration writes or uses."""


def lost_hosts(context: RuleContext) -> tuple[LostHost, ...]:
    """Every host that leaves, each once a declaration; the host of a block that only moves stays."""
    return tuple(_lost(context))


def _lost(context: RuleContext) -> Iterator[LostHost]:
    done: set[tuple[str, str | None]] = set()
    for change in production_settings(context):
        before = change.before
        if before is None or not is_holder(before) or (before.address, before.environment) in done:
            continue
        done.add((before.address, before.environment))
        after = change.after
        kept = list(named_in(after)) if after is not None else []
        if after is not None and any(s.value is None and _NAMES.fullmatch(k) for k, s in after.settings.items()):
            continue  # an expression may still have it
        seen: set[str] = set()
        for one in named_in(before):
            stays = {k.what for k in kept if k.host == one.host}
            if one.what in stays or one.host in seen or (one.what == "tls" and not stays and _is_routed(one, before)):
                continue
            seen.add(one.host)
            yield LostHost(
                one.host, one.what, before, Place(file=before.file, line=_line_of(context, one), side="base"), after is None,
                _covering(context, one, kept), secrets_of(before),
            )  # fmt: skip


def _is_routed(one: Named, declared: Declared) -> bool:
    """Whether the same host also goes as a route, which says more."""
    return any(other.host == one.host and other.what == "route" for other in named_in(declared))


def is_holder(declared: Declared) -> bool:
    """Whether a declaration names the hosts that it answers for."""
    return _CERTIFICATES.fullmatch(declared.kind) is not None or _ROUTES.fullmatch(declared.kind) is not None


def named_in(declared: Declared) -> Iterator[Named]:
    """The hosts of one declaration."""
    is_certificate = _CERTIFICATES.fullmatch(declared.kind) is not None
    for key, setting in declared.settings.items():
        if _MATCHES.fullmatch(key) and isinstance(setting.value, str):
            for written in _IN_MATCH.findall(setting.value[:5_000]):
                yield from (Named(host, "route", declared, setting.line) for host in hosts_in(written))
            continue
        is_published = _PUBLISHED.fullmatch(key) is not None
        if not is_published and not _NAMES.fullmatch(key):
            continue
        what: What = "certificate" if is_certificate else "address" if is_published else "tls" if _TLS.fullmatch(key) else "route"
        for host in hosts_in(setting.value):
            yield Named(host, what, declared, setting.line)


def hosts_in(value: Json) -> Iterator[str]:
    """The host names in a value: a text, a list in commas, a list, or blocks of them."""
    if isinstance(value, str):
        for part in re.split(r"[,\s]+", value[:20_000].lower()):
            host = re.sub(r"^https?://|[:/].*$", "", part.strip("\"'`")).rstrip(".")
            if _HOST.fullmatch(host):
                yield host
    elif isinstance(value, Mapping):
        for one in cast("Mapping[str, Json]", value).values():
            yield from hosts_in(one)
    elif isinstance(value, list | tuple):
        for one in cast("list[Json]", value):
            yield from hosts_in(one)


def covers(pattern_: str, host: str) -> bool:
    """Whether a name answers for a host: the same, or a wildcard of one label."""
    return pattern_ == host or (pattern_.startswith("*.") and host.partition(".")[2] == pattern_[2:])


def secrets_of(declared: Declared) -> tuple[str, ...]:
    """The names of the secrets, or the references of the certificates, that a declaration holds."""
    found = [s.value if isinstance(s.value, str) else s.text for k, s in declared.settings.items() if _SECRETS.fullmatch(k)]
    return tuple(dict.fromkeys(f for f in found if f))


def _covering(context: RuleContext, one: Named, kept: list[Named]) -> Named | None:
    own = next((k for k in kept if k.what == one.what and covers(k.host, one.host)), None)
    if own is not None:
        return own
    side: Declarations = context.declared["head"]
    for declared in side.resources:
        if not is_holder(declared) or declared.address == one.declared.address or not is_for_production(context, declared):
            continue
        if not _is_alike(one, declared):
            continue
        for other in named_in(declared):
            if other.what == one.what and covers(other.host, one.host):
                return other
    return None


def _is_alike(one: Named, other: Declared) -> bool:
    """Whether another declaration can stand in: a route for a route; a certificate that writes the same secret."""
    if one.what != "certificate":
        return True
    mine, its = secrets_of(one.declared), secrets_of(other)
    return not mine or bool(set(mine) & set(its))


def _line_of(context: RuleContext, one: Named) -> int:
    """The line of the host itself inside its declaration."""
    declared = one.declared
    lines = (context.base.text(declared.file) or "").split("\n")
    written = re.compile(rf"(?i)(?<![\w.*-]){re.escape(one.host)}(?![\w-]|\.\w)")
    for number in range(max(one.line, 1), min(len(lines), max(declared.end_line, one.line) + 1) + 1):
        if written.search(lines[number - 1][:2_000]):
            return number
    return one.line
