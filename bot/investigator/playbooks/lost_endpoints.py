"""A Service of Kubernetes selects no pod any more, while requests come to it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from bot.investigator.asking import Reading, config, edge, quote
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, harm, mechanism, trigger, unknown
from bot.investigator.facts.traffic import per_second, traffic_of, upstream
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, GraphEvidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.access.selected_pods import UnmatchedService, unmatched_services

INFO = PlaybookInfo(id="lost-endpoints", question="Which running pods does the Service select afterwards?")

_LABELS = ("pod_labels", "template_labels", "labels")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a Service."""
    for one in case.diff.once(unmatched_services)[:20]:
        yield _chain(case, one)


def _chain(case: Case, one: UnmatchedService) -> Trajectory:
    service, workload = case.live_of(one.service), case.live_of(one.workload)
    name = one.service.name or one.service.address
    wanted = ", ".join(f"{k}={v}" for k, v in one.after.items())
    at = quote(case, one.place.file, one.place.line)
    labels_at = quote(case, one.labels_place.file, one.labels_place.line)
    path = [r.id for r in (service, workload) if r is not None]
    links = [trigger(f"the Service {name} selects {wanted}; the pods that it sends to today are {_said(one)}", at)]
    cited, has_labels = _live_labels(case, one, workload)
    rate, of = _traffic(case, service, workload)
    other = _other(case, one, workload)
    if other is not None:
        claim = f"no pod would be selected; the pods of {other[0].name} have {wanted}"
        links.append(mechanism(claim, refuting=(other[1],)))
        path.append(other[0].id)
    elif has_labels and one.is_selector:
        links.append(mechanism(f"no pod would be selected; the running pods have {wanted}", refuting=(cited,)))
    else:
        links.append(_mechanism(one, name, [labels_at, cited, *_edges(case, service, workload)]))
    links.append(_harm(name, rate, of))
    if of is not None:
        path.append(of.id)
    return Trajectory(
        title=f"The Service {name} has no endpoints"
        if one.selected is None
        else f"The Service {name} loses its endpoints until new pods are ready",
        impact=Impact.HIGH,
        resource=service.id if service is not None else case.repository,
        metric="http_requests_per_second",
        links=tuple(links),
        make_safe="Give the label to the pods first (`spec.template.metadata.labels`), wait for the roll-out, then change the selector.",
        undo=f"Put the old selector back and apply it; {name} has endpoints again within seconds.",
        path=tuple(dict.fromkeys(ResourceId(p) for p in path)),
    )


def _said(one: UnmatchedService) -> str:
    return ", ".join(f"{k}={v}" for k, v in list(one.labels.items())[:4])


def _mechanism(one: UnmatchedService, name: str, shown: Sequence[Cited]) -> Link:
    space = one.service.settings.get("namespace")
    query = f"kubectl get pods -n {space.value if space is not None else 'default'} -l {','.join(f'{k}={v}' for k, v in one.after.items())}"
    if one.selected is not None:
        claim = f"the Service changes at once, the pods of {one.selected.name} get the label one by one; until the first new one is ready {name} has no endpoints"
        return unknown(Role.MECHANISM, claim, "Do pods with the new label run before the Service changes?", query, *shown)
    if one.is_refused:
        claim = f"the selector of {one.workload.name} cannot change in place; where it is deleted and made anew, {name} does not select its pods"
        return unknown(Role.MECHANISM, claim, f"Is {one.workload.name} made anew, or is the apply refused?", query, *shown)
    if one.may_be_elsewhere:
        return unknown(
            Role.MECHANISM, f"no pod of this repository has the labels that {name} selects", "Which pods have the labels already?", query, *shown,
        )  # fmt: skip
    claim = (
        f"the template of {one.workload.name} gives its pods {_said(one)}: none of them is selected, and {name} has no endpoints"
    )
    return mechanism(claim, *shown)


def _live_labels(case: Case, one: UnmatchedService, workload: Resource | None) -> tuple[ConfigEvidence | None, bool]:
    """The labels that running pods have, and whether the selector matches them."""
    cited = config(case, workload.id, *_LABELS) if workload is not None else None
    value = cited.value if cited is not None else None
    return cited, _have(value, one)


def _other(case: Case, one: UnmatchedService, workload: Resource | None) -> tuple[Resource, ConfigEvidence] | None:
    """Another live workload of the namespace whose pods have the labels."""
    space = one.service.settings.get("namespace")
    for affected in case.affected:
        resource = case.production.resource(affected.resource)
        if resource is None or resource == workload or not resource.kind.startswith("kubernetes."):
            continue
        labels = resource.attributes.get("pod_labels")
        is_near = space is None or resource.attributes.get("namespace") in (None, space.value)
        if is_near and _have(labels, one):
            cited = config(case, resource.id, "pod_labels")
            if cited is not None:
                return resource, cited
    return None


def _have(labels: object, one: UnmatchedService) -> bool:
    """Whether live labels are all that the selector asks for."""
    if not isinstance(labels, Mapping):
        return False
    known = {str(k): str(v) for k, v in cast("Mapping[object, object]", labels).items()}
    return one.after.items() <= known.items()


def _edges(case: Case, service: Resource | None, workload: Resource | None) -> list[GraphEvidence | None]:
    return [edge(case, service.id, workload.id, Relation.ROUTES_TO)] if service is not None and workload is not None else []


def _traffic(case: Case, service: Resource | None, workload: Resource | None) -> tuple[Reading | None, Resource | None]:
    """Requests a second through the Service: its own, of what routes to it, or of the pods when only this Service leads to them."""
    ids = [service.id, *upstream(case, service.id)] if service is not None else []
    if workload is not None:
        leading = {e.source for e in case.into(workload.id, Relation.ROUTES_TO)}
        ids += [workload.id] if service is None or leading <= {service.id} else []
    for one in ids:
        found = traffic_of(case, one, "mean")
        if found is not None:
            return found, case.production.resource(one)
    return None, None


def _harm(name: str, rate: Reading | None, of: Resource | None) -> Link:
    if rate is None or of is None:
        query = f"requests a second at the Service {name} over 7 days"
        return unknown(Role.HARM, f"every request to {name} fails", f"How many requests come to {name}?", query)
    if rate.value > 0:
        claim = f"{of.name} gets requests {per_second(rate.value)} on average; each of them finds no pod and fails with 503"
        return harm(claim, rate, comparison=compare(rate, ">", 0))
    return harm(f"{of.name} would fail; no request came to it in the window", rate, comparison=compare(rate, ">", 0))
