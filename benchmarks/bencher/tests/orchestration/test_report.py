"""Points 2 and 7, rule 10: what a run says of itself, and what an edit makes it pay."""

import asyncio
import errno
from functools import partial

import pytest
from bencher.orchestration import Failed, Orchestrator, Policy, journal
from bencher.orchestration.testing import STAGES, FakeAgent, grid, in_virtual_time


def whole(journal, agent, shape="pipeline", run_id="", **how):
    async def job():
        async with Orchestrator(journal=journal, runner=agent, run_id=run_id) as run:
            return await grid(run, shape, **how), run.report

    return in_virtual_time(job())


def edited(*which):
    return [f"{stage}{' carefully' * (number in which)}" for number, stage in enumerate(STAGES)]


@pytest.mark.parametrize("shape", ["parallel", "pipeline"])
@pytest.mark.parametrize(
    ("quotes", "edit", "reused"),
    [
        (((), (), ()), (), 36),
        (((), (), ()), (0,), 24),
        (((), (), ()), (1,), 24),
        (((), (), ()), (2,), 24),
        (((), (0,), (0, 1)), (), 36),
        (((), (0,), (0, 1)), (2,), 24),
        (((), (0,), (0, 1)), (1,), 12),
        (((), (0,), (0, 1)), (0,), 0),
        (((), (0,), (0,)), (1,), 24),
        (((), (), (1,)), (0,), 24),
    ],
)
def test_an_edit_pays_for_what_it_reaches_and_is_reported_as_changed_input(shape, quotes, edit, reused, tmp_path):
    first, report = whole(tmp_path / "j", FakeAgent(1), shape, quotes=quotes)
    assert (report.paid, report.reused, report.input_changed, report.is_mixture) == (36, 0, 0, False)

    agent = FakeAgent(2)
    second, report = whole(tmp_path / "j", agent, shape, quotes=quotes, stages=edited(*edit))

    assert (report.reused, report.paid, len(agent.begun)) == (reused, 36 - reused, 36 - reused)
    assert report.input_changed == 36 - reused
    assert sum(first[where] == second[where] for where in first) == reused
    assert report.is_mixture == (0 < reused < 36)
    assert f"{reused} of 36 reused" in str(report)
    assert f"{36 - reused} asked again because their input changed" in str(report)


def test_an_edited_stage_that_happens_to_answer_the_same_spares_the_rest(tmp_path):
    async def plain(prompt, _options):
        return prompt.split(" given ")[0].replace(" carefully", "")

    quotes = ((), (0,), (1,))
    whole(tmp_path / "j", plain, quotes=quotes)
    _, report = whole(tmp_path / "j", plain, quotes=quotes, stages=edited(0))

    assert (report.paid, report.reused) == (12, 24)


def test_another_job_on_the_same_journal_has_no_changed_input(tmp_path):
    async def job(prompts, name=""):
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1), job=name) as run:
            await run.parallel([partial(run.agent, prompt) for prompt in prompts])
            return run.report.paid, run.report.input_changed

    assert in_virtual_time(job(["a", "b", "c"])) == (3, 0)
    assert in_virtual_time(job(["x", "y", "z"])) == (3, 0)
    assert in_virtual_time(job(["x2", "y"])) == (1, 1)
    assert in_virtual_time(job(["x2", "y", "0 w 0.5"])) == (1, 0)
    assert in_virtual_time(job(["x2", "y", "0 ww 0.7"])) == (1, 1)
    assert in_virtual_time(job(["Summarise the report of March", {"task": "count"}])) == (2, 0)
    assert in_virtual_time(job(["Translate the text of chapter 3", {"step": "sum"}])) == (2, 0)
    assert in_virtual_time(job(["Translate the poem of chapter 3"], "poems")) == (1, 0)
    assert in_virtual_time(job(["Translate the poem of chapter 4"], "poems")) == (1, 1)


def test_long_prompts_are_compared_by_their_beginning(tmp_path):
    whole(tmp_path / "j", FakeAgent(1), stages=["read " + "well " * 200 + "x", *STAGES[1:]])
    _, report = whole(tmp_path / "j", FakeAgent(1), stages=["read " + "well " * 200 + "y", *STAGES[1:]])

    assert (report.paid, report.input_changed) == (12, 12)


def test_an_answer_that_this_run_paid_for_is_never_old(tmp_path, monkeypatch):
    """The disk was full when it came, and had room when it was asked for again."""
    full, write_all = [False], journal.write_all

    def writes(fd, lines):
        if full[0] and b"answer" in lines:
            raise OSError(errno.ENOSPC, "no space")
        write_all(fd, lines)

    monkeypatch.setattr(journal, "write_all", writes)

    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1)) as run:
            full[0] = True
            (failed,) = await run.parallel([lambda: run.agent("p")])
            full[0] = False
            await run.agent("q")
            return failed, await run.ask("p"), run.report

    failed, answer, report = in_virtual_time(job())

    assert isinstance(failed.error, OSError)
    assert (answer.source, report.attempts, report.is_mixture) == ("shared", 2, False)


def test_new_items_are_new_and_not_changed_input(tmp_path):
    whole(tmp_path / "j", FakeAgent(1))
    _, report = whole(tmp_path / "j", FakeAgent(2), items=["new", *range(12)])

    assert (report.reused, report.paid, report.input_changed) == (36, 3, 0)


def test_an_answer_says_where_it_came_from(tmp_path):
    async def job(run_id):
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1), run_id=run_id) as run:
            first = await run.ask("p")
            return first, await run.ask("p")

    one, two = in_virtual_time(job("monday"))
    three, _ = in_virtual_time(job("tuesday"))

    assert [(a.source, a.run_id) for a in (one, two, three)] == [("paid", "monday"), ("shared", "monday"), ("reused", "monday")]
    assert one.value == two.value == three.value
    assert one.key == three.key


def test_every_call_is_counted_once(tmp_path):
    agent = FakeAgent(1, seconds=lambda _: 10)

    async def weak(prompt, options):
        if prompt == "fails":
            raise ConnectionError
        return await agent(prompt, options)

    async def job():
        async with Orchestrator(journal=tmp_path / "j", limit=2, runner=weak) as run:
            await run.agent("old")
        async with Orchestrator(journal=tmp_path / "j", limit=2, runner=weak) as run:
            cancelled = asyncio.create_task(run.agent("cancelled"))
            await asyncio.sleep(1)
            cancelled.cancel()
            answers = await run.parallel(
                [
                    lambda: run.agent("old"),
                    lambda: run.agent("new"),
                    lambda: run.agent("new"),
                    lambda: run.agent("fails", policy=Policy(attempts=3)),
                    lambda: run.agent({"not": {"canonical"}}),
                ]
            )
            return answers, run.report

    answers, report = in_virtual_time(job())

    assert [isinstance(answer, Failed) for answer in answers] == [False, False, False, True, True]
    assert (report.reused, report.paid, report.shared, report.failed, report.cancelled) == (1, 1, 1, 1, 1)
    assert (report.attempts, report.retried, report.calls) == (5, 2, 5)


def test_what_was_in_flight_when_a_run_died_is_said_to_be_paid_again(tmp_path):
    """A run that was killed leaves a begun line without an end; one that failed or was cancelled does not."""
    from bencher.orchestration.question import key_of
    from bencher.orchestration.record import BEGUN, line_of

    whole(tmp_path / "j", FakeAgent(1), items=range(3))
    with (tmp_path / "j").open("ab") as file:
        for item in (3, 4):
            file.write(line_of(key_of(f"{STAGES[0]} {item}"), "0" * 16, BEGUN))

    _, report = whole(tmp_path / "j", FakeAgent(2), items=range(6))
    _, later = whole(tmp_path / "j", FakeAgent(3), items=range(6))

    assert report.repaid_in_flight == 2
    assert later.repaid_in_flight == 0


def test_a_mixture_of_old_and_new_answers_says_so(tmp_path):
    whole(tmp_path / "j", FakeAgent(1), items=range(4))
    _, report = whole(tmp_path / "j", FakeAgent(1))

    assert report.is_mixture
    assert "mixture" in str(report)


def test_prompts_reach_the_agent_as_they_are_without_clock_path_or_id(tmp_path):
    seen = []

    async def agent(prompt, options):
        seen.append((prompt, options))
        return "x"

    async def job(journal):
        async with Orchestrator(journal=journal, runner=agent, run_id=str(journal)) as run:
            await run.agent("p", {"model": "m"}, 3)
            await run.agent("p")

    in_virtual_time(job(tmp_path / "one"))
    in_virtual_time(job(tmp_path / "two"))

    assert seen == [("p", {"model": "m"}), ("p", {})] * 2
