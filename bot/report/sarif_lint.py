"""A lint as SARIF 2.1.0: a finding is a warning, advice a note, a predicted error an error."""

import json
from collections.abc import Iterator, Sequence

from bot.report.sarif_parts import Json, Result, document, suppressions, told
from gonogo import __version__
from gonogo.finding import Finding
from heuristics.lint import Linted, LintReport

_ERRORS = ("migrations/predicted-error", "postgres/concurrently-in-transaction", "migrations/add-not-null-without-default")


def lint_sarif(reports: Sequence[LintReport]) -> str:
    """One document with one run; paths are those of the repository."""
    results = [r for report in reports for statement in report.statements for r in _results(statement)]
    notes: list[Json] = [
        {"level": "note", "message": {"text": f"{a.place} accepts nothing: {why}"}}
        for report in reports
        for a, why in report.useless
    ]
    notes += [
        {"level": "note", "message": {"text": f"{file} was skipped: {why}"}} for report in reports for file, why in report.skipped
    ]
    is_open = any(report.open_findings for report in reports)
    invocation: Json = {
        "executionSuccessful": True,
        "exitCode": 1 if is_open else 0,
        "exitCodeDescription": "findings" if is_open else "nothing found",
        "toolExecutionNotifications": notes,
    }
    return (
        json.dumps(document(results, version=__version__, category="lint", invocation=invocation), indent=1, ensure_ascii=False)
        + "\n"
    )


def _results(statement: Linted) -> Iterator[Result]:
    for finding in statement.findings:
        yield _result(finding, statement, "error" if finding.rule in _ERRORS else "warning")
    for finding in statement.advice:
        yield _result(finding, statement, "note")


def _result(finding: Finding, statement: Linted, level: str) -> Result:
    return Result(
        rule=finding.rule,
        level=level,
        file=finding.file,
        line=finding.line,
        side="head",
        same=" ".join(statement.sql.split()),
        message=told(finding.message, finding.safe_alternative),
        end_line=statement.end_line,
        suppressions=suppressions(finding.accepted),
    )
