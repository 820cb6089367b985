"""Point 3, rule 5: failing, hanging and lying agents. A failure is never a result, and hurts nobody else."""

import asyncio
import random

import pytest
from bencher.orchestration import Failed, Interrupted, NotCanonical, Orchestrator, Policy, Rejected
from bencher.orchestration.testing import FakeAgent, in_virtual_time


def asked(agent, policy=Policy(), journal=None, prompt="p"):
    """The outcome of one call, its report and the seconds it took."""

    async def job():
        async with Orchestrator(journal=journal, runner=agent) as run:
            (outcome,) = await run.parallel([lambda: run.agent(prompt, policy=policy)])
            return outcome, run.report, asyncio.get_running_loop().time()

    return in_virtual_time(job())


async def raises(_prompt, _options):
    raise ConnectionError("no route")


async def hangs(_prompt, _options):
    await asyncio.Event().wait()


async def exits(_prompt, _options):
    raise SystemExit(3)


async def cancels_inside(_prompt, _options):
    raise asyncio.CancelledError


async def cancels_itself(_prompt, _options):
    asyncio.current_task().cancel()
    await asyncio.sleep(1)


async def answers_no_json(_prompt, _options):
    return {"set": {1}}


async def answers_a_key_that_is_no_text(_prompt, _options):
    return {1: "a"}


async def answers_nan(_prompt, _options):
    return float("nan")


async def closes(_prompt, _options):
    raise GeneratorExit


async def groups(_prompt, _options):
    raise BaseExceptionGroup("several", [asyncio.CancelledError(), ValueError()])


async def stops(_prompt, _options):
    raise StopAsyncIteration


def is_no_coroutine(_prompt, _options):
    return "an answer, but not awaited"


def stops_at_once(_prompt, _options):
    raise StopIteration


BROKEN = {
    raises: ConnectionError,
    exits: Interrupted,
    cancels_inside: Interrupted,
    cancels_itself: Interrupted,
    answers_no_json: NotCanonical,
    answers_a_key_that_is_no_text: NotCanonical,
    answers_nan: NotCanonical,
    closes: Interrupted,
    groups: Interrupted,
    stops: StopAsyncIteration,
    is_no_coroutine: TypeError,
    stops_at_once: RuntimeError,
}


@pytest.mark.parametrize("agent", BROKEN, ids=lambda agent: agent.__name__)
def test_whatever_an_agent_does_is_its_own_failure_and_asked_again_next_time(agent, tmp_path):
    async def other(prompt, options):
        return await (agent(prompt, options) if prompt == "p" else FakeAgent(1)(prompt, options))

    async def job():
        async with Orchestrator(
            journal=tmp_path / "j", runner=agent if agent in (is_no_coroutine, stops_at_once) else other
        ) as run:
            return await run.parallel([lambda: run.agent("p"), lambda: run.agent("q")])

    broken, sibling = in_virtual_time(job())
    healthy = FakeAgent(2)
    outcome, report, _ = asked(healthy, journal=tmp_path / "j")

    assert isinstance(broken, Failed)
    assert isinstance(broken.error, BROKEN[agent])
    assert isinstance(sibling, Failed) == (agent in (is_no_coroutine, stops_at_once))
    assert healthy.begun == ["p"]
    assert outcome.startswith("p ->")
    assert report.paid == 1


def test_a_hanging_agent_is_ended_in_time_and_its_slot_is_free():
    ended = []

    async def hangs_noisily(prompt, _options):
        if prompt == "quick":
            return "quick"
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(asyncio.get_running_loop().time())

    async def job():
        async with Orchestrator(limit=1, runner=hangs_noisily) as run:
            return await run.parallel([lambda: run.agent("p", policy=Policy(timeout_s=7)), lambda: run.agent("quick")])

    late, quick = in_virtual_time(job())

    assert isinstance(late.error, TimeoutError)
    assert "7" in str(late.error)
    assert ended == [7]
    assert quick == "quick"


def test_an_answer_after_the_time_is_up_is_no_result(tmp_path):
    async def will_not_stop(_prompt, _options):
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            await asyncio.sleep(3)
        return "late"

    outcome, _, seconds = asked(will_not_stop, Policy(timeout_s=5), journal=tmp_path / "j")
    again = FakeAgent(1)
    asked(again, journal=tmp_path / "j")

    assert isinstance(outcome.error, TimeoutError)
    assert seconds == 8
    assert again.begun == ["p"]


def test_the_wait_for_a_slot_does_not_count():
    agent = FakeAgent(1, seconds=lambda _: 10)

    async def job():
        async with Orchestrator(limit=1, runner=agent) as run:
            return await run.parallel([lambda n=n: run.agent(n, policy=Policy(timeout_s=11)) for n in range(5)])

    assert not any(isinstance(answer, Failed) for answer in in_virtual_time(job()))


def test_attempts_are_counted_paid_and_spaced():
    times = []

    async def third_time_lucky(_prompt, _options):
        times.append(asyncio.get_running_loop().time())
        if len(times) < 3:
            raise ConnectionError
        return "yes"

    outcome, report, _ = asked(third_time_lucky, Policy(attempts=5, backoff_s=2))

    assert outcome == "yes"
    assert times == [0, 2, 6]
    assert (report.attempts, report.retried, report.paid, report.failed) == (3, 2, 1, 0)


def test_the_last_failure_is_the_one_that_is_raised_and_no_attempt_is_too_many():
    numbers = iter(range(100))

    async def fails(_prompt, _options):
        raise ValueError(next(numbers))

    outcome, report, _ = asked(fails, Policy(attempts=4))

    assert outcome.error.args == (3,)
    assert (report.attempts, report.retried, report.failed) == (4, 3, 1)


def test_a_cancellation_that_the_agent_made_up_is_a_failure_like_others_and_tried_again():
    tries = []

    async def agent(_prompt, _options):
        tries.append(1)
        if len(tries) == 1:
            raise asyncio.CancelledError
        return "yes"

    assert asked(agent, Policy(attempts=2))[0] == "yes"


def test_no_slot_is_held_between_attempts():
    order = []

    async def agent(prompt, _options):
        order.append(prompt)
        if order == ["weak"]:
            raise ConnectionError
        await asyncio.sleep(1)
        return prompt

    async def job():
        async with Orchestrator(limit=1, runner=agent) as run:
            await run.parallel(
                [
                    lambda: run.agent("weak", policy=Policy(attempts=2, backoff_s=1.5)),
                    *(lambda n=n: run.agent(n) for n in range(3)),
                ]
            )
            return asyncio.get_running_loop().time()

    assert in_virtual_time(job()) == 4
    assert order == ["weak", 0, 1, 2, "weak"]


def by_lambda(answer):
    return answer != "junk"


def by_raising(answer):
    if answer == "junk":
        raise ValueError("junk")


@pytest.mark.parametrize("validate", [by_lambda, by_raising])
def test_a_rejected_answer_is_no_result(validate, tmp_path):
    answers = ["junk", "junk", "good"]

    async def agent(_prompt, _options):
        return answers.pop(0)

    first, report, _ = asked(agent, Policy(validate=validate), journal=tmp_path / "j")
    second, _, _ = asked(agent, Policy(validate=validate, attempts=2), journal=tmp_path / "j")

    assert isinstance(first.error, Rejected)
    assert report.failed == 1
    assert second == "good"
    assert answers == []


def test_an_old_answer_that_does_not_count_any_more_is_asked_again_once(tmp_path):
    answers = ["junk", "good"]

    async def agent(_prompt, _options):
        return answers.pop(0)

    lax = asked(agent, journal=tmp_path / "j")[0]
    strict = asked(agent, Policy(validate=by_lambda), journal=tmp_path / "j")[0]
    later = asked(agent, journal=tmp_path / "j")[0]

    assert (lax, strict, later, answers) == ("junk", "good", "good", [])


def test_an_agent_cannot_change_an_answer_that_it_gave(tmp_path):
    kept = {"numbers": [1, 2]}

    async def agent(_prompt, _options):
        return kept

    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            one, two = await run.parallel([lambda: run.agent("p"), lambda: run.agent("p")])
            kept["numbers"].append(3)
            one["numbers"].append(4)
            return two, await run.agent("p")

    assert in_virtual_time(job()) == ({"numbers": [1, 2]}, {"numbers": [1, 2]})


ANSWERS = [None, "", 0, False, [], {}, "\u2028\n\r\0\ud83d", {"b": 1, "a": [1.5, "é"]}, "x" * 300_000, -0.0, 10**30]


@pytest.mark.parametrize("answer", ANSWERS, ids=[repr(answer)[:20] for answer in ANSWERS])
def test_any_json_value_comes_back_as_it_was(answer, tmp_path):
    async def agent(_prompt, _options):
        return answer

    first, _, _ = asked(agent, journal=tmp_path / "j")
    second, report, _ = asked(raises, journal=tmp_path / "j")

    assert repr(first) == repr(second) == repr(answer)
    assert report.reused == 1


def test_a_tuple_is_a_list_at_once_and_not_only_when_it_comes_back(tmp_path):
    async def agent(_prompt, _options):
        return (1, (2, 3))

    assert asked(agent, journal=tmp_path / "j")[0] == asked(raises, journal=tmp_path / "j")[0] == [1, [2, 3]]


@pytest.mark.parametrize("seed", range(40))
def test_many_failures_at_once_break_no_rule(seed, tmp_path):
    """30 % of attempts raise, hang or return junk, 3 tries: the limit holds, no try too many, the second run pays the rest."""
    source, tries, answered, running, most = random.Random(seed), {}, [], 0, 0

    async def agent(prompt, _options):
        nonlocal running, most
        tries[prompt] = tries.get(prompt, 0) + 1
        running += 1
        most = max(most, running)
        try:
            await asyncio.sleep(source.uniform(1, 10))
            match source.choices(["good", "raise", "hang", "junk"], [7, 1, 1, 1])[0]:
                case "raise":
                    raise ConnectionError
                case "hang":
                    await asyncio.Event().wait()
                case "junk":
                    return "junk"
        finally:
            running -= 1
        answered.append(prompt)
        return f"{prompt} {source.random()}"

    async def job(runner):
        policy = Policy(attempts=3, timeout_s=20, backoff_s=source.choice([0, 1]), validate=by_lambda)
        async with Orchestrator(journal=tmp_path / "j", limit=4, runner=runner) as run:
            stage = lambda k: lambda _p, item, _i: run.agent(f"{k} {item}", policy=policy)
            await run.pipeline(range(12), stage(1), stage(2), stage(3))
            return run.report

    report = in_virtual_time(job(agent))
    paid_first = dict(tries)
    healthy = FakeAgent(seed, seconds=lambda _: 5)
    second = in_virtual_time(job(healthy))

    assert most <= 4
    assert max(paid_first.values()) <= 3
    assert report.attempts == sum(paid_first.values())
    assert report.paid + second.paid == 36
    assert second.reused == report.paid
    assert len(answered) == len(set(answered)) == report.paid
    assert set(healthy.begun).isdisjoint(answered)


@pytest.mark.parametrize("wrong", [{"attempts": 0}, {"timeout_s": 0}, {"timeout_s": -1}, {"backoff_s": -1}])
def test_a_policy_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match="attempts"):
        Policy(**wrong)


def test_a_validate_that_would_have_to_wait_is_refused():
    async def validate(_answer):
        return True

    class Waits:
        async def __call__(self, _answer):
            return True

    for each in (validate, Waits()):
        with pytest.raises(TypeError, match="plain function"):
            Policy(validate=each)


def test_a_validate_that_turns_out_to_wait_accepts_nothing(tmp_path):
    async def true():
        return True

    def waits(_answer):
        return true()

    answers = [asked(FakeAgent(1), Policy(validate=waits), tmp_path / "j")[0] for _ in range(2)]

    assert [type(answer.error) for answer in answers] == [TypeError] * 2
