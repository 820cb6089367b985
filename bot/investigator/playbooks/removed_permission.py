"""A role loses an IAM action that the code still needs, or a resource lets a service in no more."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, metric, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.narrowed_resources import narrowed_resources
from bot.investigator.chains.resource_policies import refused_services
from bot.investigator.facts.implied import implied
from bot.investigator.facts.role_programs import attached_elsewhere, is_own, programs_of, role_of
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import MetricEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.access import RemovedAction, removed_actions
from heuristics.access.resource_policies import granted_to_services
from heuristics.access.sdk import METRICS
from heuristics.names.removed import has_code

INFO = PlaybookInfo(id="removed-permission", question="Does anything still do what the role may do no more?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every action that goes, and for every service that a resource lets in no more."""
    told = case.diff.once(granted_to_services)
    for removed in case.diff.once(removed_actions)[:60]:
        if (removed.before.address, removed.action) not in told:
            yield _chain(case, removed)
    yield from refused_services(case)
    yield from narrowed_resources(case)


def _chain(case: Case, removed: RemovedAction) -> Trajectory:
    role = role_of(case, removed.before, removed.role, removed.action)
    programs = programs_of(case, role, removed.uses)
    links = _links(case, removed, role, programs)
    other = attached_elsewhere(case, role)
    if other is not None and not any(link.question or link.refuting for link in links) and _all_hold(links):
        cited, name = other
        claim = f"{removed.action} is denied, unless {name}, which production attaches to the role, allows it"
        asked = unknown(Role.HARM, claim, f"Does {name} allow {removed.action}?", _query(removed, role), cited)
        links = [*links[:-1], asked]
    return _told(case, removed, role, programs, links)


def _all_hold(links: Sequence[Link]) -> bool:
    """Whether the numbers of every link say harm."""
    return all(link.comparison is None or link.comparison.holds() for link in links)


def _links(case: Case, removed: RemovedAction, role: Resource | None, programs: Sequence[Resource]) -> list[Link]:
    action = removed.action
    if removed.kept_by is not None:
        declared, setting = removed.kept_by
        place = declared.place(setting)
        at = quote(case, place.file, place.line)
        refutation = Refutation.CREATED_HERE if removed.is_kept_new else Refutation.UNCHANGED
        return [
            harm(
                f"{action} would be denied; {place.file} line {place.line} still allows it to the role",
                refuting=(at,),
                refutation=refutation,
            )
        ]
    counted = _counted(case, removed, programs)
    if removed.uses:
        return _used(case, removed, programs, counted)
    if removed.is_implied:
        found = implied(case, removed, role, programs)
        if found is not None:
            return found
        return [_ask(removed, role, f"the platform may need {action} for the program")]
    if counted is not None and counted.value == 0:
        return [harm(f"{action} would be denied; it was not done once", counted, comparison=compare(counted, ">", 0))]
    if has_code(case.diff) and (any(is_own(case, p) for p in programs) or not case.production.resources):
        claim = f"{action} would be denied; no code of this repository does it"
        gone = quote_removed(case, removed.place.file, removed.place.line)
        return [harm(claim, refuting=gone, refutation=Refutation.NO_LONGER_USED)]
    return [_ask(removed, role, f"the code that runs with this role is not in this repository and may need {action}", counted)]


def _used(case: Case, removed: RemovedAction, programs: Sequence[Resource], counted: Reading | None) -> list[Link]:
    use = removed.uses[0]
    at = [quote(case, u.file, u.line) for u in removed.uses[:3]]
    link = mechanism(f"{use.file} line {use.line} still needs {removed.action}, and no other statement allows it", *at)
    if counted is not None:
        claim = f"{removed.action} is done {per_second(counted.value)} on average and denied from now on"
        return [link, harm(claim, counted, comparison=compare(counted, ">", 0))]
    for program in programs:
        rate = traffic_of(case, program.id, "mean")
        if rate is not None:
            claim = (
                f"{program.name}, called {per_second(rate.value)} on average, gets AccessDenied where it does {removed.action}"
            )
            return [
                link,
                exposure(f"{program.name} runs this code with the role", rate),
                harm(claim, rate, *at, comparison=compare(rate, ">", 0)),
            ]
    question = f"How often does the program do {removed.action}?"
    return [link, unknown(Role.HARM, f"{removed.action} is denied with AccessDenied", question, _query(removed, None))]


def _ask(removed: RemovedAction, role: Resource | None, claim: str, counted: Reading | None = None) -> Link:
    name = role.name if role is not None else removed.before.name or removed.before.address
    return unknown(Role.HARM, claim, f"Did {name} use {removed.action} in the last 90 days?", _query(removed, role), counted)


def _query(removed: RemovedAction, role: Resource | None) -> str:
    event = removed.action.partition(":")[2]
    if role is not None and role.id.startswith("arn:"):
        return f"aws iam generate-service-last-accessed-details --arn {role.id} --granularity ACTION_LEVEL"
    return f"aws cloudtrail lookup-events --lookup-attributes AttributeKey=EventName,AttributeValue={event}"


# -- facts ----------------------------------------------------------------------------------------------


def _counted(case: Case, removed: RemovedAction, programs: Sequence[Resource]) -> Reading | None:
    """The service's own count of the action, at what the programs reach and the statement names."""
    service = removed.action.partition(":")[0]
    names = METRICS.get(removed.action, ())
    targets = [e.target for p in programs for e in case.out_of(p.id)]
    kinds = {r.id: r for r in case.production.resources}
    wanted = [t for t in dict.fromkeys(targets) if t in kinds and kinds[t].kind.startswith(f"aws.{service}.")]
    wanted = [t for t in wanted if _is_meant(removed, kinds[t])] or (wanted if len(wanted) == 1 else [])
    for target in wanted if names else []:
        found = metric(case, target, names, "mean")
        if found is not None and found.unit == "1/s":
            return found
    return None


def _is_meant(removed: RemovedAction, target: Resource) -> bool:
    return any(target.name in text or text == "*" for text in removed.resources)


def _told(
    case: Case, removed: RemovedAction, role: Resource | None, programs: Sequence[Resource], links: Sequence[Link]
) -> Trajectory:
    target = role.id if role is not None else programs[0].id if programs else case.repository
    name = role.name if role is not None else removed.before.name or removed.before.address
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    cited = [e.resource for link in links for e in link.evidence if isinstance(e, MetricEvidence)]
    ends = (
        "and nothing needs it"
        if safe
        else "which may still be needed"
        if any(link.question for link in links)
        else "which its code still needs"
    )
    return Trajectory(
        title=f"{name} loses {removed.action}, {ends}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="Errors",
        links=(
            trigger(
                f"{removed.action} goes from {removed.before.address} ({removed.place.file} line {removed.place.line} before the change)",
                *quote_removed(case, removed.place.file, removed.place.line),
            ),
            *links,
        ),
        make_safe=f"Keep `{removed.action}` until the code that needs it is gone; look at the role's last access first.",
        undo=f"Put `{removed.action}` back into the policy and apply it; it takes effect within seconds.",
        path=tuple(dict.fromkeys((target, *(p.id for p in programs), *cited))),
    )
