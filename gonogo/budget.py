"""How many model steps and how much time an evaluation may take; the clock is passed in."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gonogo.errors import BudgetSpent


@dataclass
class StepBudget:
    """Steps and a deadline. Spending past either raises before the call is made.

    `clock` returns seconds that only grow; the deadline counts from `started`.
    """

    steps_limit: int
    deadline_s: float
    clock: Callable[[], float]
    started: float
    steps_used: int = field(default=0)

    def seconds_left(self) -> float:
        """Seconds until the deadline, never negative."""
        return max(0.0, self.started + self.deadline_s - self.clock())

    def spend(self) -> None:
        """Take one step, or raise BudgetSpent."""
        if self.steps_used >= self.steps_limit:
            raise BudgetSpent(f"all {self.steps_limit} steps are used")
        if self.seconds_left() <= 0:
            raise BudgetSpent(f"the deadline of {self.deadline_s:g} s is over")
        self.steps_used += 1
