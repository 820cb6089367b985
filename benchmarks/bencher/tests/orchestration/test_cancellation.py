"""Point 6, rule 7: a run may be cancelled at any moment; nothing is paid after, nothing runs on, nothing returned is lost."""

import asyncio
import random

import pytest
from bencher.orchestration import Interrupted, Orchestrator, Policy
from bencher.orchestration.testing import FakeAgent, grid, in_virtual_time


async def cancelled_at(moment, agent, journal, shape, *, limit=4, policy=None):
    """A run that is cancelled at that moment of the clock; what it had handed over by then, and the seconds it took to end."""
    handed_over = {}

    async def job():
        async with Orchestrator(journal=journal, limit=limit, runner=agent) as run:
            ask = run.agent

            async def noting(prompt, *how):
                answer = await ask(prompt, *how, **({"policy": policy} if policy else {}))
                handed_over[prompt] = answer
                return answer

            run.agent = noting
            await grid(run, shape, quotes=((), (0,), (0, 1)))

    loop = asyncio.get_running_loop()
    task = asyncio.create_task(job())
    loop.call_at(moment, task.cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
    return handed_over, loop.time()


def whole(agent, journal, shape):
    async def job():
        async with Orchestrator(journal=journal, runner=agent) as run:
            return await grid(run, shape, quotes=((), (0,), (0, 1))), run.report

    return in_virtual_time(job())


def endings(seed, shape, folder):
    """The moments at which agents finish in a run that is left alone."""
    times = []
    agent = FakeAgent(seed)

    async def noting(prompt, options):
        try:
            return await agent(prompt, options)
        finally:
            times.append(asyncio.get_running_loop().time())

    whole(noting, folder / "left alone", shape)
    return sorted(times)


@pytest.mark.parametrize("shape", ["parallel", "pipeline"])
@pytest.mark.parametrize("where", ["anywhere", "at an ending", "just before an ending"])
@pytest.mark.parametrize("seed", range(10))
def test_a_cancelled_run_leaves_a_journal_that_the_next_run_uses(seed, where, shape, tmp_path):
    times = endings(seed, shape, tmp_path)
    source = random.Random(f"{seed} {where} {shape}")
    moment = source.uniform(0, times[-1] * 0.99) if where == "anywhere" else source.choice(times[:-1])
    moment -= 1e-9 if where.startswith("just") else 0
    agent, next_agent, third_agent = FakeAgent(seed), FakeAgent(seed + 1), FakeAgent(seed + 2)

    handed_over, ended = in_virtual_time(cancelled_at(moment, agent, tmp_path / "j", shape))
    answers, report = whole(next_agent, tmp_path / "j", shape)
    third, _ = whole(third_agent, tmp_path / "j", shape)

    assert ended == pytest.approx(moment)
    assert agent.running == 0
    assert len(agent.begun) <= len(agent.finished) + 4
    assert set(next_agent.begun).isdisjoint(agent.finished)
    assert handed_over.items() <= all_prompts(answers).items()
    assert report.reused == len(agent.finished)
    assert report.repaid_in_flight == 0  # cancelled, not crashed
    assert third == answers
    assert third_agent.begun == []


def all_prompts(answers):
    """Every answer by its prompt, which the fake agent repeats in it."""
    return {answer.rpartition(" -> ")[0]: answer for answer in answers.values()}


def test_nothing_is_begun_after_the_cancellation():
    agent, begun_at = FakeAgent(1, seconds=lambda _: 10), []

    async def noting(prompt, options):
        begun_at.append(asyncio.get_running_loop().time())
        return await agent(prompt, options)

    in_virtual_time(cancelled_at(10, noting, None, "pipeline"))

    assert begun_at == [0] * 4  # the slots that become free in that very moment are not filled


def test_a_cancellation_is_never_retried_even_if_the_agent_turns_it_into_an_error():
    begun = []

    async def turns(prompt, _options):
        begun.append(prompt)
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            raise ConnectionError from None

    in_virtual_time(cancelled_at(5, turns, None, "parallel", policy=Policy(attempts=5)))

    assert len(begun) == 4


def test_what_an_agent_says_in_spite_of_its_cancellation_is_no_result_and_is_asked_again(tmp_path):
    async def insists(prompt, _options):
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            return f"{prompt} -> in spite"

    in_virtual_time(cancelled_at(5, insists, tmp_path / "j", "parallel"))
    agent = FakeAgent(1)
    _, report = whole(agent, tmp_path / "j", "parallel")

    assert (report.reused, report.paid, report.repaid_in_flight) == (0, 36, 0)


@pytest.mark.parametrize("times", [1, 2, 3, 7])
def test_the_agent_is_gone_and_its_key_held_until_then_however_often_the_run_is_cancelled(times, tmp_path):
    events = []

    async def takes_its_time(_prompt, _options):
        events.append("begun")
        loop, end = asyncio.get_running_loop(), None
        while end is None or loop.time() < end:
            try:
                await asyncio.sleep(30 if end is None else end - loop.time())
            except asyncio.CancelledError:
                end = end or loop.time() + 10.03  # between two looks of the other run
        events.append("gone")
        raise asyncio.CancelledError

    async def one():
        async with Orchestrator(journal=tmp_path / "j", runner=takes_its_time) as run:
            await run.agent("p")

    async def job():
        task = asyncio.create_task(one())
        await asyncio.sleep(1)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0.1)
        again = asyncio.create_task(one())
        await asyncio.gather(task, return_exceptions=True)
        events.append("returned")
        await asyncio.sleep(1)
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)

    in_virtual_time(job())

    assert events == ["begun", "gone", "returned", "begun", "gone"]


def test_an_answer_that_comes_in_at_the_moment_of_the_cancellation_is_kept(tmp_path):
    """The agent's work is done, and its task has not yet run on."""
    agent = FakeAgent(1)

    async def job():
        done = asyncio.get_running_loop().create_future()

        async def waits(_prompt, _options):
            return await done

        async with Orchestrator(journal=tmp_path / "j", runner=waits) as run:
            task = asyncio.create_task(run.agent("p"))
            await asyncio.sleep(1)
            done.set_result("paid for")
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            return await run.agent("p")

    assert in_virtual_time(job()) == "paid for"
    assert agent.begun == []


def test_cancellation_waits_until_the_agent_is_gone():
    gone = []

    async def tidies_up(_prompt, _options):
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(7)
            gone.append(True)

    _, ended = in_virtual_time(cancelled_at(5, tidies_up, None, "parallel", limit=2))

    assert gone == [True, True]
    assert ended == 12


def test_a_second_cancellation_does_not_lose_the_journal(tmp_path):
    async def slow_to_go(prompt, _options):
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(50)

    async def job():
        async def one():
            async with Orchestrator(journal=tmp_path / "j", runner=slow_to_go) as run:
                await run.agent("p")

        task = asyncio.create_task(one())
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1, seconds=lambda _: 1)) as run:
            return await run.agent("q"), await asyncio.sleep(100)

    assert in_virtual_time(job())[0].startswith("q")


def test_leaving_the_run_ends_what_was_not_waited_for():
    agent = FakeAgent(1, seconds=lambda _: 100)

    async def job():
        async with Orchestrator(limit=1, runner=agent) as run:
            stray = [asyncio.create_task(run.agent(n)) for n in range(3)]
            await asyncio.sleep(1)
        return await asyncio.gather(*stray, return_exceptions=True), agent.running

    outcomes, running = in_virtual_time(job())

    assert [type(outcome) for outcome in outcomes] == [Interrupted] * 3
    assert (running, agent.begun) == (0, [0])


def test_a_stopped_event_loop_pays_for_nothing_more(tmp_path):
    """Ctrl-C and a broken loop cancel every task at once, callers and agents alike."""
    begun = []

    async def agent(prompt, _options):
        begun.append(prompt)
        if prompt == 3:
            raise KeyboardInterrupt
        await asyncio.sleep(10)
        return prompt

    async def job():
        async with Orchestrator(journal=tmp_path / "j", limit=4, runner=agent) as run:
            await run.parallel([lambda n=n: run.agent(n, policy=Policy(attempts=3)) for n in range(12)])

    with pytest.raises(KeyboardInterrupt):
        in_virtual_time(job())

    assert begun == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(10))
def test_a_new_commit_pays_for_what_changed_and_what_was_unfinished(seed, tmp_path):
    agent, next_agent = FakeAgent(seed), FakeAgent(seed + 1)
    in_virtual_time(cancelled_at(100 + seed * 10, agent, tmp_path / "j", "pipeline"))

    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=next_agent) as run:
            items = ["new 0", "new 1", "new 2", "new 3", *range(4, 12)]
            await grid(run, "pipeline", quotes=((), (0,), (0, 1)), items=items)
            return run.report

    report = in_virtual_time(job())
    kept = [prompt for prompt in agent.finished if not any(f" {item}" in prompt.split(" given")[0][-2:] for item in range(4))]

    assert report.reused == len(kept)
    assert report.paid == 36 - len(kept)
