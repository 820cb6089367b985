"""A policy lets in peers of the same name by other labels: whether the pods that call today have them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from bot.investigator.asking import edge
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, unknown
from bot.investigator.facts.pod_labels import PodLabels, declared_labels, pod_labels
from bot.investigator.facts.selected_workloads import namespace_at, selects, workloads_of_clusters
from bot.investigator.facts.traffic import per_second, traffic_of
from gonogo.evidence import Evidence, GraphEvidence
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Link, Refutation, Role
from heuristics.access import ClosedRule
from heuristics.access.label_wants import said_of, unmet
from heuristics.access.selectors import POLICIES, Selector


class _Caller(Record):
    """A workload that the old selector means, its live edge to what is guarded, and the labels of its pods."""

    resource: Resource
    joined: GraphEvidence
    known: PodLabels | None
    guarded: Resource


def relabelled_links(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> list[Link] | None:
    """Harm where pods that call lack the new labels; none where they have them; None where nobody is known to call."""
    callers = list(_callers(case, rule, guarded))
    if not callers:
        return None
    lost = [c for c in callers if c.known is not None and not _is_let_in(c, c.known, rule)]
    unknown_ones = [c for c in callers if c.known is None]
    for one in lost:
        if (links := _cut_off(case, rule, one)) is not None:
            return links
    if lost or unknown_ones:
        return [_ask(case, rule, (lost or unknown_ones)[0])]
    cited = [c.known.cited for c in callers if c.known is not None]
    claim = f"{callers[0].resource.name} would be cut off from {callers[0].guarded.name}; its pods have {_wanted(rule)}"
    return [harm(claim, refuting=cited[:4], refutation=Refutation.UNCHANGED)]


def _cut_off(case: Case, rule: ClosedRule, one: _Caller) -> list[Link] | None:
    """None where the change gives the pods the label as well, or nothing tells whether they work."""
    after = declared_labels(case, one.resource, "head")
    worker, far = (one.resource, one.guarded) if rule.is_inward else (one.guarded, one.resource)
    rate = traffic_of(case, worker.id, "mean")
    if _has_other_policy(case, one.guarded):
        return None  # policies add up: one from elsewhere may let the caller in
    if one.known is None or rate is None or rate.value <= 0 or (after is not None and _is_let_in(one, after, rule)):
        return None
    cited: list[Evidence] = [one.known.cited, *([after.cited] if after is not None else [])]
    how = mechanism(f"the policy asks for {_wanted(rule)}; the pods of {one.resource.name} have {_said(one.known)}", *cited)
    met = exposure(f"{worker.name} is one of the callers of {far.name}", one.joined, rate)
    claim = f"{worker.name} works {per_second(rate.value)} on average and reaches {far.name} no more"
    return [how, met, harm(claim, rate, one.joined, one.known.cited, comparison=compare(rate, ">", 0))]


def _has_other_policy(case: Case, guarded: Resource) -> bool:
    """Whether production has a policy in the namespace that no manifest here declares and that does not plainly guard others."""
    own = {case.diff.live_of(d) for d in case.diff.declared["head"].resources if POLICIES.fullmatch(d.kind)}
    names = {d.name for d in case.diff.declared["head"].resources if POLICIES.fullmatch(d.kind)}
    for resource in case.production.resources:
        if not POLICIES.fullmatch(resource.kind) or resource.id in own or resource.name in names:
            continue
        chosen = resource.attributes.get("pod_selector")
        known = pod_labels(case, guarded)
        guards_others = isinstance(chosen, Mapping) and _is_of_others(cast("Mapping[str, object]", chosen), known)
        if namespace_at(resource) == namespace_at(guarded) and not guards_others:
            return True
    return False


def _is_of_others(chosen: Mapping[str, object], known: PodLabels | None) -> bool:
    """Whether a selector asks for labels that the guarded pods do not have."""
    return known is not None and any(known.labels.get(k) != str(v) for k, v in chosen.items())


def _ask(case: Case, rule: ClosedRule, one: _Caller) -> Link:
    name, target = one.resource.name, one.guarded.name
    after = declared_labels(case, one.resource, "head")
    is_given = one.known is not None and after is not None and _is_let_in(one, after, rule)
    question = (
        f"Do all pods of {name} run with {_wanted(rule)} before the policy changes?"
        if is_given
        else f"Do the pods of {name} have {_wanted(rule)}, and how much does {name} do?"
    )
    query = f"kubectl -n {namespace_at(one.resource)} get pods -l {_wanted(rule).replace(', ', ',')}"
    cited = one.known.cited if one.known is not None else None
    return unknown(Role.HARM, f"{name} is cut off from {target}", question, query, one.joined, cited)


def all_let_in(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> list[Link] | None:
    """The links that clear it where the labels of everyone who calls are known and let in; else None."""
    links = relabelled_links(case, rule, guarded) if rule.selector is not None and rule.selector.wants else None
    return links if links is not None and all(link.refuting for link in links) else None


def _callers(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> Iterator[_Caller]:
    if rule.selector is None:
        return
    targets = {r.id: r for r in guarded}
    for resource in workloads_of_clusters(case):
        if resource.id in targets or not selects(case, rule.selector, resource):
            continue
        edges = case.out_of(resource.id) if rule.is_inward else case.into(resource.id)
        for one in edges:
            far = targets.get(one.target if rule.is_inward else one.source)
            shown = edge(case, one.source, one.target, one.relation) if far is not None else None
            if far is not None and shown is not None:
                yield _Caller(resource, shown, pod_labels(case, resource), far)
                break


def _is_let_in(caller: _Caller, known: PodLabels, rule: ClosedRule) -> bool:
    return any(_lets(one, caller.resource, known) for one in rule.let_in)


def _lets(selector: Selector, resource: Resource, known: PodLabels) -> bool:
    if selector.namespaces is not None and namespace_at(resource) not in selector.namespaces:
        return False
    return selector.wants is None or not unmet(selector.wants, known.labels)


def _wanted(rule: ClosedRule) -> str:
    """The labels of the selector that took the place of the old one."""
    names = rule.selector.names if rule.selector is not None else ()
    wanted = [s.wants for s in rule.let_in if s.wants and s.names == names] or [s.wants for s in rule.let_in if s.wants]
    return said_of(wanted[0] or ()) if wanted else "other labels"


def _said(known: PodLabels) -> str:
    return ", ".join(f"{k}={v}" for k, v in list(known.labels.items())[:6])
