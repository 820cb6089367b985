"""What runs when: a few agents at once, first come, first served, and each question paid for once.

A question is looked up (a hit takes no slot and waits for nothing), joins the flight of an equal question, or starts one. A
flight waits in the queue for a slot, claims its key among all runs that share the journal, looks again, pays, and writes the
answer down. Only then do its callers see it.
"""

import asyncio
import math
from collections import deque
from typing import NamedTuple

from bencher.orchestration.attempt import Policy, Runner, interrupted, is_being_cancelled
from bencher.orchestration.flight import Flight, Landed, stopped
from bencher.orchestration.memory import Memory
from bencher.orchestration.payment import paid
from bencher.orchestration.place import Place
from bencher.orchestration.question import Question, to_json
from bencher.orchestration.record import value_of
from bencher.orchestration.report import Failed, Report


class Again(NamedTuple):
    """Neither an answer nor the last failure: the question goes into the queue again, and holds no slot until then."""

    after_s: float | None
    """Seconds until it joins at the end; None: at once, to its old place."""


_LOOK_AGAIN_S = 0.05
"""How often we look whether another run has answered the question that it asks, or died over it."""


class Scheduler:
    """Answers questions, out of the journal where it can. One event loop, one journal."""

    def __init__(self, *, runner: Runner, journal: Memory, limit: int | None, report: Report, run_id: str) -> None:
        self._runner, self._journal, self._report = runner, journal, report
        self._run_id = to_json(run_id, what="run_id")
        self._slots: float = math.inf if limit is None else limit
        self._in_slots: set[Flight] = set()
        self._airborne: set[Flight] = set()
        self._queue: deque[Flight] = deque()
        self._turn = 0
        self._flights: dict[str, Flight] = {}

    async def answer(self, question: Question, place: Place, policy: Policy) -> Landed:
        """From the journal or from the agent, on disk by then; raises the agent's last failure."""
        self._report.asked.add(question.key)
        try:
            landed = self._known(question, policy) or await self._flown(question, place, policy)
            await self._journal.sync()
        except asyncio.CancelledError:
            self._report.cancelled += 1
            raise
        except Exception:
            self._report.failed += 1
            raise
        self._report.count_answer(landed.source)
        return landed

    async def close(self) -> None:
        """Begin nothing more, and wait until no agent runs."""
        self._slots = 0
        await stopped(list(self._airborne))
        for flight in list(self._flights.values()):
            flight.land(interrupted())

    def _known(self, question: Question, policy: Policy) -> Landed | None:
        payload = self._journal.find(question.key)
        if payload is None or (policy.validate and not policy.accepts(value_of(payload))):
            return None
        return Landed(payload, "shared" if question.key in self._report.answered else "reused")

    async def _flown(self, question: Question, place: Place, policy: Policy) -> Landed:
        while True:
            flight = self._flights.get(question.key)
            if flight is None or not flight.is_wanted:
                flight = self._flights[question.key] = Flight(question, place, policy)
                self._enqueue(flight)
            landed = await flight.landing()
            if flight.policy.validate is policy.validate:
                return landed
            if known := self._known(question, policy):  # valid for the one who paid, and for this caller too
                return known

    def _enqueue(self, flight: Flight) -> None:
        self._turn += 1
        flight.turn = self._turn
        self._queue.append(flight)
        self._fill_slots()

    def _enqueue_in_turn(self, flight: Flight) -> None:
        """Back to where it stood: before all that came later."""
        place = next((index for index, other in enumerate(self._queue) if other.turn > flight.turn), len(self._queue))
        self._queue.insert(place, flight)
        self._fill_slots()

    def _fill_slots(self) -> None:
        while self._queue and len(self._in_slots) < self._slots:
            flight = self._queue.popleft()
            self._in_slots.add(flight)
            self._airborne.add(flight)
            # Not by `create_task`: an eager task factory would run it before anybody waits for it.
            flight.task = asyncio.Task(self._fly(flight), loop=asyncio.get_running_loop(), context=flight.context)

    def _leave_slot(self, flight: Flight) -> None:
        self._in_slots.discard(flight)
        self._fill_slots()

    async def _fly(self, flight: Flight) -> None:
        """One attempt in a slot; or, outside of it, the wait for another run that asks the same."""
        outcome: Landed | Failed | Again | None = None
        try:
            claimed = self._journal.claim(flight.question.key) if flight.is_wanted else None
            if claimed:
                outcome = await self._attempt(flight)
            elif claimed is False:
                self._leave_slot(flight)
                outcome = await self._asked_elsewhere(flight)
        except Exception as error:  # noqa: BLE001 - the journal's; whoever waits gets it
            outcome = Failed(error)
        finally:
            self._airborne.discard(flight)
            self._leave_slot(flight)
            if isinstance(outcome, Again):
                enqueue = self._enqueue if outcome.after_s is not None else self._enqueue_in_turn
                asyncio.get_running_loop().call_later(outcome.after_s or 0, enqueue, flight)
            else:
                if self._flights.get(flight.question.key) is flight:
                    del self._flights[flight.question.key]
                flight.land(outcome or interrupted())

    async def _asked_elsewhere(self, flight: Flight) -> Landed | Again:
        """The answer of the run that asks this question now, or our turn when that run failed or died."""
        while not self._journal.claim(flight.question.key):  # noqa: ASYNC110 - no event reaches us from another process
            await asyncio.sleep(_LOOK_AGAIN_S)
        self._journal.release(flight.question.key)
        return self._known(flight.question, flight.policy) or Again(None)

    async def _attempt(self, flight: Flight) -> Landed | Failed | Again:
        try:
            if known := self._known(flight.question, flight.policy):
                return known
            outcome = await paid(flight, runner=self._runner, journal=self._journal, report=self._report, run_id=self._run_id)
        finally:
            self._journal.release(flight.question.key)
        if (
            isinstance(outcome, Failed)
            and flight.attempts < flight.policy.attempts
            and flight.is_wanted
            and not is_being_cancelled()
        ):
            return Again(flight.policy.backoff_s * 2 ** (flight.attempts - 1))
        return outcome
