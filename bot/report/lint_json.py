"""A lint as JSON: every statement, also the harmless ones."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gonogo.finding import Finding
from heuristics.lint import Linted, LintReport

SCHEMA = "gonogo.lint/1"


def lint_json(reports: Sequence[tuple[LintReport, Mapping[str, str]]]) -> str:
    """One document of all repositories; files are named as the caller named them."""
    document = {
        "schema": SCHEMA,
        "statements": [_statement(s, shown) for report, shown in reports for s in report.statements],
        "skipped": [{"file": shown.get(file, file), "why": why} for report, shown in reports for file, why in report.skipped],
        "useless_acceptances": [
            {"file": shown.get(a.file, a.file), "line": a.line, "rules": list(a.rules), "why": why}
            for report, shown in reports
            for a, why in report.useless
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _statement(statement: Linted, shown: Mapping[str, str]) -> dict[str, Any]:
    facts = statement.facts
    return {
        "file": shown.get(statement.file, statement.file),
        "line": statement.line,
        "end_line": statement.end_line,
        "sql": statement.sql,
        "framework": statement.framework,
        "dialect": statement.dialect,
        "analysed": statement.is_analysed,
        "note": statement.note,
        "facts": {
            "locks": dict(facts.locks),
            "blocks_reads": list(facts.blocks_reads),
            "blocks_writes": list(facts.blocks_writes),
            "rewrites": list(facts.rewrites),
            "scans": list(facts.scans),
            "error": facts.error,
            "algorithm": facts.algorithm,
            "depends_on": list(facts.depends_on),
        },
        "findings": [_finding(f) for f in statement.findings],
        "advice": [_finding(f) for f in statement.advice],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "message": finding.message,
        "safe_alternative": finding.safe_alternative,
        "accepted": finding.accepted.model_dump(mode="json") if finding.accepted is not None else None,
    }
