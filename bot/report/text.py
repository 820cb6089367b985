"""The report for a terminal."""

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bot.report.evidence_text import evidence_text, short
from bot.report.printable import printable
from bot.report.summary import comparison_text, counted, first_line, refuting_claim
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import Outcome
from gonogo.finding import Finding
from gonogo.trajectory import Link, Status
from gonogo.verdict import LedgerEntry, Verdict

_COLOURS = {Status.CONFIRMED: "bold red", Status.PLAUSIBLE: "yellow", Status.REFUTED: "green"}
MAX_FINDINGS = 20
MAX_GAPS = 20


def text_report(evaluation: Evaluation, *, width: int = 110, colour: bool = False) -> str:
    """The whole report as terminal text; escape codes only with `colour`."""
    evaluation = printable(evaluation)
    out = StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, no_color=not colour, color_system="standard" if colour else None,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    _head(console, evaluation)
    ranked = evaluation.ranked()
    for entry in (e for e in ranked if e.status is not Status.REFUTED):
        _entry(console, entry)
    refuted = [e for e in ranked if e.status is Status.REFUTED]
    if refuted:
        console.print(Text("\nLooked at and refuted", "bold"))
        for entry in refuted:
            _refuted(console, entry)
    _findings(console, evaluation.findings)
    _not_looked_at(console, evaluation)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


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
    for note in evaluation.notes:
        console.print(Padding(Text(f"note: {note}", "dim"), (0, 0, 0, 2)))


def _entry(console: Console, entry: LedgerEntry) -> None:
    trajectory = entry.trajectory
    console.print()
    title = Text(entry.status.value, _COLOURS[entry.status])
    title.append(f"  {trajectory.title}", "bold")
    console.print(title)
    console.print(
        Padding(
            Text(f"{trajectory.impact.value} impact on {trajectory.metric} of {short(trajectory.resource)}", "dim"), (0, 0, 0, 2)
        )
    )
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for link in trajectory.links:
        grid.add_row(link.role.value, _link(link, entry))
    console.print(Padding(grid, (0, 0, 0, 2)))
    console.print(Padding(Text.assemble(("make it safe  ", "bold"), trajectory.make_safe), (0, 0, 0, 2)))
    if trajectory.undo:
        console.print(Padding(Text.assemble(("to undo  ", "bold"), trajectory.undo), (0, 0, 0, 2)))


def _link(link: Link, entry: LedgerEntry) -> Text:
    text = Text(link.claim)
    if link.comparison:
        text.append(f"  [{comparison_text(link.comparison)}]", "bold")
    held = [v for v in entry.verifications if v.outcome is Outcome.HOLDS]
    for verification in held:
        if verification.evidence in link.evidence:
            text.append(f"\n✓ {evidence_text(verification.evidence)}", "dim")
    for verification in held:
        if verification.evidence in link.refuting:
            text.append(f"\n✗ {evidence_text(verification.evidence)}", "dim")
    if link.question:
        text.append(f"\n? {link.question}", "yellow")
    if link.query:
        text.append(f"\n  {link.query}", "cyan")
    return text


def _refuted(console: Console, entry: LedgerEntry) -> None:
    console.print(Padding(Text.assemble((entry.trajectory.title, ""), (f"  {refuting_claim(entry)}", "dim")), (0, 0, 0, 2)))
    against = [v for v in entry.verifications if v.outcome is Outcome.HOLDS and _speaks_against(entry, v.evidence)]
    for verification in against[:2]:
        console.print(Padding(Text(f"✓ {evidence_text(verification.evidence)}", "dim"), (0, 0, 0, 4)))


def _speaks_against(entry: LedgerEntry, evidence: object) -> bool:
    return any(
        evidence in link.refuting or (link.comparison is not None and not link.comparison.holds() and evidence in link.evidence)
        for link in entry.trajectory.links
    )


def _findings(console: Console, findings: tuple[Finding, ...]) -> None:
    if not findings:
        return
    console.print(Text("\nSignals in the diff", "bold"))
    for finding in findings[:MAX_FINDINGS]:
        where = f"{finding.file}:{finding.line}" + ("" if finding.side == "head" else " (before)")
        console.print(Padding(Text.assemble((f"{where}  ", "dim"), finding.message, (f"  {finding.rule}", "dim")), (0, 0, 0, 2)))
    if len(findings) > MAX_FINDINGS:
        console.print(Padding(Text(f"and {len(findings) - MAX_FINDINGS} more in the JSON report", "dim"), (0, 0, 0, 2)))


def _not_looked_at(console: Console, evaluation: Evaluation) -> None:
    if not evaluation.gaps:
        return
    console.print(Text("\nNot looked at", "bold"))
    for gap in evaluation.gaps[:MAX_GAPS]:
        console.print(Padding(Text(f"{gap.what}: {gap.why}" if gap.what not in gap.why else gap.why), (0, 0, 0, 2)))
    if len(evaluation.gaps) > MAX_GAPS:
        console.print(Padding(Text(f"and {len(evaluation.gaps) - MAX_GAPS} more in the JSON report", "dim"), (0, 0, 0, 2)))
