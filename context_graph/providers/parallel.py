"""Runs calls side by side, each with its own time limit: one that hangs costs its own answer and nothing else."""

import threading
from collections.abc import Sequence
from time import monotonic

from context_graph.telemetry import Answer, Call
from gonogo.context import Gap

IN_PARALLEL = 16


class Running:
    """Calls that were started. `answers` waits for them; what is not done in time is a gap.

    Threads are daemons: one that hangs in a socket must not keep the process from ending. A call's limit counts from when it
    starts; one that overruns gives its place to the next. No call may last beyond `within_s` seconds after the first.
    """

    def __init__(self, calls: Sequence[Call], *, within_s: float, in_parallel: int = IN_PARALLEL) -> None:
        self._calls = tuple(calls)
        self._end = monotonic() + within_s
        self._within_s = within_s
        self._answers: dict[int, Answer] = {}
        self._started: dict[int, float] = {}
        self._given_up: set[int] = set()
        self._waiting = list(range(len(self._calls)))
        self._changed = threading.Condition()
        with self._changed:
            for _ in range(min(in_parallel, len(self._calls))):
                self._start_next()

    def answers(self) -> list[Answer]:
        """One a call, in the order of the calls."""
        with self._changed:
            while len(self._answers) < len(self._calls):
                now = monotonic()
                overdue = [at for at in self._started if at not in self._answers and now >= self._limit_of(at)]
                for at in overdue:
                    self._give_up(at)
                if now >= self._end:
                    for at in self._waiting:
                        self._answers[at] = self._late(at, f"not started within {self._within_s:g} s: too many calls before it")
                    self._waiting.clear()
                limits = [self._limit_of(at) for at in self._started if at not in self._answers]
                if limits:
                    self._changed.wait(max(0.0, min(*limits, self._end) - monotonic()))
            return [self._answers[at] for at in range(len(self._calls))]

    def _limit_of(self, at: int) -> float:
        return min(self._started[at] + self._calls[at].limit_s, self._end)

    def _give_up(self, at: int) -> None:
        limit = min(self._calls[at].limit_s, self._end - self._started[at])
        self._answers[at] = self._late(at, f"no answer within {limit:.3g} s")
        self._given_up.add(at)
        self._start_next()

    def _late(self, at: int, why: str) -> Answer:
        return Answer(gaps=[Gap(stage="context", what=self._calls[at].what, why=why)])

    def _start_next(self) -> None:
        if self._waiting and monotonic() < self._end:
            at = self._waiting.pop(0)
            self._started[at] = monotonic()
            threading.Thread(target=self._run, args=(at,), name=f"call {self._calls[at].what}", daemon=True).start()

    def _run(self, at: int) -> None:
        call = self._calls[at]
        try:
            answer = call.run()
        except Exception as error:  # noqa: BLE001  whatever a source does, it is a gap
            answer = Answer(gaps=[Gap(stage="context", what=call.what, why=f"{type(error).__name__}: {one_line(error)}")])
        with self._changed:
            if at not in self._given_up:
                self._answers[at] = answer
                self._start_next()
                self._changed.notify_all()


def one_line(error: Exception) -> str:
    """What an error says, in one line that a report has room for."""
    return " ".join(str(error).split())[:300] or "it says no more"
