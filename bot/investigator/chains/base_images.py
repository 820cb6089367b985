"""Chains of a program that gets another base: what OpenSSL 3 refuses, and binaries built against a newer C library."""

from collections.abc import Iterator

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import busy, per_second, traffic_of
from gonogo.evidence import FileEvidence
from gonogo.resource import Declared, Place, Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.dependencies.base_breaks import Concerned, NewerLibc, concerned, newer_libc


def of_new_bases(case: Case) -> Iterator[Trajectory]:
    """One chain for everything that a new base refuses and the code may need, and one a binary that may not start."""
    for found in case.diff.once(concerned):
        yield _refused(case, found)
    for found in newer_libc(case.diff):
        yield _does_not_start(case, found)


def _program(case: Case, place: Place, declared: Declared | None = None) -> Resource | None:
    live = case.diff.live_of(declared) if declared is not None else None
    if live is not None:
        return case.production.resource(live)
    found = runners(case, place.file)
    return found[0] if len(found) == 1 else None


def _refused(case: Case, found: Concerned) -> Trajectory:
    change, row = found.change, found.row
    program = _program(case, found.place, change.declared)
    own, name = _id(case, program), program.name if program is not None else "what runs it"
    line = _line(case, found.place)
    says = f"{found.place.file} line {found.place.line} asks for {row.what}, which {change.by} refuses as it comes"
    if found.coping is not None:
        links: tuple[Link, ...] = (mechanism(says, line, refuting=(_line(case, found.coping),), refutation=Refutation.GUARDED),)
    else:
        links = (mechanism(says, line), _exposed(case, program, line), _harm(case, found, program, line))
    return Trajectory(
        title=f"{change.what} under {name}: {row.what} may stop to work",
        impact=Impact.MEDIUM,
        resource=own,
        metric="Errors",
        certainty=Certainty.NAME_ABSENT if row.is_certain else None,
        links=(trigger(f"{change.old_text} becomes {change.new_text}: {change.what}", _line(case, change.place)), *links),
        make_safe=f"Try it from the new image before the merge; keep `{change.old_text}` until then. Needed is {row.instead}.",
        path=(own,),
        undo=f"Deploy the version before, with `{change.old_text}`.",
    )


def _exposed(case: Case, program: Resource | None, line: FileEvidence) -> Link:
    if program is None:
        return unknown(
            Role.EXPOSURE,
            "the code runs in production",
            "Which deployed program runs this code?",
            "kubectl get deploy -A -o wide",
        )
    return busy(case, program, line)


def _harm(case: Case, found: Concerned, program: Resource | None, line: FileEvidence) -> Link:
    rate = traffic_of(case, program.id) if program is not None else None
    if found.row.is_certain and rate is not None and program is not None:
        claim = f"up to {per_second(rate.value)} a call of {program.name} gets there and fails"
        return harm(claim, rate, line, comparison=compare(rate, ">", 0))
    question = found.row.question.replace("{file}", found.place.file)
    return unknown(Role.HARM, f"what needs {found.row.what} fails from the first call on", question, found.row.query, rate)


def _does_not_start(case: Case, found: NewerLibc) -> Trajectory:
    program = _program(case, found.place)
    own, name = _id(case, program), program.name if program is not None else "what runs it"
    line, runs = _line(case, found.place), quote(case, found.place.file, found.runs_on.line)
    kinds = (
        f"{found.built_on.libc} and runs on {found.runs_on.libc}"
        if found.is_other_kind
        else f"glibc {_dotted(found.built_on.glibc)} and runs on glibc {_dotted(found.runs_on.glibc)}"
    )
    return Trajectory(
        title=f"{name} may not start: it is built on {kinds}",
        impact=Impact.MEDIUM,
        resource=own,
        metric="Errors",
        links=(
            trigger(f"the binary is built on {found.built_on.image} and copied to {found.runs_on.image}", line, runs),
            mechanism(f"it is linked to the C library that it is built with: {kinds}", line, runs),
            exposure(f"{program.name} is deployed", line) if program is not None else _exposed(case, None, line),
            unknown(
                Role.HARM,
                "the new version stops at once where the binary asks for a symbol that is not there",
                "Does the new image start, and which GLIBC versions does its binary ask for?",
                "docker run --rm IMAGE --version; objdump -T BINARY | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -1",
            ),
        ),
        make_safe="Build on the release that the program runs on, or link it statically.",
        path=(own,),
        undo="Deploy the version before.",
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _line(case: Case, place: Place) -> FileEvidence:
    return quote(case, place.file, place.line, side=place.side)


def _id(case: Case, program: Resource | None) -> ResourceId:
    if program is not None:
        return program.id
    mine = own_workloads(case)
    return mine[0].id if mine else ResourceId(case.repository)
