"""One question on its way to the agent, and the calls that wait for its answer."""

import asyncio
from contextvars import copy_context
from typing import NamedTuple

from bencher.orchestration.attempt import Policy
from bencher.orchestration.place import Place
from bencher.orchestration.question import Question
from bencher.orchestration.report import Failed, Source


class Landed(NamedTuple):
    """An answer as the journal has it, and where it came from."""

    payload: bytes
    source: Source


class Flight:
    """A question that is asked apart from its callers, so that no caller's cancellation is another's."""

    __slots__ = ("_waiters", "attempts", "context", "place", "policy", "question", "task", "turn")

    def __init__(self, question: Question, place: Place, policy: Policy) -> None:
        self.question, self.place, self.policy = question, place, policy
        self.attempts = self.turn = 0
        self.task: asyncio.Task[None] | None = None
        """The agent at work; None between attempts."""
        self.context = copy_context()  # the agent sees the first caller's context variables
        self._waiters: list[asyncio.Future[Landed | Failed]] = []

    @property
    def is_wanted(self) -> bool:
        """Whether anybody still waits. Known the moment a caller is cancelled, before the caller itself has run on."""
        for waiter in self._waiters:  # noqa: SIM110 - a generator costs more than all that it looks at, and this is asked at every step
            if not waiter.done():
                return True
        return False

    async def landing(self) -> Landed:
        """Wait for the answer; raises the agent's failure. The last caller to leave takes the agent along."""
        waiter: asyncio.Future[Landed | Failed] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            outcome = await waiter
        except asyncio.CancelledError:
            if not self.is_wanted:
                await stopped([self])
            raise
        if isinstance(outcome, Failed):
            raise outcome.error
        return outcome

    def land(self, outcome: Landed | Failed) -> None:
        """Tell all who wait; the first of them paid, the others share."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(outcome)
                if isinstance(outcome, Landed) and outcome.source == "paid":
                    outcome = Landed(outcome.payload, "shared")


async def stopped(flights: list[Flight]) -> None:
    """Cancel the agents at work and wait until they are gone, however often the caller is cancelled meanwhile."""
    tasks = [flight.task for flight in flights if flight.task and not flight.task.done()]
    for task in tasks:
        # A moment later: a task that has not begun would never tidy up, and an answer that is just coming in is still taken.
        asyncio.get_running_loop().call_soon(task.cancel)
    cancelled = None
    while tasks := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled
