"""A role keeps its actions on fewer resources: whether what is left out is in use."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.allowed_arns import patterns_of
from bot.investigator.facts.lost_needs import Need, needs_of, still_allowed
from bot.investigator.facts.role_programs import attached_elsewhere, is_own, programs_of, role_of
from bot.investigator.facts.traffic import per_second, traffic_of
from gonogo.evidence import ConfigEvidence, Evidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.access.narrowed_resources import NarrowedGrant, narrowed_grants
from heuristics.access.sdk import IMPLIED, uses_of_action
from heuristics.access.sub_resources import indexes_used
from heuristics.code import Use
from heuristics.names.removed import has_code


def narrowed_resources(case: Case) -> Iterator[Trajectory]:
    """One chain for every set of resources that goes from a statement."""
    for grant in case.diff.once(narrowed_grants)[:30]:
        action = grant.actions[0]
        role = role_of(case, grant.before, grant.role, action)
        uses = [u for a in grant.actions for u in uses_of_action(case.diff.head, a)]
        programs = programs_of(case, role, uses)
        links = _links(case, grant, programs, uses)
        other = attached_elsewhere(case, role)
        is_harm = all(link.comparison is None or link.comparison.holds() for link in links)
        if other is not None and is_harm and not any(link.question or link.refuting for link in links):
            links = [*links[:-1], _ask_of_policy(grant, *other)]
        yield _told(case, grant, role, programs, links)


def _links(case: Case, grant: NarrowedGrant, programs: Sequence[Resource], uses: Sequence[Use]) -> list[Link]:
    service = grant.actions[0].partition(":")[0].lower()
    was = patterns_of(case, grant.was, "base", service, programs)
    left = patterns_of(case, grant.left, "head", service, programs)
    needs = list(needs_of(case, grant, was, left, programs))
    coded = [n for n in needs if n.uses]
    if left.is_whole:
        proved = next((n for n in sorted(needs, key=_busy) if _is_used(n)), None)
        if proved is not None:
            return _denied(case, grant, proved)
        by_program = next((n for n in coded if n.rate is None and _rate(case, n) is not None), None)
        if by_program is not None:
            return _denied(case, grant, by_program)
    idle = [n for n in needs if n.rate is not None and n.rate.value == 0]
    if needs and len(idle) == len(needs) and was.is_whole:
        claim = f"{_act(grant)} would be denied on {idle[0].said}; it was not done there once"
        return [harm(claim, *[n.rate for n in idle[:3]], comparison=compare(idle[0].rate or 0.0, ">", 0))]
    busy = [n for n in needs if n.uses or n.begins or (n.rate is not None and n.rate.value > 0)]
    kept = still_allowed(case, grant, left, programs) if not busy and left.is_whole else ()
    if kept and all(is_own(case, p) for p in programs):
        claim = f"{_act(grant)} would be denied on {_short(grant)}; all that {programs[0].name} reaches of it stays allowed"
        at = quote_removed(case, grant.place.file, grant.place.line)[-1]
        return [harm(claim, refuting=(*kept[:3], at), refutation=Refutation.UNCHANGED)]
    if not busy and _is_read(case, grant, programs, uses):
        claim = f"{_act(grant)} would be denied on {_short(grant)}; no code of this repository uses that"
        gone = quote_removed(case, grant.place.file, grant.place.line)
        return [harm(claim, *[n.rate for n in idle[:2]], refuting=gone, refutation=Refutation.NO_LONGER_USED)]
    return [_ask(case, grant, busy or needs)]


def _busy(need: Need) -> float:
    return -(need.rate.value if need.rate is not None else 0.0)


def _is_used(need: Need) -> bool:
    """Whether production shows that this program does it there: its code says so and the count is not zero, or nobody else could."""
    if need.rate is None or need.rate.value <= 0:
        return False
    return bool(need.uses) or (bool(need.cited) and need.is_alone and _reaches(need))


def _reaches(need: Need) -> bool:
    return any(e.kind == "graph" and need.program.id in (e.source, e.target) for e in need.cited)


def _rate(case: Case, need: Need) -> float | None:
    rate = traffic_of(case, need.program.id, "mean")
    return rate.value if rate is not None and rate.value > 0 else None


def _is_read(case: Case, grant: NarrowedGrant, programs: Sequence[Resource], uses: Sequence[Use]) -> bool:
    """Whether this repository holds all that runs with the role, and its code could name what goes if it used it."""
    if not has_code(case.diff) or not programs or not all(is_own(case, p) for p in programs):
        return False
    is_index = all("/index/" in text or text.endswith("/index") for text in grant.gone)
    if is_index and any(c.name is None for c in indexes_used(case.diff.head)):
        return False
    is_platform = any(IMPLIED.match(a) is not None for a in grant.actions)
    return not is_platform and (is_index or not uses)


def _denied(case: Case, grant: NarrowedGrant, need: Need) -> list[Link]:
    at: list[Evidence] = [quote(case, u.file, u.line) for u in need.uses[:3]]
    where = (
        f"{need.uses[0].file} line {need.uses[0].line} uses {need.said}" if need.uses else f"{need.program.name} uses {need.said}"
    )
    how = mechanism(f"{where}, and no statement allows {need.action} on it any more", *at, *need.cited)
    calls = traffic_of(case, need.program.id, "mean")
    rate = need.rate if need.rate is not None and need.rate.value > 0 else calls
    if rate is None:
        return [how, _ask(case, grant, [need])]
    met = exposure(
        f"{need.program.name} runs with the role" + (f", called {per_second(calls.value)}" if calls is not None else ""),
        calls,
        *need.cited,
    )
    unit = "read units a second" if need.action.startswith("dynamodb:") and rate is need.rate else ""
    amount = f"{rate.value:,.3g} {unit}" if unit else per_second(rate.value)
    claim = f"{need.action} on {need.said} is done today ({amount} on average) and gets AccessDenied from now on"
    links = [how, harm(claim, rate, *at, comparison=compare(rate, ">", 0))]
    return [links[0], met, links[1]] if met.evidence else links


def _ask(case: Case, grant: NarrowedGrant, needs: Sequence[Need]) -> Link:
    at = [e for n in needs[:2] for e in (*n.cited, *(quote(case, u.file, u.line) for u in n.uses[:2]))]
    what = needs[0].said if needs else _short(grant)
    question = f"Did this role use {_act(grant)} on {what} in the last 90 days?"
    event = grant.actions[0].partition(":")[2]
    query = f"aws cloudtrail lookup-events --lookup-attributes AttributeKey=EventName,AttributeValue={event}"
    return unknown(Role.HARM, f"{_act(grant)} on {what} is denied with AccessDenied", question, query, *at)


def _ask_of_policy(grant: NarrowedGrant, cited: ConfigEvidence, name: str) -> Link:
    claim = f"{_act(grant)} on {_short(grant)} is denied, unless {name}, which production attaches to the role, allows it"
    query = f"aws iam list-policies --query \"Policies[?PolicyName=='{name}'].Arn\""
    return unknown(Role.HARM, claim, f"Does {name} allow {_act(grant)} on {_short(grant)}?", query, cited)


def _act(grant: NarrowedGrant) -> str:
    return " and ".join(grant.actions[:3]) + (" …" if len(grant.actions) > 3 else "")


def _short(grant: NarrowedGrant) -> str:
    return " and ".join(grant.gone[:2]) if grant.gone != ("*",) else "all that it names no more"


def _told(
    case: Case, grant: NarrowedGrant, role: Resource | None, programs: Sequence[Resource], links: Sequence[Link]
) -> Trajectory:
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    name = role.name if role is not None else grant.before.name or grant.before.address
    target = programs[0].id if programs else role.id if role is not None else case.repository
    cited = [r for link in links for e in link.evidence for r in _resources(e)]
    ends = (
        "and nothing uses that"
        if safe
        else "which may still be in use"
        if any(link.question for link in links)
        else "which its code still uses"
    )
    mine: list[ResourceId] = [role.id] if role is not None else []
    mine += [p.id for p in programs]
    return Trajectory(
        title=f"{name} may do {_act(grant)} on {_short(grant)} no more, {ends}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="Errors",
        links=(
            trigger(
                f"{_short(grant)} goes from {grant.before.address} ({grant.place.file} line {grant.place.line} before the change)",
                *quote_removed(case, grant.place.file, grant.place.line),
                quote_place(case, grant.place),
            ),
            *links,
        ),
        make_safe=f"Keep {_short(grant)} in the statement, or name there exactly what the code uses.",
        undo="Put the resource back into the statement and apply it; it takes effect within seconds.",
        path=tuple(dict.fromkeys((target, *mine, *cited))),
    )


def _resources(evidence: Evidence) -> Iterator[ResourceId]:
    match evidence.kind:
        case "graph":
            yield from (evidence.source, evidence.target)
        case "metric" | "config" | "log":
            yield evidence.resource
        case _:
            return
