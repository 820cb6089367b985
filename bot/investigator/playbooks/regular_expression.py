"""A regular expression that backtracks without end, on input that requests bring."""

from collections.abc import Iterator

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.driving_texts import STEPS_A_SECOND, Driving, driving_text
from bot.investigator.facts.hot_paths import path_rate
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.patterns.added import AddedPattern, added_patterns

INFO = PlaybookInfo(id="regular-expression", question="Do requests bring text on which the pattern backtracks without end?")

_SELDOM = 1 / 3600
"""Requests a second below which a path is as good as unused."""
_LONG_S = 2.0
"""Seconds of a busy core, by a lower bound, from which one text holds up what shares its thread."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a catastrophic pattern of production code."""
    for found in case.diff.once(added_patterns):
        yield _chain(case, found)


def _chain(case: Case, found: AddedPattern) -> Trajectory:
    resource, reach, rate = path_rate(case, found.place.file, found.place.line, name=found.name)
    mine = own_workloads(case)
    own = resource.id if resource is not None else mine[0].id if mine else ResourceId(case.repository)
    name = resource.name if resource is not None else "the program"
    line = quote(case, found.place.file, found.place.line)
    label = reach.label or "the code that uses it"
    shown = found.pattern if len(found.pattern) <= 80 else f"{found.pattern[:77]}…"
    guard = quote(case, found.guard.file, found.guard.line) if found.guard is not None else None
    is_idle = rate is not None and rate.most < _SELDOM
    driving = driving_text(case, resource.id, found) if resource is not None and guard is None and not is_idle else None
    if driving is not None and driving.steps / STEPS_A_SECOND[found.language] <= _LONG_S:
        driving = None
    wording = "one text of a few dozen characters that fails at its end is tried in exponentially many ways"
    return Trajectory(
        title=f"One request can stop {name}: `{shown}` backtracks without end",
        impact=Impact.HIGH if driving is not None else Impact.MEDIUM,
        resource=own,
        metric="CPUUtilization",
        links=(
            trigger(f"the pattern `{shown}` is added", line),
            mechanism(wording, line, refuting=(guard,) if guard is not None else (), refutation=Refutation.GUARDED if guard is not None else None),
            exposure(f"{label} is called {per_second(rate.peak.value)} at the peak", rate.peak, comparison=None if is_idle else compare(rate.peak, ">", 0))
            if rate is not None
            else exposure(f"{label} meets such texts: the log has them", driving.cited)
            if driving is not None
            else unknown(Role.EXPOSURE, f"{label} meets text from outside", f"How often is {label} called, and with whose text?", "requests a second of the route over the last 7 days"),
            harm(f"{label} is called more than once an hour", rate.peak, comparison=compare(rate.most, ">", _SELDOM, "1/s"))
            if rate is not None and is_idle
            else _driven(name, driving, STEPS_A_SECOND[found.language])
            if driving is not None
            else _harm(name, label),
        ),
        make_safe="Write it without nested or overlapping repetition (`^[a-z]+(-[a-z]+)*$`), check the length first, or use an engine without backtracking (`re2`).",
        path=(own,),
        undo="Deploy the version before, and restart what hangs.",
    )  # fmt: skip


def _driven(name: str, driving: Driving, speed: float) -> Link:
    shown = driving.text if len(driving.text) <= 60 else f"{driving.text[:57]}…"
    seconds = driving.steps / speed
    claim = (
        f"the log has `{shown}` in {driving.cited.count:,} of its sampled lines: {driving.steps:.2g} steps before it fails, "
        f"so a core of {name} is busy with one such request for {seconds:,.2g} s or longer, and what shares its thread waits"
    )
    return harm(claim, driving.cited, comparison=compare(round(seconds, 3), ">", _LONG_S, "s"))


def _harm(name: str, label: str) -> Link:
    return unknown(
        Role.HARM,
        f"such a text keeps a core of {name} busy, and what shares its thread or event loop waits",
        f"Which texts reach {label}: how long are they, and does anyone send ones that almost match?",
        "sample the values that were rejected, with their length, and the longest request of the route",
    )
