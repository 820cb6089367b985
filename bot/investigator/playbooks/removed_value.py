"""An enumeration of the code loses a member that rows or messages may still hold."""

# ruff: noqa: S608 (a query for people to run; nothing here is executed)

from collections.abc import Iterator

from bot.investigator.asking import log_count, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import mechanism, trigger, unknown
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import busy
from bot.investigator.playbook import PlaybookInfo
from gonogo.trajectory import Impact, Role, Trajectory
from heuristics.surface.enum_values import LostValue, lost_values

INFO = PlaybookInfo(id="removed-value", question="Does anything that is stored or sent still hold the value?")

_MOST = 5


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a value: which rows hold it is seldom read, so it stays a question."""
    for lost in case.diff.once(lost_values)[:_MOST]:
        yield _chain(case, lost)


def _chain(case: Case, lost: LostValue) -> Trajectory:
    programs = runners(case, lost.maker.file)
    program = programs[0] if len(programs) == 1 else None
    made = quote(case, lost.maker.file, lost.maker.line)
    seen = log_count(case, program.id, rf"(?i)\b{lost.column}\W{{1,4}}{lost.value}\b") if program is not None else None
    claim = f"reading a row or message with {lost.value!r} fails: {lost.enumeration} has no such member any more"
    query = f"SELECT count(*) FROM the_table WHERE {lost.column} = '{lost.value}'"
    links = [
        trigger(f"{lost.enumeration} loses {lost.member}", *quote_removed(case, lost.place.file, lost.place.line)),
        mechanism(f"{lost.maker.file} line {lost.maker.line} makes {lost.enumeration} out of a value from outside", made),
    ]
    if program is not None:
        links.append(busy(case, program, made))
    links.append(unknown(Role.HARM, claim, f"How many rows still hold {lost.value!r}?", query, made, seen))
    return Trajectory(
        title=f"{lost.enumeration} no longer knows {lost.value!r}, which may still be stored",
        impact=Impact.MEDIUM,
        resource=program.id if program is not None else case.repository,
        metric="Errors",
        links=tuple(links),
        make_safe=f"Count what holds {lost.value!r} and change it first; or keep the member, marked as out of use, until nothing does.",
        undo="Put the member back and deploy.",
        path=(program.id,) if program is not None else (),
    )
