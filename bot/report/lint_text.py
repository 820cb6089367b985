"""A lint for a terminal: what was found, what was accepted, and how many statements were looked at."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bot.report.evidence_text import one_line
from bot.report.printable import printable_line
from bot.report.summary import counted
from gonogo.finding import Finding
from heuristics.lint import Linted, LintReport
from heuristics.schema.sayings import lock_name

Shown = Mapping[str, str]


def lint_text(reports: Sequence[tuple[LintReport, Shown]], *, colour: bool = False) -> str:
    """A paragraph for each statement with findings, then one line with the counts."""
    paint = _Paint(is_on=colour)
    lines: list[str] = []
    for report, shown in reports:
        for statement in report.statements:
            lines += _statement(statement, shown, paint)
    for report, shown in reports:
        lines += [f"{_place(shown, a.file, a.line, a.place)}  accepts nothing: {one_line(why, 400)}" for a, why in report.useless]
        lines += [f"{_place(shown, file)}  skipped: {one_line(why, 400)}" for file, why in report.skipped]
    return "\n".join([*lines, *_advice(reports), _counts(reports)]) + "\n"


def _place(shown: Shown, file: str, line: int | None = None, unshown: str = "") -> str:
    """The file as the caller wrote it, with its line; a name may hold what a terminal obeys, or a line end."""
    named = printable_line(shown.get(file, file if line is not None else unshown or file))
    return named if line is None else f"{named}:{line}"


class _Paint:
    def __init__(self, *, is_on: bool) -> None:
        self._is_on = is_on

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_on else text


def _statement(statement: Linted, shown: Shown, paint: _Paint) -> Iterator[str]:
    if not statement.findings:
        return
    place = _place(shown, statement.file, statement.line)
    yield f"{paint(place, '1')}  {one_line(statement.sql, 120)}".rstrip()
    facts = _facts(statement)
    if facts:
        yield f"  {paint(facts, '2')}"
    for finding in statement.findings:
        yield from _finding(finding, paint)
    yield ""


def _finding(finding: Finding, paint: _Paint) -> Iterator[str]:
    if finding.accepted is not None:
        yield f"  accepted {finding.rule} ({one_line(finding.accepted.reason, 200)}; {printable_line(finding.accepted.by)})"
        return
    yield f"  {paint(finding.rule, '31')}  {one_line(finding.message, 400)}"
    if finding.safe_alternative:
        yield f"  {paint('safe:', '32')}"
        yield from (f"    {printable_line(line)}" for line in finding.safe_alternative.split("\n"))


def _facts(statement: Linted) -> str:
    facts = statement.facts
    parts = [f"{lock_name(mode)} on {table}" for table, mode in facts.locks.items()]
    if facts.algorithm:
        parts.append(f"ALGORITHM={facts.algorithm}")
    parts += [
        f"{what} {', '.join(tables)}"
        for what, tables in (
            ("blocks reads of", facts.blocks_reads),
            ("blocks writes to", facts.blocks_writes),
            ("rewrites", facts.rewrites),
            ("reads every row of", tuple(t for t in facts.scans if t not in facts.rewrites)),
        )
        if tables
    ]
    return "; ".join(one_line(part, 200) for part in parts)


def _advice(reports: Sequence[tuple[LintReport, Shown]]) -> Iterator[str]:
    """What only production can settle, one line a rule."""
    told = Counter(f.rule for r, _ in reports for s in r.statements for f in s.advice if f.accepted is None)
    for rule, count in sorted(told.items()):
        yield f"advice: {rule} at {counted(count, 'statement')}; production's facts settle it (gonogo check), --format json lists them"


def _counts(reports: Sequence[tuple[LintReport, Shown]]) -> str:
    statements = [s for report, _ in reports for s in report.statements]
    findings = [f for s in statements for f in s.findings]
    open_ones = sum(f.accepted is None for f in findings)
    unread = sum(not s.is_analysed for s in statements)
    parts = [f"{counted(len(statements), 'statement')} in {counted(len({s.file for s in statements}), 'file')}"]
    parts.append(counted(open_ones, "finding") if open_ones else "nothing found")
    if open_ones != len(findings):
        parts.append(f"{len(findings) - open_ones} accepted")
    if unread:
        parts.append(f"{unread} not analysed")
    return ", ".join(parts)
