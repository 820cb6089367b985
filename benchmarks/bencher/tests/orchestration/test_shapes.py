"""agent(), parallel() and pipeline(): what runs when, in virtual time with jittered durations."""

import asyncio
import random
import sys
from itertools import pairwise

import pytest
from bencher.orchestration import Failed, Orchestrator
from bencher.orchestration.testing import STAGES, FakeAgent, grid, in_virtual_time

SHAPES = ("parallel", "pipeline")


def durations(seed, equal=None):
    """Seconds by prompt, drawn anew for each seed."""
    source = random.Random(seed)
    return {f"{stage} {item}": equal or source.uniform(5.79, 54.52) for stage in STAGES for item in range(12)}


def seconds_of(shape, limit, taking):
    agent = FakeAgent(0, seconds=taking.__getitem__)

    async def job():
        async with Orchestrator(limit=limit, runner=agent) as run:
            await grid(run, shape)
        return asyncio.get_running_loop().time()

    return in_virtual_time(job()), agent


@pytest.mark.parametrize("seed", range(5))
def test_without_a_limit_both_shapes_stand_on_their_floor(seed):
    taking = durations(seed)
    slowest_of_each_stage = sum(max(taking[f"{stage} {item}"] for item in range(12)) for stage in STAGES)
    slowest_chain = max(sum(taking[f"{stage} {item}"] for stage in STAGES) for item in range(12))

    assert seconds_of("parallel", None, taking)[0] == pytest.approx(slowest_of_each_stage)
    assert seconds_of("pipeline", None, taking)[0] == pytest.approx(slowest_chain)
    assert slowest_chain < slowest_of_each_stage


@pytest.mark.parametrize(("limit", "percent"), [(4, 0), (8, 16.7), (16, 0), (36, 0)])
def test_with_equal_durations_the_barrier_costs_only_what_does_not_divide(limit, percent):
    barrier, pipeline = (seconds_of(shape, limit, durations(0, equal=10.0))[0] for shape in SHAPES)

    assert 100 * (1 - pipeline / barrier) == pytest.approx(percent, abs=0.1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("limit", [1, 4, 7])
@pytest.mark.parametrize("seed", range(3))
def test_the_limit_is_used_and_never_passed(shape, limit, seed):
    _, agent = seconds_of(shape, limit, durations(seed))

    assert agent.most_running == limit
    assert len(agent.begun) == 36


def test_slots_go_to_whoever_asked_first():
    agent = FakeAgent(3)

    async def job():
        async with Orchestrator(limit=3, runner=agent) as run:
            await run.parallel([lambda n=n: run.agent(n) for n in range(40)])

    in_virtual_time(job())

    assert agent.begun == list(range(40))
    assert agent.finished != agent.begun


def call_orders(shape, jitter):
    taking = [durations(seed if jitter else 0) for seed in range(30)]
    return {tuple(seconds_of(shape, 4, each)[1].begun) for each in taking}


def test_a_barrier_calls_in_one_order_and_a_pipeline_in_many():
    assert len(call_orders("parallel", jitter=True)) == 1
    assert len(call_orders("pipeline", jitter=True)) > 20
    assert len(call_orders("pipeline", jitter=False)) == 1  # why every other test here jitters


def test_a_pipeline_takes_an_item_on_while_another_is_still_in_its_first_stage():
    taking = {**durations(0, equal=1.0), f"{STAGES[0]} 0": 1000.0}
    _, agent = seconds_of("pipeline", 4, taking)

    assert agent.finished[-3:] == [f"{stage} 0" for stage in STAGES]


def test_stages_get_the_previous_answer_the_item_and_its_index():
    seen = []

    async def job():
        async with Orchestrator(runner=FakeAgent(1, seconds=lambda _: 1)) as run:

            async def one(previous, item, index):
                seen.append((previous, item, index))
                return f"{item}1"

            async def two(previous, item, index):
                seen.append((previous, item, index))
                return f"{previous}2"

            return await run.pipeline(["a", "b"], one, two)

    assert in_virtual_time(job()) == ["a12", "b12"]
    assert sorted(seen) == [("a", "a", 0), ("a1", "a", 0), ("b", "b", 1), ("b1", "b", 1)]


def test_answers_stand_in_the_order_of_asking_and_a_failure_in_its_place():
    async def agent(prompt, _options):
        await asyncio.sleep(random.Random(prompt).random())
        if prompt % 3 == 1:
            raise ValueError(prompt)
        return prompt * 10

    async def job():
        async with Orchestrator(runner=agent) as run:
            stage = lambda previous, item, index: run.agent(item)
            return (
                await run.parallel([lambda n=n: run.agent(n) for n in range(9)]),
                await run.pipeline(range(9), stage, stage),
                await run.parallel([]),
                await run.pipeline([]),
                await run.pipeline([1, 2]),
            )

    parallel, pipeline, *rest = in_virtual_time(job())

    for answers in (parallel, pipeline):
        assert [a if not isinstance(a, Failed) else (type(a.error), a.error.args) for a in answers] == [
            n * 10 if n % 3 != 1 else (ValueError, (n,)) for n in range(9)
        ]
    assert rest == [[], [], [1, 2]]


def test_a_failed_item_leaves_its_chain_and_hurts_no_sibling():
    reached = []

    async def job():
        async with Orchestrator(runner=FakeAgent(2)) as run:

            async def first(_previous, item, _index):
                await run.agent(item)
                if item == 2:
                    raise RuntimeError("the stage itself")
                if item == 3:
                    raise asyncio.CancelledError
                return item

            async def second(_previous, item, _index):
                reached.append(item)
                return await run.agent(f"second {item}")

            return await run.pipeline(range(5), first, second)

    answers = in_virtual_time(job())

    assert [type(a) for a in answers] == [str, str, Failed, Failed, str]
    assert sorted(reached) == [0, 1, 4]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks came with Python 3.12")
def test_eager_tasks_change_nothing():
    async def job():
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        agent = FakeAgent(1)
        async with Orchestrator(runner=agent) as run:
            one = await asyncio.wait_for(run.agent("p"), 1000)
            return one, len(await grid(run, "pipeline")), agent.most_running

    assert in_virtual_time(job())[1:] == (36, 4)


def test_shapes_nest():
    async def job():
        async with Orchestrator(limit=2, runner=FakeAgent(2, seconds=lambda _: 1)) as run:
            trio = lambda item: run.parallel([lambda n=n: run.agent([item, n]) for n in range(3)])
            return await run.pipeline(
                range(4), lambda _p, item, _i: trio(item), lambda previous, _item, _i: run.agent(len(previous))
            )

    assert [answer.split()[0] for answer in in_virtual_time(job())] == ["3", "3", "3", "3"]


def test_what_is_no_thunk_or_breaks_at_once_fails_in_its_place():
    def broken():
        raise KeyError("at once")

    async def job():
        async with Orchestrator(runner=FakeAgent(2)) as run:
            return await run.parallel([broken, lambda: 5, lambda: run.agent("p")])

    first, second, third = in_virtual_time(job())

    assert isinstance(first.error, KeyError)
    assert isinstance(second.error, TypeError)
    assert third.startswith("p ->")


def test_a_run_that_is_not_open_says_so():
    run = Orchestrator(runner=FakeAgent(1))

    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(run.agent("p"))


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": -1}, {"durability": "hope"}])
def test_a_wrong_limit_or_durability_is_refused(wrong):
    with pytest.raises(ValueError, match="limit"):
        Orchestrator(runner=FakeAgent(1), **wrong)


def test_the_context_of_the_first_caller_reaches_the_agent_and_no_further():
    from contextvars import ContextVar

    variable = ContextVar("variable", default="none")
    seen = []

    async def agent(_prompt, _options):
        seen.append(variable.get())
        variable.set("the agent's")

    async def job():
        async with Orchestrator(limit=1, runner=agent) as run:

            async def ask(n):
                variable.set(n)
                await run.agent(n)
                return variable.get()

            return await run.parallel([lambda n=n: ask(n) for n in range(4)])

    assert in_virtual_time(job()) == [0, 1, 2, 3]
    assert seen == [0, 1, 2, 3]


def test_pairs_of_begun_calls_overlap_no_more_than_the_limit_in_time():
    """With limit 1 each call begins when the one before has ended."""
    spans = []

    async def agent(_prompt, _options):
        loop = asyncio.get_running_loop()
        started = loop.time()
        await asyncio.sleep(1)
        spans.append((started, loop.time()))

    async def job():
        async with Orchestrator(limit=1, runner=agent) as run:
            await run.parallel([lambda n=n: run.agent(n) for n in range(10)])

    in_virtual_time(job())

    assert all(one[1] == pytest.approx(two[0]) for one, two in pairwise(spans))
