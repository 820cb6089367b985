"""The verdict: a pure function of the ledger, and of what is unsettled in production where a repository asks for that."""

from collections.abc import Sequence
from enum import StrEnum

from gonogo.acceptance import Accepted
from gonogo.evidence import Verification
from gonogo.live import LiveNote
from gonogo.policy import Policy
from gonogo.trajectory import Status, Trajectory
from gonogo.word import Word


class Verdict(StrEnum):
    """The answer. An evaluation that could not be finished has none (None), never a go."""

    GO = "go"
    NO_GO = "no-go"


class LedgerEntry(Word):
    """A trajectory, what checking its citations gave, and the status that follows from both."""

    trajectory: Trajectory
    verifications: tuple[Verification, ...]
    status: Status
    citations_dropped: int = 0
    accepted: Accepted | None = None
    """Who took the risk, and why; None when nobody did."""

    @property
    def is_lifted(self) -> bool:
        """Whether an acceptance keeps it from blocking."""
        return self.accepted is not None and self.accepted.lifts


def blocks(entry: LedgerEntry, policy: Policy) -> bool:
    """Whether this trajectory alone makes it a no-go: confirmed (or plausible, where the repository opted in) and not accepted."""
    blocking = {Status.CONFIRMED, Status.PLAUSIBLE} if policy.block_on_plausible else {Status.CONFIRMED}
    return entry.status in blocking and not entry.is_lifted


def decide(ledger: Sequence[LedgerEntry], policy: Policy, live: Sequence[LiveNote] = ()) -> Verdict:
    """No-go when any trajectory blocks, or something is unsettled in production and the repository's live gate is on; else go."""
    is_held = policy.live_gate and bool(live)
    return Verdict.NO_GO if is_held or any(blocks(entry, policy) for entry in ledger) else Verdict.GO
