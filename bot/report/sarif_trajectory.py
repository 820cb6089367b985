"""A failure trajectory in SARIF: its links as one thread flow, its citations as related locations."""

from dataclasses import replace

from bot.report.citations import citations_of
from bot.report.numbers import compared
from bot.report.sarif_parts import Json, Result, location
from bot.report.summary import decision, open_questions
from gonogo.evidence import FileEvidence
from gonogo.trajectory import Status
from gonogo.verdict import LedgerEntry

MAX_RELATED = 100
"""GitHub keeps no more of a result."""


def with_trajectory(result: Result, entry: LedgerEntry) -> Result:
    """The result with the chain: what happens, how to make it safe, and step by step why."""
    trajectory = entry.trajectory
    return replace(
        result,
        message=_message(entry),
        related=tuple(_related(entry, result)),
        flows=({"message": {"text": trajectory.title}, "threadFlows": [{"locations": _steps(entry, result)}]},),
        properties={
            "trajectory": trajectory.title,
            "playbook": trajectory.playbook,
            "status": entry.status.value,
            "impact": trajectory.impact.value,
            "resource": trajectory.resource,
            "metric": trajectory.metric,
        },
    )


def _message(entry: LedgerEntry) -> str:
    parts = [decision(entry)]
    if entry.status is Status.PLAUSIBLE:
        parts += [" ".join(asked) for asked, _ in open_questions(entry)]
    if entry.trajectory.make_safe:
        parts.append(f"To make it safe: {entry.trajectory.make_safe}")
    return " ".join(part.strip() for part in parts)


def _steps(entry: LedgerEntry, result: Result) -> list[Json]:
    """One step a link. A link that no line of the repository proves stands where the chain starts, with its citations."""
    found: list[Json] = []
    for number, (link, cited) in enumerate(zip(entry.trajectory.links, citations_of(entry), strict=True), 1):
        file = next((e for e in (*link.evidence, *link.refuting) if isinstance(e, FileEvidence)), None)
        proof = [c.text for c in cited.shown if not isinstance(c.parts[0], FileEvidence)]
        note = f" ({compared(link)})" if compared(link) else ""
        open_end = f" Not settled: {link.question}" if link.question else ""
        text = f"{link.role.value}: {link.claim}{note}" + (f" [{'; '.join(proof)}]" if proof else "") + open_end
        at = (
            location(file.file, file.line, side=file.side, end_line=file.end_line, message=text)
            if file is not None
            else location(result.file, result.line, side=result.side, message=text)
        )
        found.append({"executionOrder": number, "kinds": [link.role.value], "location": at})
    return found


def _related(entry: LedgerEntry, result: Result) -> list[Json]:
    """Every other line of the repository that the chain cites, each once."""
    seen = {(result.side, result.file, result.line)}
    found: list[Json] = []
    for link in entry.trajectory.links:
        for e in (*link.evidence, *link.refuting):
            if isinstance(e, FileEvidence) and (e.side, e.file, e.line) not in seen and len(found) < MAX_RELATED:
                seen.add((e.side, e.file, e.line))
                found.append(
                    location(e.file, e.line, side=e.side, end_line=e.end_line, message=link.claim, number=len(found) + 1)
                )
    return found
