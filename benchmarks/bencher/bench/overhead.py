"""What the scheduler and its journal cost a call, beside bare asyncio with a semaphore in the same run."""

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bencher.orchestration import Orchestrator
from bencher.orchestration.testing import STAGES, FakeAgent, grid, in_virtual_time

CALLS, ROUNDS, LIMIT = 10_000, 7, 4
ANSWER = "x" * 400


async def agent(_prompt: Any, _options: Any) -> str:
    """Answers at once: what remains is overhead."""
    return ANSWER


def microseconds_a_call(*, calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """The best of some rounds for each way, the ways taking turns so that a busy machine hurts all alike."""
    with tempfile.TemporaryDirectory(prefix="bencher-bench-") as folder:
        ways: dict[str, Callable[[], Awaitable[None]]] = {
            "bare asyncio: gather and a semaphore": lambda: _bare(calls),
            "parallel, no journal": lambda: _parallel(calls, None),
            "pipeline, no journal": lambda: _pipeline(calls, None),
            "parallel, journal, process": lambda: _parallel(calls, _fresh(folder)),
            "pipeline, journal, process": lambda: _pipeline(calls, _fresh(folder)),
            "hits": lambda: _parallel(calls, Path(folder) / "full.jsonl"),
        }
        asyncio.run(_parallel(calls, Path(folder) / "full.jsonl"))
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(rounds):
            for name, way in ways.items():
                best[name] = min(best[name], asyncio.run(_timed(way)) / calls * 1e6)
        best["parallel, journal, power"] = (
            asyncio.run(_timed(lambda: _parallel(500, _fresh(folder), durability="power"), time.perf_counter)) / 500 * 1e6
        )
    return best


def milliseconds_over_the_plan(*, rounds: int = 5) -> dict[str, tuple[float, float]]:
    """For a 12 × 3 grid of calls that take 6 to 55 ms: what the wall clock shows over the plan, ours and bare asyncio's; best of some."""
    over: dict[str, tuple[float, float]] = {}
    for shape in ("parallel", "pipeline"):
        with tempfile.TemporaryDirectory(prefix="bencher-bench-") as folder:
            plan = in_virtual_time(_timed(lambda shape=shape: _our_grid(shape, None), _loop_time))
            ours = min(
                asyncio.run(_timed(lambda shape=shape: _our_grid(shape, _fresh(folder)), _loop_time)) for _ in range(rounds)
            )
            bare = min(asyncio.run(_timed(lambda shape=shape: _bare_grid(shape), _loop_time)) for _ in range(rounds))
        over[shape] = (ours - plan) * 1e3, (bare - plan) * 1e3
    return over


def seconds_to_open(records: int = 100_000) -> tuple[float, float]:
    """Best of five of opening that many records, and the journal's size in MiB."""
    with tempfile.TemporaryDirectory(prefix="bencher-bench-") as folder:
        path = Path(folder) / "large.jsonl"
        asyncio.run(_parallel(records, path))
        times = [asyncio.run(_timed(lambda: _open(path))) for _ in range(5)]
        return min(times), path.stat().st_size / 2**20


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _taking(prompt: Any) -> float:
    """Seconds, different for each prompt."""
    return 0.006 + (sum(map(ord, prompt)) * 37 % 49) / 1000


async def _our_grid(shape: str, journal: Path | None) -> None:
    async with Orchestrator(journal=journal, limit=LIMIT, runner=FakeAgent(1, seconds=_taking)) as run:
        await grid(run, shape)


async def _bare_grid(shape: str) -> None:
    slots = asyncio.Semaphore(LIMIT)

    async def call(prompt: str) -> None:
        async with slots:
            await asyncio.sleep(_taking(prompt))

    async def chain(item: int) -> None:
        for stage in STAGES:
            await call(f"{stage} {item}")

    if shape == "pipeline":
        await asyncio.gather(*(chain(item) for item in range(12)))
        return
    for stage in STAGES:
        await asyncio.gather(*(call(f"{stage} {item}") for item in range(12)))


async def _bare(calls: int) -> None:
    slots = asyncio.Semaphore(LIMIT)

    async def one(number: int) -> str:
        async with slots:
            return await agent(f"prompt {number}", {"model": "m"})

    await asyncio.gather(*(one(number) for number in range(calls)))


async def _parallel(calls: int, journal: Path | None, durability: Any = "process") -> None:
    async with Orchestrator(journal=journal, limit=LIMIT, runner=agent, durability=durability) as run:
        await run.parallel([lambda number=number: run.agent(f"prompt {number}", {"model": "m"}) for number in range(calls)])


async def _pipeline(calls: int, journal: Path | None) -> None:
    async with Orchestrator(journal=journal, limit=LIMIT, runner=agent) as run:
        await run.pipeline(range(calls // 2), _stage(run, 1), _stage(run, 2))


def _stage(run: Orchestrator, stage: int) -> Callable[[Any, Any, int], Awaitable[Any]]:
    return lambda _previous, item, _index: run.agent(f"stage {stage} of {item}", {"model": "m"})


async def _open(path: Path) -> None:
    async with Orchestrator(journal=path, runner=agent):
        pass


async def _timed(way: Callable[[], Awaitable[None]], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of this process's own work, since other work on the machine is none of ours; nothing here waits but for the disk."""
    gc.collect()
    started = clock()
    await way()
    return clock() - started


_FILES = iter(range(10**9))


def _fresh(folder: str) -> Path:
    return Path(folder) / f"{next(_FILES)}.jsonl"
