"""Point 1, rules 6 and 8: equal questions are one payment; waiters come and go; hits wait for nothing."""

import asyncio
import random

import pytest
from bencher.orchestration import Failed, Orchestrator, Policy
from bencher.orchestration.testing import FakeAgent, in_virtual_time


def in_a_run(job, agent, journal=None, limit=4):
    async def whole():
        async with Orchestrator(journal=journal, limit=limit, runner=agent) as run:
            return await job(run), run.report

    return in_virtual_time(whole())


def test_equal_questions_in_flight_are_one_payment_and_counted_as_shared():
    agent = FakeAgent(1)
    answers, report = in_a_run(lambda run: run.parallel([lambda: run.agent("p", {"m": 1})] * 7), agent)

    assert len(set(answers)) == 1
    assert agent.begun == ["p"]
    assert (report.paid, report.shared, report.calls) == (1, 6, 7)


@pytest.mark.parametrize("with_journal", [True, False])
def test_an_equal_question_later_in_the_run_is_shared_too(with_journal, tmp_path):
    agent = FakeAgent(1)

    async def job(run):
        return [await run.agent("p") for _ in range(3)]

    answers, report = in_a_run(job, agent, journal=tmp_path / "j" if with_journal else None)

    assert len(set(answers)) == 1
    assert (agent.begun, report.paid, report.shared, report.reused) == (["p"], 1, 2, 0)


def test_samples_are_different_questions_and_more_of_them_pay_the_difference(tmp_path):
    agents = [FakeAgent(1), FakeAgent(2)]
    five, _ = in_a_run(lambda run: run.repeat("p", times=5), agents[0], journal=tmp_path / "j")
    seven, report = in_a_run(lambda run: run.repeat("p", times=7), agents[1], journal=tmp_path / "j")

    assert len(set(five)) == 5
    assert seven[:5] == five
    assert len(set(seven)) == 7
    assert (len(agents[1].begun), report.reused) == (2, 5)


@pytest.mark.parametrize("seed", range(20))
def test_trials_swap_no_answers_whatever_ends_first(seed, tmp_path):
    """12 items are 4 tasks with 3 trials each; the resume has another jitter."""

    async def job(run):
        first = lambda _p, item, _i: run.agent(f"first {item[0]}", sample=item[1])
        then = lambda previous, item, _i: run.agent(f"then {item[0]} given {previous}", sample=item[1])
        return await run.pipeline([(task, trial) for task in range(4) for trial in range(3)], first, then, then)

    agents = [FakeAgent(seed), FakeAgent(seed + 1000)]
    (first, _), (second, _) = (in_a_run(job, agent, journal=tmp_path / "j") for agent in agents)

    assert first == second
    assert len(set(first)) == 12
    assert [len(agent.begun) for agent in agents] == [36, 0]


def test_a_waiters_cancellation_reaches_no_other():
    agent = FakeAgent(1, seconds=lambda _: 10)

    async def job(run):
        waiters = [asyncio.create_task(run.agent("p")) for _ in range(4)]
        await asyncio.sleep(5)
        waiters[0].cancel()
        waiters[2].cancel()
        return await asyncio.gather(*waiters, return_exceptions=True)

    answers, report = in_a_run(job, agent)

    assert [type(answer) for answer in answers] == [asyncio.CancelledError, str, asyncio.CancelledError, str]
    assert (agent.begun, agent.finished) == (["p"], ["p"])
    assert (report.paid, report.shared, report.cancelled) == (1, 1, 2)


def test_the_last_waiters_cancellation_reaches_the_agent():
    agent = FakeAgent(1, seconds=lambda _: 10)

    async def job(run):
        waiters = [asyncio.create_task(run.agent("p")) for _ in range(3)]
        await asyncio.sleep(5)
        for waiter in waiters:
            waiter.cancel()
        await asyncio.gather(*waiters, return_exceptions=True)
        return agent.running, asyncio.get_running_loop().time()

    (running, now), _ = in_a_run(job, agent)

    assert (running, now, agent.finished) == (0, 5, [])


def test_who_asks_while_an_abandoned_agent_winds_down_gets_an_answer_of_its_own():
    begun = []

    async def agent(_prompt, _options):
        begun.append(asyncio.get_running_loop().time())
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            await asyncio.sleep(3)
            raise
        return "answer"

    async def job(run):
        first = asyncio.create_task(run.agent("p"))
        await asyncio.sleep(1)
        first.cancel()
        await asyncio.sleep(1)
        return await run.agent("p")

    answer, _ = in_a_run(job, agent)

    assert answer == "answer"
    assert len(begun) == 2
    assert begun[1] >= 4  # never two at once


def test_a_failure_reaches_all_who_wait_and_is_forgotten():
    agent = FakeAgent(1)
    fails = [True]

    async def weak(prompt, options):
        await asyncio.sleep(1)
        if fails.pop() if fails else False:
            raise ConnectionError
        return await agent(prompt, options)

    async def job(run):
        first = await run.parallel([lambda: run.agent("p")] * 3)
        return first, await run.agent("p")

    (failed, answer), report = in_a_run(job, weak)

    assert all(isinstance(each, Failed) for each in failed)
    assert answer.startswith("p")
    assert (report.failed, report.paid, report.attempts) == (3, 1, 2)


def test_a_sharer_who_asks_for_more_gets_more():
    answers = ["junk", "good"]

    async def agent(_prompt, _options):
        await asyncio.sleep(1)
        return answers.pop(0)

    async def job(run):
        strict = Policy(validate=lambda answer: answer != "junk")
        return await run.parallel([lambda: run.agent("p"), lambda: run.agent("p", policy=strict)])

    assert in_a_run(job, agent)[0] == ["junk", "good"]


def test_a_hit_takes_no_slot(tmp_path):
    in_a_run(lambda run: run.agent("old"), FakeAgent(1), journal=tmp_path / "j")
    agent = FakeAgent(2, seconds=lambda _: 100)

    async def job(run):
        busy = [asyncio.create_task(run.agent(n)) for n in range(3)]
        await asyncio.sleep(1)
        await run.agent("old")
        now = asyncio.get_running_loop().time()
        await asyncio.gather(*busy)
        return now

    assert in_a_run(job, agent, journal=tmp_path / "j", limit=1)[0] == 1


def test_a_hit_path_may_run_depth_first_and_gives_the_same_answers(tmp_path):
    """Plain `await` of a hit does not yield: item 0 goes through all stages first. Nothing may depend on the order."""
    order = []

    async def job(run):
        async def stage(previous, item, _index):
            order.append(item)
            return await run.agent(f"{item} given {previous}")

        return await run.pipeline(range(5), stage, stage)

    first, _ = in_a_run(job, FakeAgent(1), journal=tmp_path / "j")
    order.clear()
    second, _ = in_a_run(job, FakeAgent(2), journal=tmp_path / "j")

    assert first == second
    assert order == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize("seed", range(30))
def test_sharers_that_come_and_go_at_random_pay_once_for_each_question(seed):
    source, finished, running = random.Random(seed), [], set()

    async def agent(prompt, _options):
        assert prompt not in running, "asked twice at once"
        running.add(prompt)
        try:
            await asyncio.sleep(source.choice([1, 1, 2, 3]))
        finally:
            running.discard(prompt)
        finished.append(prompt)
        return prompt

    async def job(run):
        async def comes_and_goes():
            await asyncio.sleep(source.choice([0, 1, 1, 2]))
            prompt = source.randrange(6)
            waiter = asyncio.create_task(run.agent(prompt))
            if source.random() < 0.5:
                await asyncio.sleep(source.choice([0, 1, 2, 3]))
                waiter.cancel()
            (outcome,) = await asyncio.gather(waiter, return_exceptions=True)
            return isinstance(outcome, asyncio.CancelledError) or outcome == prompt

        return await asyncio.gather(*(comes_and_goes() for _ in range(40)))

    right, report = in_a_run(job, agent, limit=source.choice([1, 2, 9]))

    assert all(right)
    assert len(finished) == len(set(finished))
    assert report.calls == 40
    assert running == set()
