"""The report for a terminal."""

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bot.report.advice import prose_and_code
from bot.report.citations import LinkCitations, citations_of, refuting_citations
from bot.report.evidence_text import of_what
from bot.report.live_text import live_citation, live_text
from bot.report.numbers import compared
from bot.report.shown import finished, shown
from bot.report.summary import (
    IMPACTS,
    UNREAD_PRODUCTION,
    accepted_because,
    accepted_findings,
    counted,
    first_line,
    lifted,
    open_questions,
    refuting_claim,
    unread,
    untold,
)
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import Outcome
from gonogo.trajectory import Link, Status
from gonogo.verdict import LedgerEntry, Verdict

_COLOURS = {Status.CONFIRMED: "bold red", Status.PLAUSIBLE: "yellow", Status.REFUTED: "green"}
MAX_FINDINGS = 20
MAX_GAPS = 20
MAX_AGAINST = 3


def text_report(evaluation: Evaluation, *, width: int = 110, colour: bool = False) -> str:
    """The whole report as terminal text; escape codes only with `colour`."""
    evaluation = shown(evaluation)
    out = StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, color_system="standard" if colour else None,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    _head(console, evaluation)
    _live(console, evaluation)
    ranked = evaluation.ranked()
    for entry in (e for e in ranked if e.status is not Status.REFUTED and not e.is_lifted):
        _entry(console, entry)
    _go_if(console, evaluation)
    if evaluation.production == "none" and any(e.status is Status.PLAUSIBLE and not e.is_lifted for e in ranked):
        console.print(Text(f"\n{UNREAD_PRODUCTION}"))
    refuted = [e for e in ranked if e.status is Status.REFUTED]
    if refuted:
        console.print(Text("\nLooked at and refuted", "bold"))
        for entry in refuted:
            _refuted(console, entry)
    _accepted(console, evaluation)
    _findings(console, evaluation)
    _not_looked_at(console, evaluation)
    return finished("".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines()))


def _head(console: Console, evaluation: Evaluation) -> None:
    line = first_line(evaluation)
    colour = "bold red" if evaluation.verdict is Verdict.NO_GO else "bold green" if evaluation.verdict else "bold yellow"
    head = Text(line, colour)
    head.append(f"   {evaluation.repository} {evaluation.base[:8]}..{evaluation.head[:8]}", "dim")
    console.print(head, soft_wrap=True)
    console.print(Padding(Text(evaluation.summary), (0, 0, 0, 2)))
    if evaluation.conclusion is Conclusion.EVALUATED:
        source = f"production: {evaluation.production}"
        if evaluation.read_at:
            source += f" of {evaluation.read_at:%Y-%m-%d %H:%M} UTC"
        resources = counted(len(evaluation.affected), "affected resource")
        files = f"{evaluation.coverage.files_read} of {counted(evaluation.coverage.files_changed, 'changed file')} read"
        console.print(Padding(Text(f"{files}, {resources}, {source}", "dim"), (0, 0, 0, 2)))
    if any(v.outcome is Outcome.HOLDS for e in evaluation.ledger if e.status is not Status.REFUTED for v in e.verifications):
        console.print(Padding(Text("each [n] below was read again at its source, and holds", "dim"), (0, 0, 0, 2)))
    for note in evaluation.notes:
        console.print(Padding(Text(f"note: {note}", "dim"), (0, 0, 0, 2)))


def _live(console: Console, evaluation: Evaluation) -> None:
    if not evaluation.live:
        return
    console.print(Text("\nProduction is not settled right now", "bold"))
    for note in evaluation.live:
        console.print(Padding(Text(live_text(note)), (0, 0, 0, 2)))
        console.print(Padding(Text(live_citation(note), "dim"), (0, 0, 0, 4)))


def _go_if(console: Console, evaluation: Evaluation) -> None:
    if not evaluation.go_if:
        return
    console.print(Text("\nGo if" + (" one of these is done" if len(evaluation.go_if) > 1 else ""), "bold"))
    for way in evaluation.go_if:
        console.print(Padding(_advice(way.says), (0, 0, 0, 2)))


def _entry(console: Console, entry: LedgerEntry) -> None:
    trajectory = entry.trajectory
    console.print()
    title = Text(entry.status.value, _COLOURS[entry.status])
    title.append(f"  {trajectory.title}", "bold")
    console.print(title)
    what = (
        f"{trajectory.impact.value} impact: {IMPACTS[trajectory.impact]}; watch {trajectory.metric}{of_what(trajectory.resource)}"
    )
    console.print(Padding(Text(what, "dim"), (0, 0, 0, 2)))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for link, cited in zip(trajectory.links, citations_of(entry), strict=True):
        grid.add_row(link.role.value, _link(link, cited))
    if entry.accepted is not None:
        grid.add_row(Text("accepted", "bold"), Text(accepted_because(entry.accepted)))
    grid.add_row(Text("make safe", "bold"), _advice(trajectory.make_safe))
    if trajectory.undo:
        grid.add_row(Text("to undo", "bold"), _advice(trajectory.undo))
    if entry.status is Status.PLAUSIBLE:
        for asked, query in open_questions(entry):
            settle = Text("\n".join(asked), "yellow")
            settle.append(f"\n{query}" if query else "", "cyan")
            grid.add_row(Text("to settle", "bold"), settle)
    console.print(Padding(grid, (0, 0, 0, 2)))


def _link(link: Link, cited: LinkCitations) -> Text:
    text = Text(link.claim)
    if link.question:
        text.append("  (not settled)", "yellow")
    if note := compared(link):
        text.append(f"  ({note})", "bold")
    if cited.refers:
        text.append(f" {cited.refers}", "dim")
    for citation in cited.shown:
        against = "against: " if citation.is_against else ""
        text.append(f"\n[{citation.number}] {against}{citation.text}", "dim")
    return text


def _advice(text: str) -> Text:
    """A sentence of ours; code in it stands on lines of its own."""
    said = Text()
    for part, is_code in prose_and_code(text):
        lines = [f"    {line}" for line in part.splitlines()] if is_code else [part]
        said.append(("\n" if said else "") + "\n".join(lines), "cyan" if is_code else "")
    return said


def _refuted(console: Console, entry: LedgerEntry) -> None:
    console.print(Padding(Text(entry.trajectory.title), (0, 0, 0, 2)))
    console.print(Padding(Text(refuting_claim(entry), "dim"), (0, 0, 0, 4)))
    for line in refuting_citations(entry)[:MAX_AGAINST]:
        console.print(Padding(Text(f"✓ {line.text}", "dim"), (0, 0, 0, 4)))


def _accepted(console: Console, evaluation: Evaluation) -> None:
    entries, findings = lifted(evaluation), accepted_findings(evaluation)
    if not entries and not findings:
        return
    console.print(Text("\nAccepted", "bold"))
    for entry in entries:
        console.print(Padding(Text(f"{entry.status.value}: {entry.trajectory.title}"), (0, 0, 0, 2)))
        if entry.accepted is not None:
            console.print(Padding(Text(accepted_because(entry.accepted), "dim"), (0, 0, 0, 4)))
    for finding in findings[:MAX_FINDINGS]:
        where = f"{finding.file}:{finding.line}" + ("" if finding.side == "head" else " (before)")
        said = accepted_because(finding.accepted) if finding.accepted else ""
        console.print(Padding(Text.assemble((f"{where}  ", "dim"), f"{finding.rule}: {said}"), (0, 0, 0, 2)))
    if len(findings) > MAX_FINDINGS:
        console.print(Padding(Text(f"and {len(findings) - MAX_FINDINGS} more in the JSON report", "dim"), (0, 0, 0, 2)))


def _findings(console: Console, evaluation: Evaluation) -> None:
    findings = untold(evaluation)
    if not findings:
        return
    console.print(Text("\nOther signals in the diff" if evaluation.ledger else "\nSignals in the diff", "bold"))
    for finding in findings[:MAX_FINDINGS]:
        where = f"{finding.file}:{finding.line}" + ("" if finding.side == "head" else " (before)")
        console.print(Padding(Text.assemble((f"{where}  ", "dim"), finding.message, (f"  {finding.rule}", "dim")), (0, 0, 0, 2)))
    if len(findings) > MAX_FINDINGS:
        console.print(Padding(Text(f"and {len(findings) - MAX_FINDINGS} more in the JSON report", "dim"), (0, 0, 0, 2)))


def _not_looked_at(console: Console, evaluation: Evaluation) -> None:
    gaps = unread(evaluation)
    if not gaps:
        return
    console.print(Text("\nNot looked at", "bold"))
    for gap in gaps[:MAX_GAPS]:
        console.print(Padding(Text(f"{gap.what}: {gap.why}" if gap.what not in gap.why else gap.why), (0, 0, 0, 2)))
    if len(gaps) > MAX_GAPS:
        console.print(Padding(Text(f"and {len(gaps) - MAX_GAPS} more in the JSON report", "dim"), (0, 0, 0, 2)))
