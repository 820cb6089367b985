"""What is read in a minute: each trajectory with its proof; folded, what was refuted, forecast, accepted, seen, and not looked at."""

from collections.abc import Callable, Iterator, Sequence

from bot.report.forecast_text import forecast_line
from bot.report.links import Links
from bot.report.neutral import code, escaped, html_escaped, prose
from bot.report.proof import advice_lines, trajectory_head, trajectory_lines
from bot.report.sections import Section, section
from bot.report.summary import (
    UNREAD_PRODUCTION,
    accepted_because,
    accepted_findings,
    counted,
    lifted,
    refuting_claim,
    unread,
    untold,
)
from gonogo.context import Gap
from gonogo.evaluation import Conclusion, Coverage, Evaluation
from gonogo.finding import Finding
from gonogo.trajectory import Status, trajectory_id
from gonogo.verdict import LedgerEntry

MAX_ITEMS = 50
UNFOLDED = 3
"""Chains that are shown unfolded; the proof of the others is a click away."""
IN_FULL, IN_SHORT = 8, 60
"""Trajectories of a kind that are written out, and those of which what decides is; the others are counted."""


def trajectory_sections(evaluation: Evaluation, links: Links, *, may_acknowledge: bool = False) -> Iterator[Section]:
    """Those that block, then those that could not be settled. With `may_acknowledge` each says how it is taken knowingly."""
    blockers = evaluation.blockers()
    is_told = {id(e) for e in blockers}
    open_risks = [e for e in evaluation.ranked() if e.status is Status.PLAUSIBLE and not e.is_lifted and id(e) not in is_told]
    for at, entry in enumerate(blockers[:IN_SHORT]):
        told = ["", _acknowledging(trajectory_id(entry.trajectory))] if may_acknowledge else []
        head = [*trajectory_head(entry, links), "", *advice_lines("To make this safe", entry.trajectory.make_safe), *told]
        whole = [*trajectory_lines(entry, links, is_open=at < UNFOLDED, is_led=at == 0), *told] if at < IN_FULL else head
        yield section(whole, 2 + (at > 0), short=told if at == 0 else head)
    if (more := len(blockers) - IN_SHORT) > 0:
        yield section([f"_And {counted(more, 'more risk')} that {'blocks' if more == 1 else 'block'} it._"], 2)
    if open_risks and blockers:
        yield section([f"### {counted(len(open_risks), 'risk')} that could not be settled"], 4)
    if open_risks and evaluation.production == "none":
        yield section([prose(UNREAD_PRODUCTION.replace("--production FOLDER", "`--production FOLDER`"))], 4)
    for at, entry in enumerate(open_risks[:IN_SHORT]):
        is_led = at == 0 and not blockers
        head = list(trajectory_head(entry, links, is_titled=not is_led))
        is_open = not blockers and at < UNFOLDED
        whole = list(trajectory_lines(entry, links, is_open=is_open, is_led=is_led)) if at < IN_FULL else head
        yield section(whole, 4 + (at > 0), short=head)
    if (more := len(open_risks) - IN_SHORT) > 0:
        yield section([f"_And {counted(more, 'more risk')} that could not be settled._"], 4)


def folded_sections(evaluation: Evaluation, links: Links) -> Iterator[Section]:
    """A click away each."""
    refuted = [e for e in evaluation.ranked() if e.status is Status.REFUTED]
    if refuted:
        said = f"{counted(len(refuted), 'suspicion')} looked at and refuted"
        yield folded(said, refuted, lambda e: f"**{escaped(e.trajectory.title)}**: {prose(refuting_claim(e))}", 6)
    if taken := [*lifted(evaluation), *accepted_findings(evaluation)]:
        yield folded(f"{len(taken):,} accepted", taken, lambda one: _accepted(one, links), 5)
    if evaluation.forecasts:
        yield folded(
            f"{counted(len(evaluation.forecasts), 'forecast')} of the coming day", evaluation.forecasts, forecast_line, 7
        )
    if signals := untold(evaluation):
        said = counted(len(signals), "other signal") + " in the diff"
        yield folded(said, signals, lambda f: f"{links.to(f.file, f.line, side=f.side)} {prose(f.message)} ({code(f.rule)})", 8)
    if gaps := unread(evaluation):
        yield folded(counted(len(gaps), "thing") + " not looked at", gaps, lambda g: prose(_gap(g)), 5)
    if notes := evaluation.notes:
        yield folded(counted(len(notes), "note"), notes, prose, 8)


def folded[T](summary: str, items: Sequence[T], line: Callable[[T], str], weight: int) -> Section:
    """A list behind its heading; where it does not fit, the heading alone."""
    more = [f"- and {len(items) - MAX_ITEMS} more"] if len(items) > MAX_ITEMS else []
    listed = [f"- {line(item)}" for item in items[:MAX_ITEMS]]
    head = html_escaped(summary)
    lines = [f"<details><summary>{head}</summary>", "", *listed, *more, "", "</details>"]
    return section(lines, weight, short=[f"_{head}._"])


def _gap(gap: Gap) -> str:
    return f"{gap.what}: {gap.why}" if gap.what not in gap.why else gap.why


def coverage_section(evaluation: Evaluation) -> Section | None:
    """What was looked at, in a line."""
    if evaluation.conclusion is not Conclusion.EVALUATED:
        return None
    read = "production not read"
    if evaluation.read_at:
        read = f"production as of {evaluation.read_at:%Y-%m-%d %H:%M} UTC ({escaped(evaluation.production)}{_answered(evaluation.coverage)})"
    said = ", ".join(_covered(evaluation.coverage))
    return section([f"{evaluation.base[:8]}..{evaluation.head[:8]}: {said}, {read}."], 3)


def _covered(covered: Coverage) -> Iterator[str]:
    yield f"read {covered.files_read:,}/{counted(covered.files_changed, 'file')}"
    if covered.patches_rebuilt:
        yield f"{counted(covered.patches_rebuilt, 'patch').replace('patchs', 'patches')} rebuilt"
    if covered.binaries_not_read:
        yield f"{counted(covered.binaries_not_read, 'binary').replace('binarys', 'binaries')} not readable"
    if covered.submodules_not_read:
        yield f"{counted(covered.submodules_not_read, 'submodule')} not read"
    yield f"{covered.resources_mapped:,} of {counted(covered.resources_touched, 'touched resource')} mapped"
    if covered.statements_not_analysed:
        yield f"{counted(covered.statements_not_analysed, 'migration statement')} not analysed"


def _answered(covered: Coverage) -> str:
    """What the sources of telemetry gave."""
    found = covered.telemetry
    counts = (
        (found.resources, "configuration"), (found.series, "metric"), (found.log_lines, "log line"), (found.databases, "database"),
        (found.deploys, "deploy"), (found.alarms, "alarm"),
    )  # fmt: skip
    said = [counted(count, what) for count, what in counts if count]
    return f": {', '.join(said)}" if said else ": no telemetry"


def _acknowledging(name: str) -> str:
    return f"To take this risk knowingly, comment `/gonogo ack {name} <reason>` (write access; it ends with the next change)."


def _accepted(one: LedgerEntry | Finding, links: Links) -> str:
    because = prose(accepted_because(one.accepted)) if one.accepted is not None else ""
    if isinstance(one, LedgerEntry):
        return f"**{escaped(one.trajectory.title)}** ({one.status.value}): {because}"
    return f"{links.to(one.file, one.line, side=one.side)} {code(one.rule)}: {because}"
