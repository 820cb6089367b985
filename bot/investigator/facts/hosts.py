"""Whether anybody still comes for a host name: requests, TLS handshakes and DNS queries by host, access lines, and who answers for it."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, lists_name, log_count, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.traffic import Counted, count_of, dimensions_of
from gonogo.evidence import ConfigEvidence, LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.access.hosts import covers, hosts_in

_KEYS = pattern(
    r"(?:\w+_)?(?:host(?:_?name)?|server_?name|sni|domain(?:_?name)?|authority|vhost|virtual_?host|fqdn|record(?:_?name)?|q_?name|query_?name|dns_?name|name)(?:_header)?"
)
_QUERIES = pattern(r"(?i).*(dns|quer(y|ies)|resol|lookup).*")
_LISTS = (
    "hosts", "hostnames", "host", "host_names", "tls_hosts", "domains", "domain_names", "custom_domains", "aliases", "server_names",
    "dns_names", "subject_alternative_names", "domain_name", "fqdns",
)  # fmt: skip
_LEAST_QUERIES = 1 / 60
"""DNS queries a second under which they may be those of robots and monitors."""


class Calls(Record):
    """What one series says of a host; `is_queries`: somebody resolved it, which does not say that they came."""

    resource: str
    counted: Counted
    recent: Reading | None
    is_queries: bool


class HostTraffic(Record):
    """Requests first, the busiest first; and the access lines that name the host, when no series counts it."""

    calls: tuple[Calls, ...]
    lines: LogEvidence | None

    @property
    def busiest(self) -> Calls | None:
        """The series that tells most."""
        return self.calls[0] if self.calls else None

    @property
    def is_used(self) -> bool | None:
        """Whether anybody came in the last day; None where that is not known."""
        if self.lines is not None:
            return True
        best = self.busiest
        if best is None:
            return None
        if best.counted.peak.value <= 0:
            return False if all(c.counted.peak.value <= 0 for c in self.calls) else None
        recent = best.recent.value if best.recent is not None else best.counted.mean.value
        return True if recent > (_LEAST_QUERIES if best.is_queries else 0) else None


def host_traffic(case: Case, host: str, owners: tuple[Resource, ...] = ()) -> HostTraffic:
    """Every series that counts this host alone, wherever it is read; else the whole rate of what answers for nothing but it."""
    case.asked.append(f"requests and DNS queries of {host}, by host, at every resource that was read")
    found = [c for r in case.production.resources for c in _by_dimension(case, r, host)]
    if not found:
        found = [c for r in owners if _answers_only(r, host) for c in _whole(case, r)]
    found.sort(key=lambda c: (c.is_queries, -c.counted.mean.value))
    lines = None if found else _lines(case, host)
    return HostTraffic(tuple(found), lines)


def _by_dimension(case: Case, resource: Resource, host: str) -> Iterator[Calls]:
    for series in case.production.series_of(resource.id):
        labels = dimensions_of(series.metric)
        if not any(_KEYS.fullmatch(k) and _bare(v) == host for k, v in labels.items()):
            continue
        counted = count_of(series)
        if counted is not None:
            is_queries = _QUERIES.fullmatch(series.metric.partition("{")[0]) is not None
            yield Calls(resource.id, counted, statistic_reading(series, "mean", hours=24), is_queries)


def _whole(case: Case, resource: Resource) -> Iterator[Calls]:
    for series in case.production.series_of(resource.id):
        counted = count_of(series) if not dimensions_of(series.metric) else None
        if counted is not None:
            yield Calls(resource.id, counted, statistic_reading(series, "mean", hours=24), is_queries=False)


def _lines(case: Case, host: str) -> LogEvidence | None:
    written = rf"(?<![\w.@-]){re.escape(host)}(?![\w-]|\.\w)"
    for resource in case.production.resources:
        found = log_count(case, resource.id, rf"(?i)(?:{written}.*\s[1-3]\d\d\b|\b[1-3]\d\d\s.*{written})")
        if found is not None:
            return found
    return None


def _bare(value: str) -> str:
    return re.sub(r"^https?://|[:/].*$", "", value.lower().strip("\"' ")).rstrip(".")


def answering(case: Case, host: str) -> list[tuple[Resource, ConfigEvidence]]:
    """The live resources, certificates and zones aside, whose lists of hosts have this one or a wildcard over it."""
    found: list[tuple[Resource, ConfigEvidence]] = []
    for resource in case.production.resources:
        if re.search(r"certificate|zone|record", resource.kind):
            continue
        for key in _LISTS:
            name = next((h for h in hosts_in(resource.attributes.get(key)) if covers(h, host)), None)
            cited = lists_name(case, resource.id, key, name) if name is not None else None
            if cited is None and name is not None:
                cited = ConfigEvidence(resource=resource.id, key=key, value=resource.attributes.get(key))
            if cited is not None and not cited.absent:
                found.append((resource, cited))
                break
    return found


def lacking(case: Case, resource: Resource, host: str) -> ConfigEvidence | None:
    """That the list of hosts of a live resource was read and does not have this one, nor a wildcard over it."""
    for key in _LISTS:
        names = list(hosts_in(resource.attributes.get(key)))
        if names and not any(covers(n, host) for n in names):
            return lists_name(case, resource.id, key, host)
    return None


def _answers_only(resource: Resource, host: str) -> bool:
    names = {n for key in _LISTS for n in hosts_in(resource.attributes.get(key))}
    return names == {host}
