"""What a run says of itself: where each answer came from, and what was paid."""

from dataclasses import dataclass, field
from typing import Any, Literal

Source = Literal["paid", "shared", "reused"]
"""Where an answer came from: the agent was asked for it now; this run asked the same elsewhere (one payment, one answer); or the
journal had it, since an earlier run, or another one beside this, paid for it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and where it came from (`Orchestrator.ask`)."""

    value: Any
    source: Source
    key: str
    run_id: str
    """The run that paid for it, by the name that it was given."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Stands in the place of an answer that never came."""

    error: BaseException


@dataclass
class Report:
    """Counts of one run. Every call that ended is in exactly one of paid, shared, reused, failed and cancelled."""

    paid: int = 0
    shared: int = 0
    reused: int = 0
    failed: int = 0
    cancelled: int = 0
    attempts: int = 0
    """Times that the agent was awaited: what the bill shows."""
    retried: int = 0
    """Attempts after the first of their call."""
    repaid_in_flight: int = 0
    """Attempts for a question that was in flight when an earlier run died: paid then too, and never answered."""
    asked: set[str] = field(default_factory=set[str], repr=False)
    answered: set[str] = field(default_factory=set[str], repr=False)
    """Questions that the agent answered in this run."""
    replaced: list[str] = field(default_factory=list[str], repr=False)
    """For each payment, the question that an earlier run asked at the same place of the program."""

    def count_attempt(self, key: str, *, before: str, was_in_flight: bool, is_retry: bool) -> None:
        """The agent is about to be paid for `key`, where an earlier run asked the question `before`."""
        self.attempts += 1
        self.retried += is_retry
        self.repaid_in_flight += was_in_flight
        if before != key and not is_retry:
            self.replaced.append(before)

    def count_answer(self, source: Source) -> None:
        """A call came back."""
        if source == "paid":
            self.paid += 1
        elif source == "shared":
            self.shared += 1
        else:
            self.reused += 1

    @property
    def calls(self) -> int:
        """Calls that ended."""
        return self.paid + self.shared + self.reused + self.failed + self.cancelled

    @property
    def input_changed(self) -> int:
        """Payments for a question in whose place an earlier run of this job asked it in other words, and this run asks that nowhere."""
        return sum(old not in self.asked for old in self.replaced)

    @property
    def is_mixture(self) -> bool:
        """Old answers stand beside new ones; a fresh start would have given other answers."""
        return self.reused > 0 and self.paid > 0

    def __str__(self) -> str:
        """Some lines for the log of a run."""
        lines = [
            f"{self.reused} of {self.calls} reused, {self.paid} paid, {self.shared} shared, {self.failed} failed, {self.cancelled} cancelled",
            f"{self.input_changed} asked again because their input changed",
            f"{self.attempts} attempts paid, {self.retried} of them retries, {self.repaid_in_flight} in flight when an earlier run died",
        ]
        if self.is_mixture:
            lines.append("a mixture of old and new answers: not the run that a fresh start would have given")
        return "\n".join(lines)
