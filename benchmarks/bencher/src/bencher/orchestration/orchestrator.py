"""The face: a run, in which `agent()`, `parallel()` and `pipeline()` are called."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from bencher.orchestration.attempt import Policy, Runner
from bencher.orchestration.journal import Journal
from bencher.orchestration.memory import Memory
from bencher.orchestration.place import HERE, Place
from bencher.orchestration.question import Question
from bencher.orchestration.record import record_of, value_of
from bencher.orchestration.report import Answer, Failed, Report
from bencher.orchestration.scheduler import Scheduler

Thunk = Callable[[], Awaitable[Any]]
Stage = Callable[[Any, Any, int], Awaitable[Any]]

_ONCE = Policy()


class Orchestrator:
    """One run of many calls, at most `limit` agents at a time (None: no limit).

    `journal` is a file that runs and processes may share; without one, answers live as long as the run. `durability` says what
    an answer survives once `agent()` has returned it: "process" every death of the process, "power" of the machine too.
    `run_id` is written beside each answer that this run pays for. `job` names the program, where several share a journal: what
    counts as changed input is looked for among the earlier runs of the same job.
    """

    def __init__(
        self,
        *,
        runner: Runner,
        journal: str | PathLike[str] | None = None,
        limit: int | None = 4,
        durability: Literal["process", "power"] = "process",
        run_id: str = "",
        job: str = "",
    ) -> None:
        if (limit is not None and limit < 1) or durability not in ("process", "power"):
            raise ValueError(
                f"limit={limit}, durability={durability!r}: a limit is 1 or more or None, durability process or power"
            )
        self.report = Report()
        self._runner, self._path, self._durability = runner, journal, durability
        self._limit, self._run_id = limit, run_id
        self._journal: Memory | None = None
        self._scheduler: Scheduler | None = None
        self._top = Place(job)

    async def __aenter__(self) -> Self:
        self._journal = Memory() if self._path is None else Journal(Path(self._path), durability=self._durability)
        self._scheduler = Scheduler(
            runner=self._runner, journal=self._journal, limit=self._limit, report=self.report, run_id=self._run_id
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        scheduler, self._scheduler = self._scheduler, None
        try:
            if scheduler:
                await scheduler.close()
        finally:
            if self._journal:
                self._journal.close()

    async def agent(self, prompt: Any, options: Mapping[str, Any] | None = None, sample: int = 0, policy: Policy = _ONCE) -> Any:
        """The answer to one question; raises the agent's last failure, and NotCanonical before anything is paid.

        Equal prompt, options and sample are one question: one payment, one answer. Repeats that must differ pass their own
        `sample`; the agent does not see it.
        """
        landed = await self._open().answer(Question.of(prompt, options, sample), self._here().step(), policy)
        return value_of(landed.payload)

    async def ask(self, prompt: Any, options: Mapping[str, Any] | None = None, sample: int = 0, policy: Policy = _ONCE) -> Answer:
        """The same, with word of where the answer came from."""
        question = Question.of(prompt, options, sample)
        landed = await self._open().answer(question, self._here().step(), policy)
        record = record_of(landed.payload)
        return Answer(record["answer"], landed.source, question.key, record["run_id"])

    async def repeat(
        self, prompt: Any, options: Mapping[str, Any] | None = None, *, times: int, policy: Policy = _ONCE
    ) -> list[Any]:
        """One prompt asked `times` times, as that many questions: samples 0, 1, 2 and so on. More times later pay the difference."""
        return await self.parallel([partial(self.agent, prompt, options, sample, policy) for sample in range(times)])

    async def parallel(self, thunks: Iterable[Thunk]) -> list[Any]:
        """All of a stage, then a barrier: answers in order, `Failed(error)` in the place of what failed."""
        here = self._here().step()
        branches = (_settled(thunk, here.branch(index)) for index, thunk in enumerate(thunks))
        ended = await asyncio.gather(*branches, return_exceptions=True)  # cancelled, it waits until every branch has ended
        return [Failed(answer) if isinstance(answer, asyncio.CancelledError) else answer for answer in ended]

    async def pipeline(self, items: Iterable[Any], *stages: Stage) -> list[Any]:
        """Each item on its own through `stage(previous, item, index)`, no barrier; at first `previous` is the item."""

        async def through_stages(item: Any, index: int) -> Any:
            previous, here = item, self._here()
            for number, stage in enumerate(stages):
                HERE.set(here.branch(number))
                previous = await stage(previous, item, index)
            return previous

        return await self.parallel([partial(through_stages, item, index) for index, item in enumerate(items)])

    def _open(self) -> Scheduler:
        if self._scheduler is None:
            raise RuntimeError("the run is not open; call agent() inside `async with Orchestrator(...) as run`")
        return self._scheduler

    def _here(self) -> Place:
        return HERE.get() or self._top


async def _settled(thunk: Thunk, place: Place) -> Any:
    HERE.set(place)
    try:
        return await thunk()
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - a branch hurts no sibling; gather knows if it was cancelled
        return Failed(error)
