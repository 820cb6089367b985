"""For tests of what runs on the orchestrator: a clock that jumps, an agent whose durations jitter, and the usual job."""

import asyncio
import random
import selectors
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bencher.orchestration import Orchestrator

STAGES = ("read the source of", "pull the numbers of", "check the numbers of")


class VirtualClock(asyncio.SelectorEventLoop):
    """An event loop in which waiting takes no time: when nothing is left to do, the clock jumps to the next timer."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._now

    def jump(self, seconds: float) -> None:
        """Let this much time have passed."""
        self._now += seconds


def in_virtual_time(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Like `asyncio.run`, with a clock that jumps."""
    with asyncio.Runner(loop_factory=VirtualClock) as runner:
        return runner.run(coroutine)


@dataclass
class FakeAgent:
    """Answers each question differently each time it is asked, after a duration that jitters.

    A constant duration would prove nothing: calls then come in one order in every run.
    """

    seed: int
    seconds: Callable[[Any], float] | None = None
    """How long a prompt takes; else anything from 5.79 to 54.52 seconds, as 30 real calls did."""
    begun: list[Any] = field(default_factory=list[Any])
    """Prompts in the order in which they were asked: what was paid."""
    finished: list[Any] = field(default_factory=list[Any])
    running: int = 0
    most_running: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    async def __call__(self, prompt: Any, _options: Any) -> Any:
        """Wait, then answer with a text that no other run would give."""
        self.begun.append(prompt)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(self.seconds(prompt) if self.seconds else self._random.uniform(5.79, 54.52))
        finally:
            self.running -= 1
        self.finished.append(prompt)
        return f"{prompt} -> {self._random.getrandbits(64):x}"


async def grid(
    run: Orchestrator,
    shape: str,
    *,
    stages: Sequence[str] = STAGES,
    quotes: Sequence[Sequence[int]] = ((), (), ()),
    items: Sequence[Any] = range(12),
) -> dict[tuple[Any, int], Any]:
    """The usual job, 12 items with 3 steps each, as "parallel" or "pipeline"; the answers by item and stage.

    `quotes[stage]` names the earlier stages whose answers this stage's prompt carries.
    """
    answers: dict[tuple[Any, int], Any] = {}

    async def ask(stage: int, item: Any) -> None:
        quoted = "".join(f" given {answers[item, earlier]}" for earlier in quotes[stage])
        answers[item, stage] = await run.agent(f"{stages[stage]} {item}{quoted}")

    if shape == "parallel":
        for stage in range(len(stages)):
            await run.parallel([partial(ask, stage, item) for item in items])
    else:
        await run.pipeline(items, *(_stage(ask, stage) for stage in range(len(stages))))
    return answers


def _stage(ask: Callable[[int, Any], Awaitable[None]], stage: int) -> Callable[[Any, Any, int], Awaitable[None]]:
    return lambda _previous, item, _index: ask(stage, item)


class _Jumping(selectors.DefaultSelector):
    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> Any:
        if timeout and (ready := super().select(0)):
            return ready
        if timeout:
            self._clock.jump(timeout)
        return super().select(timeout and 0)
