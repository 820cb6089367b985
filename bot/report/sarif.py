"""The report as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), within what GitHub code scanning reads.

GitHub shows at most 5,000 results of a run and takes at most 10 MB compressed
(https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning).
A confirmed trajectory is an error, a plausible one a warning, every other signal a note. What was refuted is no result.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.report.sarif_parts import Json, Result, document, suppressions, told
from bot.report.sarif_trajectory import with_trajectory
from bot.report.shown import shown
from bot.report.summary import untold
from gonogo.change import Side
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import FileEvidence
from gonogo.finding import Finding
from gonogo.trajectory import Role, Status
from gonogo.verdict import LedgerEntry

LEVELS = {Status.CONFIRMED: "error", Status.PLAUSIBLE: "warning"}
SEVERITIES = {"high": "error", "medium": "warning", "low": "note"}
"""A severity that the repository gave a rule; without one a signal is a note."""
_LESS_TELLING = ("postgres/lock-timeout-missing",)
"""When several rules see a line, a chain is told at another one."""


def sarif_report(evaluation: Evaluation) -> str:
    """One document with one run."""
    evaluation = shown(evaluation)
    results = list(_results(evaluation))
    run = document(
        results,
        version=evaluation.version,
        category="check",
        invocation=_invocation(evaluation),
        provenance=_provenance(evaluation),
        properties=_properties(evaluation),
    )
    return json.dumps(run, indent=1, ensure_ascii=False) + "\n"


def _results(evaluation: Evaluation) -> Iterator[Result]:
    """Each finding once, with the chain that starts at its line; chains that no rule points at under their playbook."""
    at_line: dict[tuple[Side, str, int], list[Finding]] = {}
    for finding in sorted(evaluation.findings, key=lambda f: f.rule in _LESS_TELLING):
        at_line.setdefault((finding.side, finding.file, finding.line), []).append(finding)
    told_findings: list[Finding] = []
    for entry in (e for e in evaluation.ranked() if e.status is not Status.REFUTED):
        finding = _of_its_line(entry, at_line)
        if finding is not None:
            told_findings.append(finding)
        yield _of_trajectory(entry, finding)
    loud = {id(f) for f in untold(evaluation)}
    for finding in evaluation.findings:
        if not any(finding is other for other in told_findings):
            yield _of_finding(finding, is_told=id(finding) not in loud)


def _of_its_line(entry: LedgerEntry, at_line: dict[tuple[Side, str, int], list[Finding]]) -> Finding | None:
    """A finding where the chain starts, taken away so that the next chain of the line gets another one."""
    for cited in _starts(entry):
        left = at_line.get((cited.side, cited.file, cited.line))
        if left:
            return left.pop(0)
    return None


def _starts(entry: LedgerEntry) -> list[FileEvidence]:
    links = sorted(entry.trajectory.links, key=lambda link: link.role is not Role.TRIGGER)
    return [e for link in links for e in (*link.evidence, *link.refuting) if isinstance(e, FileEvidence)]


def _of_trajectory(entry: LedgerEntry, finding: Finding | None) -> Result:
    starts = _starts(entry)
    if finding is not None:
        file, line, side = finding.file, finding.line, finding.side
    elif starts:
        first = next((e for e in starts if e.side == "head"), starts[0])
        file, line, side = first.file, first.line, first.side
    else:
        file, line, side = ".github/gonogo.yml", 1, "head"
    rule = str(finding.rule) if finding is not None else entry.trajectory.playbook or "trajectory"
    return with_trajectory(
        Result(
            rule=rule,
            level=LEVELS.get(entry.status, "note"),
            file=file,
            line=line,
            side=side,
            same=f"{entry.trajectory.playbook}|{_stable(finding) if finding is not None else _quoted(starts)}",
            message="",
            suppressions=suppressions(entry.accepted),
        ),
        entry,
    )


def _of_finding(finding: Finding, *, is_told: bool) -> Result:
    message = finding.message if not is_told else f"{finding.message} (a chain of this change stands on this line)"
    return Result(
        rule=finding.rule,
        level=SEVERITIES[finding.severity or "low"],
        file=finding.file,
        line=finding.line,
        side=finding.side,
        same=_stable(finding),
        message=told(message, finding.safe_alternative),
        suppressions=suppressions(finding.accepted),
    )


def _stable(finding: Finding) -> str:
    """What stays when lines move and numbers of production change: the names that the rule read off the line."""
    facts = {key: str(value) for key, value in finding.facts.items() if not isinstance(value, int | float)}
    return json.dumps(facts, sort_keys=True) if facts else "".join(c for c in finding.message if not c.isdigit())


def _quoted(cited: Sequence[FileEvidence]) -> str:
    return " ".join(cited[0].quote.split()) if cited else ""


def _invocation(evaluation: Evaluation) -> Json:
    """How the run ended. A no-go is a successful run; what was not looked at is a notification."""
    is_done = evaluation.conclusion is not Conclusion.COULD_NOT_EVALUATE
    notes = [_notification("error", f"{f.stage}: {f.why}") for f in evaluation.failures]
    notes += [_notification("warning", f"not looked at: {g.what}: {g.why}") for g in evaluation.gaps]
    notes += [_notification("note", text) for text in evaluation.notes]
    status = evaluation.exit_status()
    return {
        "executionSuccessful": is_done,
        "exitCode": status,
        "exitCodeDescription": {0: "go", 1: "no-go"}.get(status, "could not evaluate"),
        "toolExecutionNotifications": notes,
    }


def _notification(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": text}}


def _provenance(evaluation: Evaluation) -> list[Json]:
    if not evaluation.repository.startswith("github:") or not evaluation.head:
        return []
    name = evaluation.repository.removeprefix("github:")
    return [{"repositoryUri": f"https://github.com/{name}", "revisionId": evaluation.head}]


def _properties(evaluation: Evaluation) -> dict[str, Any]:
    verdict = evaluation.verdict.value if evaluation.verdict else None
    refuted = sum(e.status is Status.REFUTED for e in evaluation.ledger)
    return {
        "verdict": verdict,
        "conclusion": evaluation.conclusion.value,
        "summary": evaluation.summary,
        "base": evaluation.base,
        "refuted": refuted,
    }
