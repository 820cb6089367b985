"""Sentences that every format says the same way."""

from collections.abc import Sequence

from bot.report.citations import cited_lines
from bot.report.evidence_text import file_place
from bot.report.live_text import live_sentence
from bot.report.numbers import compared, says
from gonogo.acceptance import Accepted
from gonogo.context import Gap
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import FileEvidence
from gonogo.finding import Finding
from gonogo.trajectory import Impact, Link, Status
from gonogo.verdict import LedgerEntry, Verdict

IMPACTS = {
    Impact.HIGH: "requests fail or data is lost",
    Impact.MEDIUM: "slower, or part of it fails",
    Impact.LOW: "bounded",
}
"""What the word means, for who reads it the first time."""

NO_WAY = "No way was found in which this change would hurt production."

UNREAD_PRODUCTION = (
    "Production was not read, so its facts confirmed and refuted nothing. Answer the questions with their queries, or pass "
    "--production FOLDER, a snapshot of what is known (databases.json, metrics.csv, resources.jsonl: every file is optional; "
    "README, 'A snapshot of production')."
)


def summary_of(evaluation: Evaluation, why_nothing: str | None) -> str:
    """The answer in one paragraph."""
    if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE:
        failed = evaluation.failures[0]
        return f"Could not evaluate: {failed.stage}: {failed.why}." + (
            f" {failed.what_to_do[0].upper()}{failed.what_to_do[1:]}." if failed.what_to_do else ""
        )
    if why_nothing:
        return f"Nothing here can reach production: {why_nothing}."
    by_status = {s: [e for e in evaluation.ranked() if e.status is s and not e.is_lifted] for s in Status}
    confirmed, plausible, refuted = (by_status[s] for s in (Status.CONFIRMED, Status.PLAUSIBLE, Status.REFUTED))
    parts: list[str] = []
    if evaluation.is_held and not evaluation.blockers():
        parts.append(f"Held by the live gate: {live_sentence(evaluation.live)}.")
    if confirmed:
        parts.append(decision(confirmed[0]))
        if len(confirmed) > 1:
            parts.append(f"Confirmed too: {_titles(confirmed[1:])}.")
    elif evaluation.blockers() and plausible:
        parts.append(f"Blocked by this repository's own setting on a plausible chain: {plausible[0].trajectory.title}.")
    if plausible:
        unread = " without production facts" if evaluation.production == "none" else ""
        parts.append(f"{counted(len(plausible), 'risk')} could not be settled{unread}: {_titles(plausible)}.")
    if refuted:
        named = "" if confirmed or plausible else f": {_titles(refuted)}"
        parts.append(f"{counted(len(refuted), 'suspicion')} looked at and refuted{named}.")
    if taken := lifted(evaluation):
        parts.append(f"{counted(len(taken), 'risk')} accepted: {_titles(taken)}.")
    if not parts:
        parts.append(NO_WAY)
    if evaluation.live and not (evaluation.is_held and not evaluation.blockers()):
        parts.append(f"Production is not settled: {live_sentence(evaluation.live)}.")
    if evaluation.gaps:
        parts.append(f"{counted(len(evaluation.gaps), 'thing')} not looked at.")
    return " ".join(parts)


def _titles(entries: Sequence[LedgerEntry]) -> str:
    shown = "; ".join(e.trajectory.title for e in entries[:3])
    return f"{shown}; and {len(entries) - 3} more" if len(entries) > 3 else shown


def first_line(evaluation: Evaluation) -> str:
    """The answer in one line: go, no-go, or why there is none."""
    if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE:
        return "could not evaluate"
    if evaluation.verdict is Verdict.NO_GO:
        return "no-go" if evaluation.blockers() or not evaluation.is_held else "no-go for now, held by the live gate"
    if evaluation.conclusion is Conclusion.NOTHING_TO_EVALUATE:
        return "go, nothing here can reach production"
    unread = len(evaluation.gaps)
    taken = sum(e.status is Status.CONFIRMED for e in lifted(evaluation))
    parts = [f"{counted(taken, 'confirmed risk')} accepted"] if taken else []
    parts += [f"{counted(unread, 'thing')} not looked at"] if unread else []
    return ", ".join(["go", *parts])


def decision(entry: LedgerEntry) -> str:
    """What happens, where in the change it starts, and the number that matters."""
    trajectory = entry.trajectory
    starts = next((e for link in trajectory.links for e in link.evidence if isinstance(e, FileEvidence)), None)
    place = f" ({file_place(starts).replace(' (before)', ', before the change')})" if starts else ""
    return f"{trajectory.title}{place}: {deciding_claim(entry)}"


def deciding_claim(entry: LedgerEntry, *, needs_limit: bool = True) -> str:
    """The claim that carries the degradation, with its comparison; without `needs_limit` only where it does not say the number."""
    link = next((link for link in reversed(entry.trajectory.links) if link.comparison), entry.trajectory.links[-1])
    if not needs_limit and link.comparison is not None and says(link.claim, link.comparison.observed):
        return f"{link.claim.rstrip('.')}."
    return _sentence(link)


def refuting_claim(entry: LedgerEntry) -> str:
    """The link that did not hold, in its own words."""
    links = entry.trajectory.links
    link: Link | None = next((x for x in links if x.refuting), None)
    if link is not None:
        return f"{link.claim.rstrip('.')}."
    return _sentence(next((x for x in links if x.comparison and not x.comparison.holds()), links[-1]))


def _sentence(link: Link) -> str:
    note = compared(link)
    return link.claim.rstrip(".") + (f" ({note})." if note else ".")


def open_questions(entry: LedgerEntry) -> list[tuple[tuple[str, ...], str | None]]:
    """The questions that would settle this chain, those with one query together, each once."""
    asked: dict[str | None, list[str]] = {}
    for link in entry.trajectory.links:
        if link.question and link.question not in asked.setdefault(link.query, []):
            asked[link.query].append(link.question)
    return [(tuple(questions), query) for query, questions in asked.items()]


def unread(evaluation: Evaluation) -> list[Gap]:
    """What was not looked at, but for the failure that the summary already tells."""
    told = {f.why for f in evaluation.failures[:1]} if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE else set[str]()
    return [gap for gap in evaluation.gaps if gap.why not in told]


def untold(evaluation: Evaluation) -> list[Finding]:
    """Signals of lines that no chain stands on: what a chain says need not be said twice."""
    told = cited_lines(evaluation.ledger)
    return [f for f in evaluation.findings if (f.side, f.file, f.line) not in told and f.accepted is None]


def lifted(evaluation: Evaluation) -> list[LedgerEntry]:
    """Trajectories that do not block because somebody accepted them, what matters most first."""
    return [entry for entry in evaluation.ranked() if entry.is_lifted and entry.status is not Status.REFUTED]


def accepted_findings(evaluation: Evaluation) -> list[Finding]:
    """Signals that somebody accepted."""
    return [f for f in evaluation.findings if f.accepted is not None]


def accepted_because(accepted: Accepted) -> str:
    """`accepted until 2027-03-31 because the table is archived (db/0114.sql:3)`; and why that does not lift it."""
    until = f" until {accepted.until.isoformat()}" if accepted.until else ""
    said = f"accepted{until} because {accepted.reason} ({accepted.by})"
    return said if accepted.lifts else f"{said}; it blocks all the same: a change can't accept for itself what is confirmed"


def counted(count: int, what: str) -> str:
    """`1 thing`, `2 things`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
