"""A health check asks another path or port, or its path comes to stand behind a wall: what it is answered, and what fails then."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import number, quote, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.rollout_shared import id_of
from bot.investigator.facts.check_answers import Answer, Answered, answer_of
from bot.investigator.facts.placing import governed
from bot.investigator.facts.runners import is_workload, workloads
from bot.investigator.facts.traffic import per_second, traffic_of, upstream
from gonogo.evidence import ConfigEvidence, Evidence, LogEvidence, MetricEvidence
from gonogo.resource import Declared, Place, Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.access.walls import Wall
from heuristics.code import language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.runtime.checked_paths import MovedCheck, moved_checks, walled_checks
from heuristics.runtime.declared import label
from heuristics.runtime.probes import Probe

_OF_RESOURCES = (MetricEvidence, LogEvidence, ConfigEvidence)


def moved_check_chains(case: Case, told: Sequence[str]) -> Iterator[Trajectory]:
    """One chain a check; those that another chain has told by the name of their declaration and check are left out."""
    for check in case.diff.once(moved_checks)[:20]:
        if f"{check.declared.address} {check.probe}" not in told and (found := _moved(case, check)) is not None:
            yield found
    for walled in case.diff.once(walled_checks)[:20]:
        said = (
            f"{walled.path} stands behind {walled.wall.name} from now on ({walled.wall.place.file} line {walled.wall.place.line})"
        )
        at = quote_place(case, walled.wall.place)
        yield _chain(case, walled.probe, walled.declared, walled.path, trigger(said, at), walled.place, walled.wall, None)


def _moved(case: Case, check: MovedCheck) -> Trajectory | None:
    resources = _asked(case, check.declared)
    answer = answer_of(case, [r.id for r in resources], check.path, check.declared, check.probe, is_walled=check.wall is not None)
    if answer is not None and answer.kind is Answered.BADLY and _is_new(case, check):
        answer = None  # production answers as the code was before this change
    if answer is None and check.wall is None:
        return None  # nothing is known against it
    asks = f"{check.old_path} to {check.path}" if check.path != check.old_path else f"port {check.old_port} to port {check.port}"
    said = f"the {_words(check.probe)} goes from {asks}"
    return _chain(
        case,
        check.probe,
        check.declared,
        check.path,
        trigger(said, quote_place(case, check.place)),
        check.place,
        check.wall,
        answer,
    )


def _is_new(case: Case, check: MovedCheck) -> bool:
    """Whether the change touches the code that answers, or code that names the path."""
    end = check.path.rstrip("/").rpartition("/")[2]
    for file in case.diff.changes.files:
        path = file.head_path or ""
        if language_of(path) not in CODE_LANGUAGES:
            continue
        if (check.route is not None and check.route.file == path) or any(end and end in t for t in file.added_lines().values()):
            return True
    return False


def _chain(
    case: Case, probe: Probe, declared: Declared, path: str, began: Link, place: Place, wall: Wall | None, answer: Answer | None
) -> Trajectory:
    resource = _workload(case, declared)
    name = resource.name if resource is not None else label(declared)
    asked = _asked(case, declared)
    is_well = answer is not None and answer.kind is Answered.WELL
    links = [
        began,
        *(
            _answered_well(path, answer)
            if is_well and answer is not None
            else _refused(case, probe, name, path, place, wall, answer, asked)
        ),
    ]
    ends = (
        "which answers it"
        if is_well
        else "which refuses it"
        if not any(link.question for link in links)
        else "which may refuse it"
    )
    cited = [e.resource for link in links for e in (*link.evidence, *link.refuting) if isinstance(e, _OF_RESOURCES)]
    return Trajectory(
        title=f"The {_words(probe)} of {name} asks for {path}, {ends}",
        impact=Impact.LOW if is_well else Impact.HIGH,
        resource=id_of(case, resource),
        metric="HealthyHostCount" if probe is Probe.TARGET else "kube_deployment_status_replicas_available",
        links=tuple(links),
        make_safe=f"Answer `{path}` without credentials, roll that out, and let the check ask for it after that.",
        undo="Let the check ask for the old path and apply; copies count as healthy again after a few checks.",
        path=tuple(dict.fromkeys((id_of(case, resource), *(r.id for r in asked), *cited))),
    )


def _answered_well(path: str, answer: Answer) -> list[Link]:
    if answer.reading is not None:
        return [harm(f"the check would fail; {answer.said}", refuting=answer.cited)]
    return [harm(f"the check would fail; {answer.said} ({answer.lines} lines of {path})", refuting=answer.cited)]


def _refused(
    case: Case,
    probe: Probe,
    name: str,
    path: str,
    place: Place,
    wall: Wall | None,
    answer: Answer | None,
    asked: Sequence[Resource],
) -> list[Link]:
    at: list[Evidence] = [quote(case, place.file, place.line)]
    said = answer.said if answer is not None else "a check sends no credentials"
    if wall is not None:
        at.append(quote(case, wall.place.file, wall.place.line))
        how = f"{path} comes after {wall.name} ({wall.place.file} line {wall.place.line}), and {said}"
    else:
        how = f"{said}, and the check takes that for a failure"
    links = [mechanism(how, *at, *(answer.cited if answer is not None else ()))]
    ends = (
        "every copy is killed and started again"
        if probe in (Probe.LIVENESS, Probe.STARTUP)
        else "no copy counts as healthy, and none gets requests"
    )
    busy = next((r for one in asked if (r := traffic_of(case, one.id, "mean")) is not None and r.value > 0), None)
    healthy = next((h for one in asked if (h := number(case, one.id, "desired_count", "replicas")) is not None), None)
    if busy is None:
        question = f"What does {path} answer to a call without credentials, and how many requests does {name} take?"
        return [
            *links,
            unknown(
                Role.HARM, f"{name}: {ends}", question, f"curl -s -o /dev/null -w '%{{http_code}}' http://COPY{path}", healthy
            ),
        ]
    met = exposure(f"{name} takes requests {per_second(busy.value)} on average", busy, healthy)
    claim = f"the check fails on each copy of {name}: {ends}, {per_second(busy.value)} on average"
    return [*links, met, harm(claim, busy, *(answer.cited if answer is not None else at), comparison=compare(busy, ">", 0))]


def _workload(case: Case, declared: Declared) -> Resource | None:
    """What runs behind the check: the service of a target group, by its live edges where the manifest does not say."""
    found = governed(case, declared)
    live = case.live_of(declared)
    if (found is None or not is_workload(found.kind)) and live is not None:
        behind = [case.production.resource(e.target) for e in case.out_of(live.id, Relation.ROUTES_TO)]
        programs = [r for r in behind if r is not None and is_workload(r.kind)]
        found = programs[0] if len(programs) == 1 else found
    if found is None and len(workloads(case)) == 1:
        return workloads(case)[0]
    return found


def _asked(case: Case, declared: Declared) -> list[Resource]:
    """The workload, and what routes to it: their logs and metrics tell what a check is answered, and what is at stake."""
    resource = _workload(case, declared)
    ids = [resource.id, *upstream(case, resource.id)] if resource is not None else []
    return [r for i in dict.fromkeys(ids) if (r := case.production.resource(i)) is not None]


def _words(probe: Probe) -> str:
    return {"health_check": "health check", "startup": "start-up probe"}.get(probe.value, f"{probe.value} probe")
