"""A client moves to another endpoint of another service: whether what runs of that service answers there."""

from collections.abc import Iterator, Sequence
from typing import cast

from bot.investigator.asking import Reading, edge, lists_name, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.route_calls import Calls, calls_at, patterns_of
from bot.investigator.facts.runners import is_workload, runners
from bot.investigator.facts.traffic import lines_like, per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.code.endpoints.route import normal
from heuristics.limits.changed import words_of
from heuristics.surface.moved_calls import MovedCall, moved_calls

INFO = PlaybookInfo(id="moved-call", question="Does what runs of the called service answer at the new path?")

_CALLS = (Relation.INVOKES, Relation.CONNECTS_TO, Relation.DEPENDS_ON, Relation.ROUTES_TO)
_ROUTES = ("routes", "endpoints", "paths", "http_routes", "api_routes")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every call that moves and is made in production."""
    for moved in case.diff.once(moved_calls):
        for own in runners(case, moved.file):
            target = _called(case, moved, own)
            chain = _chain(case, moved, own, target) if target is not None else None
            if chain is not None:
                yield chain
                break


def _called(case: Case, moved: MovedCall, own: Resource) -> Resource | None:
    """The program that the client is of: the only one that its own calls, else the one whose name the file or its text says."""
    ends = dict.fromkeys(e.target for e in case.out_of(own.id, *_CALLS) if e.target != own.id)
    programs = [r for end in ends if (r := case.production.resource(end)) is not None and is_workload(r.kind)]
    if len(programs) == 1:
        return programs[0]
    said = set(words_of(moved.file.rpartition("/")[2]))
    named = [r for r in programs if set(words_of(r.name)) & (said - _PLAIN)]
    return named[0] if len(named) == 1 else None


_PLAIN = frozenset(
    words_of("client clients api service services gateway adapter http rest rb py ts js go java kt cs php rs main index app")
)


def _chain(case: Case, moved: MovedCall, own: Resource, target: Resource) -> Trajectory | None:
    before = calls_at(case, target, moved.old, _methods(moved.before.method))
    rate = before.counted.peak if before.counted is not None else traffic_of(case, own.id)
    if rate is None or rate.value <= 0:
        return None  # nothing says that the call is made
    last = _answer(case, moved, target, rate)
    line = quote_place(case, moved.place)
    joined = next((e for e in case.out_of(own.id, *_CALLS) if e.target == target.id), None)
    is_served = bool(last.refuting)
    return Trajectory(
        title=f"{own.name} calls {moved.label} of {target.name}, " + ("which answers there" if is_served else "which may not answer there yet"),
        impact=Impact.LOW if is_served else Impact.HIGH,
        resource=own.id,
        metric="http_requests",
        links=(
            trigger(
                f"{own.name} calls {moved.label} instead of {moved.before.path}", line, *quote_removed(case, moved.file, moved.before.line)[:1]
            ),
            mechanism(
                f"{target.name}, which is deployed by itself, must serve {moved.label} before {own.name} calls it", line,
                edge(case, joined.source, joined.target, joined.relation) if joined is not None else None,
            ),
            exposure(f"the call is made up to {per_second(rate.value)}", rate, comparison=compare(rate, ">", 0)),
            last,
        ),
        make_safe=f"Ask {moved.label} of {target.name} in production first, or merge after the version that serves it is out.",
        path=(own.id, ResourceId(target.id)),
        undo="Deploy the version before.",
    )  # fmt: skip


def _answer(case: Case, moved: MovedCall, target: Resource, rate: Reading) -> Link:
    """What says that the path is served, or that it is not; else the question."""
    claim = f"{target.name} has no {moved.label}, so every such call fails"
    now = calls_at(case, target, moved.new, _methods(moved.after.method))
    if now.counted is not None and now.counted.total > 0:
        return harm(f"{claim}; it answers {per_second(now.counted.peak.value)} there already", refuting=(now.counted.peak,))
    answered = _answered(case, moved, now)
    if answered is not None:
        return answered
    listed = _listed(case, moved, target)
    if listed is not None and listed.absent:
        return harm(f"{claim}: it is not among its routes", rate, listed, comparison=compare(rate, ">", 0))
    if listed is not None:
        return harm(f"{claim}; it is among its routes", refuting=(listed,))
    question = f"Does the deployed {target.name} serve {moved.label}?"
    query = f"curl -sS -o /dev/null -w '%{{http_code}}' -X OPTIONS http://{target.name}{moved.after.path}"
    return unknown(Role.HARM, claim, question, query, rate)


def _answered(case: Case, moved: MovedCall, now: Calls) -> Link | None:
    """Lines of the access log with a success at the new path."""
    for shown in patterns_of(moved.new, _methods(moved.after.method)):
        lines = lines_like(case, now.resource.id, rf"{shown}.*(?:status[=:\" ]+|\s)2\d\d\b")
        if lines is not None:
            return harm(
                f"{now.resource.name} has no {moved.label}; {lines.count} sampled calls of it succeeded", refuting=(lines,)
            )
    return None


def _listed(case: Case, moved: MovedCall, target: Resource) -> ConfigEvidence | None:
    """Whether the live list of the routes of the service has the path, in any spelling of its parameters.

    It proves that a path is absent only when it names the old one: a list of prefixes or hosts is not whole.
    """
    for key in _ROUTES:
        routes = target.attributes.get(key)
        texts = [t for t in cast("Sequence[object]", routes) if isinstance(t, str)] if isinstance(routes, list | tuple) else []
        if not texts:
            continue
        same = next((t for t in texts if _is_route(t, moved.new.path, moved.after.method)), None)
        if same is not None:
            return lists_name(case, target.id, key, same)
        is_whole = any(_is_route(t, moved.old.path, moved.before.method) for t in texts) and not any("*" in t for t in texts)
        return lists_name(case, target.id, key, moved.label) if is_whole else None
    return None


def _is_route(text: str, wanted: str, verb: str) -> bool:
    method, _, path = text.strip().rpartition(" ")
    return normal(path) == wanted and (not method or not verb or method.upper() in (verb, "ANY", "*"))


def _methods(method: str) -> tuple[str, ...]:
    return (method,) if method else ()
