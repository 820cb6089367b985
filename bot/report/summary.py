"""Sentences that every format says the same way."""

from collections.abc import Sequence

from gonogo.evaluation import Conclusion, Evaluation
from gonogo.trajectory import Comparison, Link, Status
from gonogo.verdict import LedgerEntry, Verdict


def summary_of(evaluation: Evaluation, why_nothing: str | None) -> str:
    """The answer in one paragraph."""
    if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE:
        failed = evaluation.failures[0]
        return f"Could not evaluate: {failed.stage}: {failed.why}." + (
            f" {failed.what_to_do[0].upper()}{failed.what_to_do[1:]}." if failed.what_to_do else ""
        )
    if why_nothing:
        return f"Nothing here can reach production: {why_nothing}."
    by_status = {s: [e for e in evaluation.ranked() if e.status is s] for s in Status}
    confirmed, plausible, refuted = (by_status[s] for s in (Status.CONFIRMED, Status.PLAUSIBLE, Status.REFUTED))
    parts: list[str] = []
    if confirmed:
        parts.append(f"{confirmed[0].trajectory.title}. {deciding_claim(confirmed[0])}")
        if len(confirmed) > 1:
            parts.append(f"{counted(len(confirmed) - 1, 'more chain')} confirmed.")
    elif evaluation.verdict is Verdict.NO_GO:
        parts.append(f"Blocked by this repository's own setting on a plausible chain: {plausible[0].trajectory.title}.")
    if plausible and not confirmed:
        parts.append(f"{counted(len(plausible), 'risk')} could not be settled: {plausible[0].trajectory.title}.")
    if refuted:
        parts.append(f"{counted(len(refuted), 'suspicion')} looked at and refuted.")
    if not parts:
        parts.append("No way was found in which this change would hurt production.")
    if evaluation.gaps:
        parts.append(f"{counted(len(evaluation.gaps), 'thing')} not looked at.")
    return " ".join(parts)


def first_line(evaluation: Evaluation) -> str:
    """The answer in one line: go, no-go, or why there is none."""
    if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE:
        return "could not evaluate"
    if evaluation.verdict is Verdict.NO_GO:
        return "no-go"
    if evaluation.conclusion is Conclusion.NOTHING_TO_EVALUATE:
        return "go, nothing here can reach production"
    unread = len(evaluation.gaps)
    return f"go, {counted(unread, 'thing')} not looked at" if unread else "go"


def deciding_claim(entry: LedgerEntry) -> str:
    """The claim that carries the degradation, with its comparison."""
    link = next((link for link in reversed(entry.trajectory.links) if link.comparison), entry.trajectory.links[-1])
    text = link.claim[:1].upper() + link.claim[1:].rstrip(".")
    return f"{text}." if link.comparison is None else f"{text} ({comparison_text(link.comparison)})."


def refuting_claim(entry: LedgerEntry) -> str:
    """The link that did not hold, in its own words."""
    link: Link | None = next((x for x in entry.trajectory.links if x.refuting), None)
    link = link or next(
        (x for x in entry.trajectory.links if x.comparison and not x.comparison.holds()), entry.trajectory.links[-1]
    )
    text = link.claim[:1].upper() + link.claim[1:].rstrip(".")
    if link.comparison is None or link.refuting:
        return f"{text}."
    observed, unit = link.comparison.observed, link.comparison.unit
    return f"{text} ({number_text(observed, unit)}, not {link.comparison.operator} {number_text(link.comparison.limit, unit)})."


def comparison_text(comparison: Comparison) -> str:
    """`38.2/s > 1/s`."""
    return f"{number_text(comparison.observed, comparison.unit)} {comparison.operator} {number_text(comparison.limit, comparison.unit)}"


def number_text(value: float, unit: str = "") -> str:
    """A number as people write it: thousands grouped, no more digits than it deserves."""
    if abs(value) < 1e15 and value == int(value):
        digits = f"{int(value):,}"
    elif abs(value) >= 100:
        digits = f"{value:,.0f}"
    else:
        digits = f"{value:.3g}"
    return digits + {"": "", "%": " %", "1/s": "/s"}.get(unit, f" {unit}")


def questions(entries: Sequence[LedgerEntry]) -> list[tuple[str, str | None]]:
    """Every open question of these chains, with the query that answers it, each once."""
    return list(dict.fromkeys((link.question, link.query) for e in entries for link in e.trajectory.links if link.question))


def counted(count: int, what: str) -> str:
    """`1 thing`, `2 things`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
