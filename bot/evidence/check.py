"""Settles claims: reads every citation again, drops what does not hold, and lets status_of decide."""

from collections.abc import Collection, Iterator, Sequence

from bot.evidence.checkers import answer_to
from bot.evidence.sources import Sources, read_again
from gonogo.change import Side
from gonogo.context import Gap
from gonogo.evidence import PRODUCTION_KINDS, Evidence, FileEvidence, GraphEvidence, Outcome, ShadowEvidence, Verification
from gonogo.forecast import Forecast
from gonogo.ports import Provider, Shadow, SourceTree
from gonogo.trajectory import Trajectory, status_of
from gonogo.verdict import LedgerEntry


def settle(
    claims: Sequence[Trajectory],
    trees: dict[Side, SourceTree],
    provider: Provider | None,
    affected: Collection[str],
    forecasts: Sequence[Forecast] = (),
    shadow: Shadow | None = None,
) -> tuple[tuple[LedgerEntry, ...], tuple[Gap, ...]]:
    """The ledger of these claims, and a gap for every source that failed when it was read again.

    Telemetry of a resource that is neither affected nor on the trajectory's path is not production evidence.
    """
    sources = read_again((e for t in claims for e in citations(t)), trees, provider)
    sources.forecasts, sources.shadow = forecasts, shadow
    return tuple(_settle(claim, sources, affected) for claim in claims), tuple(sources.gaps)


def citations(trajectory: Trajectory) -> Iterator[Evidence]:
    """Every citation of a trajectory, for and against, each once."""
    seen: list[Evidence] = []
    for link in trajectory.links:
        for evidence in (*link.evidence, *link.refuting):
            if evidence not in seen:
                seen.append(evidence)
                yield evidence


def _settle(claim: Trajectory, sources: Sources, affected: Collection[str]) -> LedgerEntry:
    path = ({claim.resource, *claim.path}) & set(affected)
    verifications = tuple(_verify(evidence, sources, path) for evidence in citations(claim))
    status = status_of(claim, verifications)
    dropped = sum(v.outcome is not Outcome.HOLDS for v in verifications)
    return LedgerEntry(trajectory=claim, verifications=verifications, status=status, citations_dropped=dropped)


def _verify(evidence: Evidence, sources: Sources, path: Collection[str]) -> Verification:
    outcome, observed = answer_to(evidence, sources)
    is_production = evidence.kind in PRODUCTION_KINDS and _is_on(path, evidence)
    return Verification(
        evidence=evidence, outcome=outcome, observed=observed, read_at=sources.read_at, is_production=is_production
    )


def _is_on(path: Collection[str], evidence: Evidence) -> bool:
    match evidence:
        case GraphEvidence():
            return evidence.source in path or evidence.target in path
        case FileEvidence() | ShadowEvidence():
            return False
        case _:
            return evidence.resource in path
