"""The citations of one chain, each shown once and numbered: where it bears on a later link too, its number says so."""

from collections.abc import Hashable, Sequence

from bot.report.evidence_text import evidence_text
from gonogo.evidence import DatabaseEvidence, Evidence, FileEvidence, LogEvidence, MetricEvidence, Outcome
from gonogo.record import Record
from gonogo.verdict import LedgerEntry


class Citation(Record):
    """One line of proof. `parts` are several readings of one thing: the statistics of a table, of a metric, of a pattern."""

    number: int
    parts: tuple[Evidence, ...]
    is_against: bool = False

    @property
    def text(self) -> str:
        """Where it stands and what it says."""
        return evidence_text(*self.parts)


class LinkCitations(Record):
    """What bears on one link: the citations first shown here, and the numbers of those that stand above."""

    shown: tuple[Citation, ...]
    above: tuple[int, ...]

    @property
    def refers(self) -> str:
        """`[1] [3]`, or nothing."""
        return " ".join(f"[{number}]" for number in self.above)


def citations_of(entry: LedgerEntry) -> tuple[LinkCitations, ...]:
    """For each link of the chain, in order; only citations that were read again and hold."""
    held = [v.evidence for v in entry.verifications if v.outcome is Outcome.HOLDS]
    numbers: dict[int, int] = {}
    found: list[LinkCitations] = []
    count = 0
    for link in entry.trajectory.links:
        above: list[int] = []
        shown: list[Citation] = []
        for cited, is_against in ((link.evidence, False), (link.refuting, True)):
            fresh: dict[Hashable, list[Evidence]] = {}
            for at, evidence in enumerate(held):
                if evidence not in cited:
                    continue
                if at in numbers:
                    above.append(numbers[at])
                else:
                    fresh.setdefault(_thing(evidence, at), []).append(evidence)
            for parts in fresh.values():
                count += 1
                numbers |= {at: count for at, evidence in enumerate(held) if evidence in parts}
                shown.append(Citation(count, _once(parts), is_against=is_against))
        found.append(LinkCitations(tuple(shown), tuple(dict.fromkeys(sorted(above)))))
    return tuple(found)


def refuting_citations(entry: LedgerEntry) -> list[Citation]:
    """What speaks against the chain: citations of a kind that refutes, and those of a comparison that does not hold."""
    found: list[Citation] = []
    for link in entry.trajectory.links:
        false = link.evidence if link.comparison is not None and not link.comparison.holds() else ()
        parts: dict[Hashable, list[Evidence]] = {}
        for at, verification in enumerate(entry.verifications):
            if verification.outcome is Outcome.HOLDS and verification.evidence in (*link.refuting, *false):
                parts.setdefault(_thing(verification.evidence, at), []).append(verification.evidence)
        found += [Citation(0, _once(p), is_against=True) for p in parts.values()]
    return [c for at, c in enumerate(found) if c.parts not in [f.parts for f in found[:at]]]


def cited_lines(entries: Sequence[LedgerEntry]) -> set[tuple[str, str, int]]:
    """Every (side, file, line) that a chain stands on."""
    return {
        (e.side, e.file, line)
        for entry in entries
        for link in entry.trajectory.links
        for e in (*link.evidence, *link.refuting)
        if isinstance(e, FileEvidence)
        for line in range(e.line, min(e.end_line or e.line, e.line + 20) + 1)
    }


def _once(parts: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(part for at, part in enumerate(parts) if part not in parts[:at])


def _thing(evidence: Evidence, at: int) -> Hashable:
    match evidence:
        case DatabaseEvidence():
            return ("database", evidence.resource, evidence.table, evidence.index)
        case MetricEvidence():
            return ("metric", evidence.resource, evidence.metric, evidence.window)
        case LogEvidence():
            return ("log", evidence.resource, evidence.pattern, evidence.count, evidence.window)
        case _:
            return at
