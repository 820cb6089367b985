"""Requests that are sent to a port on which the program does not listen."""

from collections.abc import Iterator

from bot.investigator.asking import config, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.facts.pinned import lacks, pin_of
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import busy, per_second, traffic_of, upstream
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.runtime.listening import ClosedPort, closed_ports

INFO = PlaybookInfo(id="closed-port", question="Does the program listen where requests are sent to?")

_VARIABLES = ("PORT", "SERVER_PORT", "HTTP_PORT", "LISTEN_PORT", "APP_PORT")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a port."""
    for found in case.diff.once(closed_ports):
        program = _program(case, found)
        if program is not None or case.production.read_at is None:
            yield _chain(case, found, program)


def _program(case: Case, found: ClosedPort) -> Resource | None:
    """The one program that runs the file that listens, and that the sender sends to."""
    listening = found.other if found.is_sender_changed else found.changed
    mine = runners(case, listening.file)
    if len(mine) != 1:
        return None
    targets = {
        case.diff.live_of(d)
        for e in case.diff.declared["head"].edges
        if e.source == found.sender.address
        for d in case.diff.declared["head"].resources
        if d.address == e.target
    } - {None}
    is_own = case.diff.live_of(found.sender) == mine[0].id
    return mine[0] if is_own or mine[0].id in targets or (not targets and len(workloads(case)) == 1) else None


def _chain(case: Case, found: ClosedPort, program: Resource | None) -> Trajectory:
    own = program.id if program is not None else case.repository
    name = program.name if program is not None else found.sender.name or "the program"
    line, other = quote_place(case, found.changed), quote_place(case, found.other)
    before = quote_place(case, found.before) if found.before is not None else None
    said = (
        f"requests for {name} go to port {found.sent_to} from now on"
        if found.is_sender_changed
        else f"{name} listens on port {found.listens} from now on"
    )
    variables = (found.variable, *_VARIABLES) if found.variable else _VARIABLES
    pin = pin_of(case, program, *variables) if found.variable or not found.is_sender_changed else None
    absent = lacks(case, program, found.variable) if found.variable else None
    how = f"{found.other.file} line {found.other.line} still {'listens on' if found.is_sender_changed else 'sends to'} {found.listens if found.is_sender_changed else found.sent_to}"
    has_no_effect = pin is not None and pin.is_live and pin.value is not None and not found.is_sender_changed
    open_ports = has_no_effect or (pin is not None and pin.value == str(found.sent_to))
    links: tuple[Link, ...]
    if open_ports and pin is not None:
        refuted = mechanism(
            f"{how}, but `{pin.name}` is {pin.value}", line, refuting=(pin.cited,), refutation=Refutation.UNCHANGED
        )
        links = (trigger(said, line, before), refuted)
    elif not found.is_alone or (pin is not None and pin.value is None) or (found.variable and pin is None and absent is None):
        named = f"`{pin.name if pin is not None else found.variable}`" if found.is_alone else "the other container"
        question = f"Which port does {named} give {name} in production?"
        query = f"list the environment and the containers of {name}; ss -ltn inside of it"
        links = (
            trigger(said, line, before),
            unknown(Role.MECHANISM, how, question, query, line, other),
            _meets(case, program, name),
        )
    else:
        exposed = busy(case, program, config(case, program.id, *sorted(program.attributes))) if program is not None else None
        links = (
            trigger(said, line, before),
            mechanism(how, line, other, absent),
            *((exposed,) if exposed else ()),
            _meets(case, program, name),
        )
    read = [pin.cited.resource] if pin is not None and isinstance(pin.cited, ConfigEvidence) else []
    return Trajectory(
        title=f"{name} listens on {found.listens} while requests go to {found.sent_to}",
        impact=Impact.HIGH,
        resource=ResourceId(own),
        metric="Requests",
        links=links,
        certainty=Certainty.NAME_ABSENT,
        make_safe="Change both sides in one release: the port of the container, of the service and of the check, and what the program listens on.",
        path=tuple(
            dict.fromkeys(
                (ResourceId(own), *read, *(ResourceId(r) for r in (upstream(case, own) if program is not None else ())))
            )
        ),
        undo="Deploy the version before.",
    )


def _meets(case: Case, program: Resource | None, name: str) -> Link:
    claim = f"requests of {name} meet a closed port"
    rates = [traffic_of(case, r) for r in (program.id, *upstream(case, program.id))] if program is not None else []
    rate = next((r for r in rates if r is not None), None)
    if rate is None:
        return unknown(Role.HARM, claim, f"How many requests a second does {name} get?", "requests a second over the last 7 days")
    said = f"up to {per_second(rate.value)} a request of {name} meets a closed port"
    return harm(said, rate, comparison=compare(rate, ">", 0))
