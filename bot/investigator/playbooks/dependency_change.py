"""A library or runtime moves to a version that took away what the code uses."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.chains.base_images import of_new_bases
from bot.investigator.chains.java_too_old import of_old_java
from bot.investigator.chains.moved_ports import of_moved_ports
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import busy, per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import FileEvidence
from gonogo.resource import Place, Relation, Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.dependencies.used import Settled, settled

INFO = PlaybookInfo(id="dependency-change", question="Does what runs use anything that the new version took away?")

_AT_IMPORT = ("the module", "`require(", "the standard library", "the `aws-sdk`")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a version that is known to take something away, and those of a new base."""
    open_bases = set[str]()
    for chain in of_new_bases(case):
        if any(link.question for link in chain.links):
            open_bases |= {e.file for e in chain.links[0].evidence if e.kind == "file"}
        yield chain
    yield from of_moved_ports(case)
    yield from of_old_java(case)
    for found in case.diff.once(settled):
        resource = _resource(case, found)
        if found.uses:
            yield _breaks(case, found, resource)
        elif found.bump.is_runtime and found.bump.place.file in open_bases:
            continue  # the same line has an open question: it is not safe as a whole
        elif found.anchor is not None or found.copes:
            yield _is_fine(case, found, resource)


def _resource(case: Case, found: Settled) -> Resource | None:
    declared = found.bump.declared
    live = case.diff.live_of(declared) if declared is not None else None
    if live is not None:
        return case.production.resource(live)
    place = found.uses[0].place if found.uses else found.anchor or found.bump.place
    own = runners(case, place.file)
    if declared is not None:
        own = tuple(r for r in own if r.kind == declared.kind and declared.name in (None, r.name))
    return own[0] if len(own) == 1 else None


def _breaks(case: Case, found: Settled, resource: Resource | None) -> Trajectory:
    bump, use = found.bump, found.uses[0]
    name = resource.name if resource is not None else "what runs it"
    fails = "does not start" if use.what.what.startswith(_AT_IMPORT) else "fails where it is used"
    lines = _lines(case, *(u.place for u in found.uses[:4]))
    return Trajectory(
        title=f"{bump.label} breaks {name}: {use.what.what} is gone",
        impact=Impact.HIGH,
        resource=_id(case, resource),
        metric="Errors",
        certainty=Certainty.NAME_ABSENT,
        links=(
            _trigger(case, found),
            mechanism(f"{use.place.file} uses {use.what.what}, which {bump.label} has no more: the code {fails}", *lines),
            *_exposed(case, resource, lines[0]),
        ),
        make_safe=f"Move the code to {use.what.instead} in the same change, or stay on `{bump.old_text}` until it is moved.",
        path=(_id(case, resource),),
        undo=f"Deploy the version before, with `{bump.old_text}`.",
    )


def _exposed(case: Case, resource: Resource | None, line: FileEvidence) -> tuple[Link, ...]:
    """Who meets the failure. Where production knows the program but not its traffic, its existence is enough to fail but not to confirm."""
    if resource is None:
        question = "Which deployed program runs this code, and how often is it called?"
        return (
            unknown(
                Role.EXPOSURE,
                "the code runs in production",
                question,
                "kubectl get deploy -A -o wide; aws lambda list-functions --query 'Functions[].[FunctionName,Runtime]'",
            ),
            harm("every call that gets there fails", line),
        )
    rate = traffic_of(case, resource.id) or _arrivals(case, resource.id)
    if rate is None:
        return (
            unknown(
                Role.EXPOSURE,
                f"{resource.name} is called in production",
                f"How often is {resource.name} called?",
                f"requests or invocations of {resource.name} over the last 7 days",
            ),
            harm("every call that gets there fails", line),
        )
    return (
        busy(case, resource),
        harm(
            f"up to {per_second(rate.value)} a call of {resource.name} gets there and fails",
            rate,
            comparison=compare(rate, ">", 0),
        ),
    )


def _arrivals(case: Case, resource: str) -> Reading | None:
    sources = (e.source for e in case.into(resource, Relation.TRIGGERS, Relation.ROUTES_TO, Relation.INVOKES))
    return next((r for source in sources if (r := traffic_of(case, source)) is not None), None)


def _is_fine(case: Case, found: Settled, resource: Resource | None) -> Trajectory:
    bump = found.bump
    name = resource.name if resource is not None else "what runs it"
    places = [u.place for u in found.copes[:3]] or ([found.anchor] if found.anchor is not None else [])
    lines = _lines(case, *places)
    gone = ", ".join(dict.fromkeys(row.what for row in found.rows[:4]))
    kind = Refutation.GUARDED if found.copes else Refutation.NO_LONGER_USED
    return Trajectory(
        title=f"{bump.label} breaks {name}",
        impact=Impact.MEDIUM,
        resource=_id(case, resource),
        metric="Errors",
        links=(
            _trigger(case, found),
            mechanism(
                f"the code still uses something that {bump.label} took away ({gone}{' …' if len(found.rows) > 4 else ''})",
                refuting=(_line(case, found.bump.place), *lines),
                refutation=kind,
            ),
        ),
        make_safe="None needed: the code at head uses nothing that went away, or copes with it.",
        path=(_id(case, resource),),
        undo=f"Deploy the version before, with `{bump.old_text}`.",
    )


def _trigger(case: Case, found: Settled) -> Link:
    bump = found.bump
    return trigger(f"{bump.name} goes from {bump.old_text} to {bump.new_text}", _line(case, bump.place))


def _line(case: Case, place: Place) -> FileEvidence:
    return quote(case, place.file, place.line, side=place.side)


def _lines(case: Case, *places: Place) -> tuple[FileEvidence, ...]:
    return tuple(dict.fromkeys(_line(case, place) for place in places))


def _id(case: Case, resource: Resource | None) -> ResourceId:
    if resource is not None:
        return resource.id
    mine = own_workloads(case)
    return mine[0].id if mine else ResourceId(case.repository)
