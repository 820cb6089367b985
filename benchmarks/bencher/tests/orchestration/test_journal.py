"""Rules 2, 3, 4 and 9, point 3: what a journal survives."""

import asyncio
import json
import logging
import os
import random
import resource
import subprocess
import sys
import threading

import pytest
from bencher.orchestration import Orchestrator
from bencher.orchestration.journal import Journal
from bencher.orchestration.testing import FakeAgent, VirtualClock, grid, in_virtual_time


def whole(journal, agent, shape="pipeline", **how):
    async def job():
        async with Orchestrator(journal=journal, runner=agent) as run:
            return await grid(run, shape, **how), run.report

    return in_virtual_time(job())


@pytest.fixture
def full(tmp_path):
    """A journal with all 36 answers, and those answers."""
    answers, _ = whole(tmp_path / "full", FakeAgent(1))
    return tmp_path / "full", answers


def differing(answers, others):
    return [where for where in answers if answers[where] != others[where]]


@pytest.mark.parametrize("shape", ["parallel", "pipeline"])
def test_a_second_run_pays_nothing_and_writes_nothing(full, shape):
    journal, answers = full
    size = journal.stat().st_size

    for seed in range(5):
        again = FakeAgent(seed)
        assert whole(journal, again, shape)[0] == answers
        assert again.begun == []
    assert journal.stat().st_size == size


def test_the_answer_is_in_the_file_before_agent_returns(tmp_path):
    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1)) as run:
            answer = await run.agent("p")
            return json.dumps(answer).encode() in (tmp_path / "j").read_bytes()

    assert in_virtual_time(job())


def test_writing_takes_no_slot_and_waits_for_none(tmp_path, monkeypatch):
    """With a disk that takes a second, the next agent begins at once, and an answer is handed over while all slots are busy."""
    agent, times = FakeAgent(1, seconds=lambda prompt: 10 if prompt == "long" else 1), {}
    slow = asyncio.Event()

    async def slow_disk(*_):
        slow.set()
        await asyncio.sleep(3)

    monkeypatch.setattr(VirtualClock, "run_in_executor", slow_disk)

    async def job():
        async with Orchestrator(journal=tmp_path / "j", limit=1, runner=agent, durability="power") as run:

            async def ask(prompt):
                await run.agent(prompt)
                times[prompt] = asyncio.get_running_loop().time()

            await run.parallel([lambda: ask("short"), lambda: ask("long")])

    in_virtual_time(job())

    assert slow.is_set()
    assert times["short"] == 4  # 1 of the agent, 3 of the disk, and not after the long one
    assert times["long"] == 14  # begun at 1


@pytest.mark.parametrize("cut", range(1, 700, 13))
def test_a_torn_tail_is_dropped_with_a_warning_and_only_its_record_is_paid_again(full, cut, caplog):
    journal, answers = full
    data = journal.read_bytes()
    torn = len(data) - cut
    journal.write_bytes(data[:torn])
    touched = sum(1 for line in whole_lines(data) if line[1] > torn and line[2])
    agent, third = FakeAgent(2), FakeAgent(3)

    with caplog.at_level(logging.WARNING):
        again, _ = whole(journal, agent)

    assert len(agent.begun) == touched == len(differing(answers, again))
    assert touched <= 4
    assert bool(caplog.records) == (data[torn - 1 : torn] != b"\n" and torn not in {line[1] for line in whole_lines(data)})
    assert whole(journal, third)[0] == again
    assert third.begun == []


def whole_lines(data):
    """Start, end and whether it is an answer, of each line that says something."""
    start, found = 0, []
    for line in data.split(b"\n"):
        if line:
            found.append((start, start + len(line), b"{" in line))
        start += len(line) + 1
    return found


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_costs_at_most_its_own_record(full, seed):
    journal, answers = full
    data = bytearray(journal.read_bytes())
    where = random.Random(seed).randrange(len(data))
    data[where] ^= 1 << random.Random(seed).randrange(8)
    journal.write_bytes(data)
    agent, third = FakeAgent(2), FakeAgent(3)

    again, _ = whole(journal, agent)

    assert len(agent.begun) <= 1
    assert len(differing(answers, again)) == len(agent.begun)
    assert whole(journal, third)[0] == again
    assert third.begun == []


@pytest.mark.parametrize("seed", range(20))
def test_a_block_of_zeros_costs_what_it_covers(full, seed):
    journal, answers = full
    data = bytearray(journal.read_bytes())
    start = random.Random(seed).randrange(len(data))
    end = min(start + 512, len(data))
    touched = sum(1 for line in whole_lines(bytes(data)) if line[2] and line[1] >= start and line[0] <= end)
    data[start:end] = bytes(end - start)
    journal.write_bytes(data + bytes(random.Random(seed).choice([0, 4096])))
    agent = FakeAgent(2)

    again, _ = whole(journal, agent)

    assert len(agent.begun) == len(differing(answers, again)) <= touched


def test_glued_doubled_and_foreign_lines_do_no_harm(full):
    journal, answers = full
    lines = journal.read_bytes().split(b"\n")
    stray = [b"00000000", b"00000000 ", b"\xff\xfe\x00", b"{}", b"null", lines[1] + lines[1], b" " * 200, b"\r"]
    journal.write_bytes(b"\n".join([*stray, *lines, *lines]))
    agent = FakeAgent(2)

    assert whole(journal, agent)[0] == answers
    assert agent.begun == []


def test_a_fragment_that_another_process_left_swallows_nothing(tmp_path, caplog):
    """It died in the middle of a write while this run was open: no newline at the end of the file, just before an answer comes."""
    healthy = FakeAgent(1)

    async def beside_a_death(prompt, options):
        answer = await healthy(prompt, options)
        with (tmp_path / "j").open("ab") as file:
            file.write(b'\n12345678 0123 {"answer": "tor')
        return answer

    async def job(agent):
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            return await run.parallel([lambda n=n: run.agent(n) for n in range(9)])

    with caplog.at_level(logging.WARNING):
        first, again = in_virtual_time(job(beside_a_death)), FakeAgent(2)

    assert sum(record.args[1] for record in caplog.records) == 9  # and each is warned of while the run is open
    assert in_virtual_time(job(again)) == first
    assert again.begun == []


def test_answers_may_hold_every_line_separator(tmp_path):
    text = "".join(map(chr, [10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029, 0, 0xD800])) * 3

    async def separators(_prompt, _options):
        return text

    first, second = whole(tmp_path / "j", separators)[0], whole(tmp_path / "j", FakeAgent(1))[0]

    assert first == second
    assert set(first.values()) == {text}


FULL_DISK = """
import asyncio, json, resource, sys
from bencher.orchestration import Failed, Orchestrator
from bencher.orchestration.testing import FakeAgent, grid

async def job(journal, room):
    agent = FakeAgent(1, seconds=lambda _: 0.001)
    big = lambda text: text + "x" * 3000
    async def large(prompt, options): return big(await agent(prompt, options))
    async with Orchestrator(journal=journal, runner=large) as run:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        first = await run.parallel([lambda n=n: run.agent(n) for n in range(36)])
        size = __import__("os").path.getsize(journal)
        paid_when_full = len(agent.begun)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        second = await run.parallel([lambda n=n: run.agent(n) for n in range(36)])
    kinds = [type(a.error).__name__ if isinstance(a, Failed) else "answer" for a in first]
    kept = all(isinstance(a, Failed) or a == b for a, b in zip(first, second))
    print(json.dumps({"kinds": kinds, "paid_when_full": paid_when_full, "paid": len(agent.begun), "size": size,
                      "second_whole": not any(isinstance(a, Failed) for a in second), "kept": kept,
                      "answers": second}))

asyncio.run(job(sys.argv[1], int(sys.argv[2])))
"""


@pytest.mark.parametrize("room", [0, 50, 90, 100, 1000, 3500, 20_000, 40_123])
def test_a_full_disk_fails_what_cannot_be_written_stops_paying_and_loses_nothing(room, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, tmp_path / "j", str(room)], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    written = told["kinds"].count("answer")

    assert set(told["kinds"]) <= {"answer", "OSError"}
    assert written == sum(1 for line in whole_lines((tmp_path / "j").read_bytes()[: told["size"]]) if line[2])
    assert told["size"] <= room
    assert told["paid_when_full"] <= written + 4  # at most the agents that ran when the disk filled up
    assert told["second_whole"]
    assert told["kept"]
    assert told["paid"] == 36  # and those were not paid again in the same run, once there was room

    async def again(agent):
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            return await run.parallel([lambda n=n: run.agent(n) for n in range(36)])

    agent = FakeAgent(9)
    assert in_virtual_time(again(agent)) == told["answers"]
    assert agent.begun == []


def test_a_device_that_is_always_full_pays_nothing():
    agent = FakeAgent(1)

    async def job():
        async with Orchestrator(journal="/dev/full", runner=agent) as run:
            return await run.parallel([lambda n=n: run.agent(n) for n in range(9)])

    assert {type(answer.error) for answer in in_virtual_time(job())} == {OSError}
    assert agent.begun == []


def test_power_waits_for_the_disk_before_the_answer_is_handed_over(tmp_path, monkeypatch):
    """What fdatasync has seen is what a loss of power leaves."""
    journal, on_disk = tmp_path / "j", [b""]

    def remembers(_fd):
        on_disk[0] = journal.read_bytes()

    monkeypatch.setattr(os, "fdatasync", remembers)

    async def job(durability):
        async with Orchestrator(journal=journal, runner=FakeAgent(1, seconds=lambda _: 0.001), durability=durability) as run:

            async def ask(n):
                answer = await run.agent(n)
                return json.dumps(answer).encode() in on_disk[0]

            return await run.parallel([lambda n=n: ask(n) for n in range(40)])

    assert not any(asyncio.run(job("process")))
    first = asyncio.run(job("power"))  # all hits: of answers that nobody had synced
    journal.unlink()
    second = asyncio.run(job("power"))

    assert all(first)
    assert all(second)


def test_the_disk_is_waited_for_off_the_event_loop_and_together(tmp_path, monkeypatch):
    import time

    calls, main = [], threading.get_ident()

    def slow(_fd):
        calls.append(threading.get_ident())
        time.sleep(0.05)

    monkeypatch.setattr(os, "fdatasync", slow)

    async def instant(prompt, _options):
        return prompt

    async def job():
        async with Orchestrator(journal=tmp_path / "j", limit=None, runner=instant, durability="power") as run:
            ticks = asyncio.create_task(ticking())
            await run.parallel([lambda n=n: run.agent(n) for n in range(50)])
            ticks.cancel()
            return ticks.ticks

    async def ticking():
        task = asyncio.current_task()
        task.ticks = 0
        while True:
            await asyncio.sleep(0.005)
            task.ticks += 1

    ticks = asyncio.run(job())

    assert main not in calls
    assert len(calls) <= 3
    assert ticks >= 3


def test_agents_that_fill_the_threads_of_the_loop_do_not_keep_answers_from_the_disk(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    block, waited = threading.Event(), []

    async def agent(prompt, _options):
        if prompt:
            await asyncio.to_thread(block.wait, 30)
        return prompt

    async def job():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        async with Orchestrator(journal=tmp_path / "j", runner=agent, durability="power") as run:
            busy = asyncio.create_task(run.agent(1))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await run.agent(0)
            waited.append(busy.done())
            block.set()
            await busy

    asyncio.run(job())

    assert waited == [False]


def test_a_link_into_a_folder_that_is_not_there_is_named(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "j")

    with pytest.raises(FileNotFoundError, match=r"link to .*nowhere/j, whose folder is not there"):
        Journal(tmp_path / "link", durability="process")


def test_a_journal_of_an_earlier_version_of_the_key_is_kept_and_not_mistaken(full, monkeypatch):
    from bencher.orchestration import question

    journal, _ = full
    size = journal.stat().st_size
    monkeypatch.setattr(question, "KEY_VERSION", 2)
    agent = FakeAgent(2)
    whole(journal, agent)

    assert len(agent.begun) == 36
    assert journal.stat().st_size > size


def test_100_000_records_open_quickly_and_each_is_found(tmp_path):
    """The time is held by `make bench`; here a generous bound, since tests share the machine."""
    journal = Journal(tmp_path / "j", durability="process")
    from bencher.orchestration.question import Question
    from bencher.orchestration.record import line_of, payload_of, value_of

    questions = [Question.of(f"p {n}", None, 0) for n in range(100_000)]
    journal.close()
    with (tmp_path / "j").open("wb") as file:
        for n, question in enumerate(questions):
            payload = payload_of(question, json.dumps(f"{n} " + "x" * 400), place="/1", run_id='""')
            file.write(line_of(question.key, f"{n:016x}", payload))

    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    journal = Journal(tmp_path / "j", durability="process")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime - used

    assert used < 2
    assert all(value_of(journal.find(question.key)).startswith(f"{n} ") for n, question in list(enumerate(questions))[::97])
    journal.close()
