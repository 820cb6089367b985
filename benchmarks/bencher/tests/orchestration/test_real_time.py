"""Point 8, where time is the point: the 12 × 3 grid on a real clock, and what a call costs. The figures are `make bench`'s."""

import asyncio
import time

import pytest
from bencher.orchestration import Orchestrator
from bencher.orchestration.testing import FakeAgent, grid, in_virtual_time


def taking(prompt):
    """Different for each prompt, 6 to 55 ms."""
    return 0.006 + (sum(map(ord, prompt)) * 37 % 49) / 1000


async def ours(shape, journal=None):
    async with Orchestrator(journal=journal, limit=4, runner=FakeAgent(1, seconds=taking)) as run:
        await grid(run, shape)


async def seconds(job):
    loop = asyncio.get_running_loop()
    started = loop.time()
    await job
    return loop.time() - started


@pytest.mark.parametrize("shape", ["parallel", "pipeline"])
def test_the_grid_in_real_time_keeps_to_the_plan(shape, tmp_path):
    plan = in_virtual_time(seconds(ours(shape)))

    took = min(asyncio.run(seconds(ours(shape, tmp_path / f"{attempt}"))) for attempt in range(5))

    assert plan - 0.001 < took < plan + 0.5


def test_a_call_costs_a_small_multiple_of_bare_asyncio():
    """The figures are `make bench`'s; this bound only catches a scheduler that went quadratic."""

    async def instant(_prompt, _options):
        return "x"

    async def job(calls):
        async with Orchestrator(runner=instant) as run:
            await run.parallel([lambda n=n: run.agent(n) for n in range(calls)])

    def cpu_seconds(calls):
        started = time.process_time()
        asyncio.run(job(calls))
        return (time.process_time() - started) / calls

    cpu_seconds(100)
    assert min(cpu_seconds(4000) for _ in range(2)) < 4 * min(cpu_seconds(500) for _ in range(3)) + 50e-6
