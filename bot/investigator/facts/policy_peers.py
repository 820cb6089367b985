"""Who comes through a policy of a cluster: traffic by client in metrics and access logs, and live edges of who is selected."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bot.investigator.asking import Reading, edge, log_count, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, unknown
from bot.investigator.facts.selected_workloads import is_one_of, namespace_at, selects, workloads_of_clusters
from bot.investigator.facts.traffic import Counted, count_of, dimensions_of, per_second, traffic_of
from gonogo.evidence import GraphEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Link, Role
from heuristics.access import ClosedRule
from heuristics.access.selectors import Selector, namespace_of, pods_of
from heuristics.limits.changed import words_of

_SIDE = r"(client|source|src|peer|remote|caller|origin|downstream|from|consumer)"
_NAMESPACE_KEYS = pattern(rf"{_SIDE}[_.-]?((workload|pod|k8s|service)[_.-]?)?(namespace|ns)")
_NAME_KEYS = pattern(
    rf"{_SIDE}([_.-]?(app|workload|service|service_name|name|canonical_service|pod|deployment|principal|identity|account|service_account))?"
)
_FAR_KEYS = pattern(
    r"(server|destination|dst|dest|target|upstream|remote|peer|backend|to|host)([_.-]?(app|workload|service|service_name|name|canonical_service|host|deployment))?"
)
_FAR_NAMES = pattern(r"(?i).*(client|outbound|upstream|egress|outgoing|istio_requests|requests|calls).*")


class _Member(Record):
    """A workload that the rule selects and that head selects no more, and its live edge to what is guarded."""

    resource: Resource
    joined: GraphEvidence | None


def guarded_by(case: Case, rule: ClosedRule) -> list[Resource]:
    """The live workloads that the policy guards, as far as its labels are names."""
    names, space = pods_of(rule.declared), namespace_of(rule.declared)
    if names is None:
        return []
    inside = [r for r in workloads_of_clusters(case) if namespace_at(r) == space]
    return [r for r in inside if not names or r.name in names]


def has_live_policy(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> bool:
    """Whether production has a policy of its own in the namespace or for these workloads, whatever it lets through: policies add up."""
    space = namespace_of(rule.declared)
    joined = [one for r in guarded for e in (*case.into(r.id), *case.out_of(r.id)) for one in (e.source, e.target)]
    inside = [r.id for r in case.production.resources if namespace_at(r) == space]
    return any(_POLICY_ID.search(one) for one in (*joined, *inside))


_POLICY_ID = pattern(r"/\w{0,20}(networkpolicy|authorizationpolicy)/")


def policy_links(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> list[Link] | None:
    """Harm where the peer still sends, none where nothing of it came in the whole window; None when nothing tells."""
    selector = rule.selector
    if selector is None or not guarded:
        return None
    members = list(_members(case, rule, selector, guarded))
    for target in guarded:
        by_client = _by_client(case, target, selector, members, rule.let_in)
        found = _of_counts(rule, target, by_client, members)
        if found is not None:
            return found
        if (logged := _of_logs(case, rule, target, selector)) is not None:
            return logged
    return _of_members(case, rule, guarded, members)


# -- by client, at the guarded workload or at the peer ----------------------------------------------


class _Clients(Record):
    """Series of the peer, and those of others by the same label."""

    own: tuple[Counted, ...]
    others: tuple[Counted, ...]


def _by_client(
    case: Case, target: Resource, selector: Selector, members: Sequence[_Member], let_in: Sequence[Selector]
) -> _Clients:
    own: list[Counted] = []
    others: list[Counted] = []
    case.asked.append(f"requests of {target.id} by client")
    for series in case.production.series_of(target.id):
        labels = dimensions_of(series.metric)
        is_own = _is_of(labels, selector, members, let_in)
        counted = count_of(series) if is_own is not None else None
        if counted is not None:
            (own if is_own else others).append(counted)
    for member in members:
        for series in case.production.series_of(member.resource.id):
            labels = dimensions_of(series.metric)
            is_far = any(_FAR_KEYS.fullmatch(k) and _is_called(v, target) for k, v in labels.items())
            counted = count_of(series) if is_far and _FAR_NAMES.fullmatch(series.metric.partition("{")[0]) else None
            if counted is not None:
                own.append(counted)
    return _Clients(tuple(own), tuple(others))


def _is_of(labels: Mapping[str, str], selector: Selector, members: Sequence[_Member], let_in: Sequence[Selector]) -> bool | None:
    """Whether a series counts only what the rule lets through and head does not; None when no label tells the client."""
    space = next((v for k, v in labels.items() if _NAMESPACE_KEYS.fullmatch(k)), None)
    name = next((v for k, v in labels.items() if _NAME_KEYS.fullmatch(k) and not _NAMESPACE_KEYS.fullmatch(k)), None)
    if space is None and name is None:
        return None
    if name is not None and "/" in name:  # a principal: cluster.local/ns/batch/sa/settlement
        found = re.search(r"/ns/([\w.-]+)/sa/([\w.-]+)", name)
        space, name = (found[1], found[2]) if found else (space, name.rpartition("/")[2])
    if name is not None:
        is_there = space is None or selector.namespaces is None or space in selector.namespaces
        if is_one_of(name, {m.resource.name for m in members}):
            return is_there
        at = space or _sole(selector.namespaces)
        is_named = is_there and is_one_of(name, {*selector.names, *selector.accounts})
        return is_named and not any(_lets_in(one, at, name) for one in let_in)
    if selector.names or selector.accounts:
        return None  # a whole namespace tells nothing of one of its pods
    is_in = selector.namespaces is None or space in selector.namespaces
    overlaps = any(one.namespaces is None or space in one.namespaces for one in let_in)
    return None if is_in and overlaps else is_in


def _lets_in(selector: Selector, space: str | None, name: str) -> bool:
    is_there = selector.namespaces is None or space is None or space in selector.namespaces
    who = {*selector.names, *selector.accounts}
    return is_there and (not who or is_one_of(name, who))


def _sole(namespaces: Sequence[str] | None) -> str | None:
    return namespaces[0] if namespaces is not None and len(namespaces) == 1 else None


def _of_counts(rule: ClosedRule, target: Resource, found: _Clients, members: Sequence[_Member]) -> list[Link] | None:
    joined = next((m.joined for m in members if m.joined is not None), None)
    if found.own:
        best = max(found.own, key=lambda c: c.total)
        recent = statistic_reading(best.series, "mean", hours=24)
        if best.total == 0:
            claim = f"{rule.source} would be cut off from {target.name}; nothing of it came in {best.days:.2g} days"
            return [harm(claim, best.peak, comparison=compare(best.peak, ">", 0))]
        if recent is not None and recent.value > 0:
            claim = f"{rule.source} comes to {target.name} {per_second(best.mean.value)} on average and is refused from now on"
            met = exposure(
                f"{rule.source} reaches {target.name} at up to {best.peak.value:,.3g} requests a second", best.peak, joined
            )
            return [met, harm(claim, best.mean, recent, joined, comparison=compare(best.mean, ">", 0))]
        question = f"Does {rule.source} still need {target.name}? Nothing of it came in the last day"
        return [unknown(Role.HARM, f"{rule.source} is cut off from {target.name}", question, _query(rule, target), best.mean)]
    if len(found.others) >= 2 and any(o.total > 0 for o in found.others) and joined is None:
        claim = f"{rule.source} would be cut off from {target.name}; its requests are counted by client, and none is of it"
        return [harm(claim, refuting=[o.mean for o in found.others[:3]])]
    return None


def _of_logs(case: Case, rule: ClosedRule, target: Resource, selector: Selector) -> list[Link] | None:
    """Sampled access lines that name the client."""
    values, keys = (
        ((*selector.names, *selector.accounts), _LOG_NAME)
        if selector.names or selector.accounts
        else (selector.namespaces or (), _LOG_NAMESPACE)
    )
    at = _sole(selector.namespaces)
    if keys is _LOG_NAME:
        is_kept = any(_lets_in(one, at, v) for one in rule.let_in for v in values)
    else:
        is_kept = any(one.namespaces is None or v in one.namespaces for one in rule.let_in for v in values)
    if not values or is_kept:
        return None
    seen = log_count(case, target.id, rf"(?i){keys}[\"']?\s?[=:]\s?[\"']?(?:{'|'.join(map(re.escape, values))})(?![\w-])")
    if seen is None:
        return None
    claim = f"{seen.count} sampled requests at {target.name} are of {rule.source}; they are refused from now on"
    return [harm(claim, seen, comparison=compare(seen.count, ">", 0, "sampled requests"))]


_LOG_NAMESPACE = rf"{_SIDE}[_.-]?(?:(?:workload|pod|k8s|service)[_.-]?)?(?:namespace|ns)"
_LOG_NAME = rf"{_SIDE}[_.-]?(?:app|workload|service|service_name|name|deployment|principal)"


# -- by live edges -----------------------------------------------------------------------------------


def _of_members(case: Case, rule: ClosedRule, guarded: Sequence[Resource], members: Sequence[_Member]) -> list[Link] | None:
    for member in members:
        if member.joined is None:
            continue
        running = number(case, member.resource.id, "replicas", "desired_count", "running_count", "count")
        rate = traffic_of(case, member.resource.id, "mean")
        if (running is not None and running.value == 0) or rate is None or rate.value <= 0:
            continue
        name = member.resource.name
        claim = f"{name} works {per_second(rate.value)} on average and reaches {_names(guarded)} no more"
        met = exposure(f"{name} is in {rule.source} and calls {_names(guarded)}", member.joined, running, rate)
        return [met, harm(claim, rate, member.joined, comparison=compare(rate, ">", 0))]
    idle = [(m, r) for m in members if m.joined is not None and (r := _idle(case, m.resource)) is not None]
    joined = [m for m in members if m.joined is not None]
    if joined and len(idle) == len(joined):
        claim = f"{rule.source} would be cut off; {idle[0][0].resource.name}, the only one of it that calls {_names(guarded)}, does not run or works on nothing"
        return [harm(claim, idle[0][1], comparison=compare(idle[0][1], ">", 0))]
    if joined:
        question = f"How often does {joined[0].resource.name} call {_names(guarded)}?"
        claim = f"{joined[0].resource.name} is cut off from {_names(guarded)}"
        return [
            exposure(f"{joined[0].resource.name} is in {rule.source} and calls {_names(guarded)}", joined[0].joined),
            unknown(Role.HARM, claim, question, _query(rule, guarded[0])),
        ]
    return None


def _idle(case: Case, resource: Resource) -> Reading | None:
    running = number(case, resource.id, "replicas", "desired_count", "running_count", "count")
    if running is not None and running.value == 0:
        return running
    rate = traffic_of(case, resource.id)
    return rate if rate is not None and rate.value == 0 else None


def _members(case: Case, rule: ClosedRule, selector: Selector, guarded: Sequence[Resource]) -> Iterator[_Member]:
    targets = {r.id for r in guarded}
    for resource in workloads_of_clusters(case):
        if resource.id in targets or not selects(case, selector, resource):
            continue
        if any(selects(case, s, resource) for s in rule.let_in):
            continue
        edges = case.out_of(resource.id) if rule.is_inward else case.into(resource.id)
        far: Callable[[GraphEvidence], str] = (lambda e: e.target) if rule.is_inward else (lambda e: e.source)
        shown = [e for one in edges if (e := edge(case, one.source, one.target, one.relation)) is not None and far(e) in targets]
        yield _Member(resource, shown[0] if shown else None)


def _is_called(value: str, target: Resource) -> bool:
    return words_of(value.split(".", maxsplit=1)[0].split(":", maxsplit=1)[0]) == words_of(target.name)


def _names(guarded: Sequence[Resource]) -> str:
    return " and ".join(r.name for r in guarded[:3])


def _query(rule: ClosedRule, target: Resource) -> str:
    space = (rule.selector.namespaces or ("",))[0] if rule.selector is not None else ""
    return (
        f'sum by (source_workload) (rate(istio_requests_total{{destination_workload="{target.name}", source_workload_namespace="{space}"}}[7d]))'
        f"; hubble observe --from-namespace {space or 'ALL'} --to-pod {target.name}"
    )
