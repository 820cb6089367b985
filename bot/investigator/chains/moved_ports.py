"""The chain of a server whose new image listens on another port than the one that requests are sent to."""

from collections.abc import Iterator

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.pinned import lacks, pin_of
from bot.investigator.facts.runners import declarations_of, runners
from bot.investigator.facts.traffic import busy, per_second, traffic_of
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.dependencies.moved_ports import VARIABLES, MovedPort, moved_ports


def of_moved_ports(case: Case) -> Iterator[Trajectory]:
    """One chain an image."""
    for found in moved_ports(case.diff):
        programs = runners(case, found.place.file)
        yield _chain(case, found, programs[0] if len(programs) == 1 else None)


def _chain(case: Case, found: MovedPort, program: Resource | None) -> Trajectory:
    mine = own_workloads(case)
    own = program.id if program is not None else mine[0].id if mine else ResourceId(case.repository)
    name = program.name if program is not None else "the server"
    image = quote(case, found.place.file, found.place.line)
    sent = quote(case, found.sent_to.file, found.sent_to.line)
    pin = pin_of(case, program, *VARIABLES)
    says = f"from 8 on the image listens on 8080, and {found.sent_to.file} line {found.sent_to.line} still sends to 80"
    links: list[Link] = [trigger(f"{found.old_text} becomes {found.new_text}", image)]
    if pin is not None:
        links.append(mechanism(says, image, refuting=(pin.cited,), refutation=Refutation.UNCHANGED))
    else:
        links += [mechanism(says, image, sent), *_meets(case, found, program, name)]
    return Trajectory(
        title=f"{name} listens on 8080 while requests go to 80",
        impact=Impact.HIGH,
        resource=own,
        metric="Requests",
        certainty=Certainty.NAME_ABSENT,
        links=tuple(links),
        make_safe="Set `ASPNETCORE_HTTP_PORTS=80` in the same change, or send to 8080 everywhere (container, service, health check).",
        path=(own,),
        undo=f"Deploy the version before, with `{found.old_text}`.",
    )


def _meets(case: Case, found: MovedPort, program: Resource | None, name: str) -> tuple[Link, ...]:
    absent = lacks(case, program, *VARIABLES)
    rate = traffic_of(case, program.id) if program is not None else None
    if program is None or absent is None or rate is None or not _is_its_port(case, found, program):
        question = (
            f"Does production give {name} a port of its own ({' or '.join(VARIABLES[:2])}), and which port do requests go to?"
        )
        return (
            unknown(
                Role.EXPOSURE, f"{name} is called on port 80", question, "list the environment and the target group's port", rate
            ),
        )
    claim = f"up to {per_second(rate.value)} a request of {name} meets a closed port"
    return busy(case, program, absent), harm(claim, rate, absent, comparison=compare(rate, ">", 0))


def _is_its_port(case: Case, found: MovedPort, program: Resource) -> bool:
    """Whether the line with port 80 stands in the program's own declaration, beside no container that could be meant instead."""
    at = found.sent_to
    lines = (case.diff.head.text(at.file) or "").split("\n")
    for declared in declarations_of(case, program.id):
        if declared.file == at.file and declared.line <= at.line <= declared.end_line:
            images = [line for line in lines[declared.line - 1 : declared.end_line] if _IMAGE.search(line[:400])]
            return len(images) <= 1
    return False


_IMAGE = pattern(r"^\s*(?:-\s*)?[\"']?image[\"']?\s*[:=]")
