"""Point 5: one journal shared by runs and by processes."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from bencher.orchestration import JournalInUse, Orchestrator, upkeep
from bencher.orchestration.file import WRITING, aside_of
from bencher.orchestration.journal import Journal
from bencher.orchestration.locks import lock, unlock
from bencher.orchestration.record import line_of
from bencher.orchestration.testing import FakeAgent, grid, in_virtual_time
from bencher.orchestration.upkeep import compact, stats


@pytest.mark.parametrize("shape", ["parallel", "pipeline"])
@pytest.mark.parametrize("seed", range(5))
def test_two_runs_in_one_loop_pay_once_and_share_the_work(seed, shape, tmp_path):
    source = random.Random(seed)
    agent = FakeAgent(seed, seconds=lambda _: source.uniform(0.5, 5))

    async def one():
        async with Orchestrator(journal=tmp_path / "j", limit=4, runner=agent) as run:
            answers = await grid(run, shape, quotes=((), (0,), (1,)))
            return answers, run.report

    async def both():
        return await asyncio.gather(one(), one()), asyncio.get_running_loop().time()

    ((first, a), (second, b)), seconds = in_virtual_time(both())

    assert first == second
    assert len(agent.begun) == len(set(agent.begun)) == 36
    assert a.paid + b.paid == 36
    assert a.reused + b.reused == 36
    assert 4 < agent.most_running <= 8
    assert seconds < 27  # the second run's slots did their part


RUN = """
import asyncio, json, os, sys
from bencher.orchestration import Orchestrator

name, journal, log, seconds, size, count = sys.argv[1:4] + [float(sys.argv[4]), *map(int, sys.argv[5:7])]

def note(*what):
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(fd, json.dumps(what).encode() + b"\\n")
    os.close(fd)

async def agent(prompt, options):
    note("begun", prompt, name)
    await asyncio.sleep(seconds)
    return f"{prompt} by {name} {os.urandom(4).hex()}" + "x" * size

async def job():
    async with Orchestrator(journal=journal, limit=4, runner=agent) as run:
        note("open", name)
        answers = await run.parallel([lambda n=n: run.agent(n) for n in range(count)])
        print(json.dumps(answers))

asyncio.run(job())
"""


def start(name, folder, *, seconds=0.01, size=0, count=40):
    return subprocess.Popen(
        [sys.executable, "-c", RUN, name, folder / "j", folder / "log", str(seconds), str(size), str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def noted(folder):
    return [json.loads(line) for line in (folder / "log").read_text().splitlines()] if (folder / "log").exists() else []


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_four_processes_with_60_kb_answers_lose_nothing_and_pay_once(tmp_path):
    runs = [start(name, tmp_path, size=60_000) for name in "abcd"]
    answers = [json.loads(run.communicate(timeout=120)[0]) for run in runs]
    begun = [what[1] for what in noted(tmp_path) if what[0] == "begun"]

    assert all(each == answers[0] for each in answers)
    assert sorted(begun) == list(range(40))
    assert [answer.split(" ")[0] for answer in answers[0]] == [str(n) for n in range(40)]

    async def again(agent):
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            return await run.parallel([lambda n=n: run.agent(n) for n in range(40)])

    agent = FakeAgent(1)
    assert in_virtual_time(again(agent)) == answers[0]
    assert agent.begun == []


def test_a_dead_leader_frees_its_key_at_once(tmp_path):
    leader = start("leader", tmp_path, seconds=1000, count=1)
    wait_for(lambda: ["begun", 0, "leader"] in noted(tmp_path))
    follower = start("follower", tmp_path, seconds=0, count=1)
    wait_for(lambda: ["open", "follower"] in noted(tmp_path))
    time.sleep(0.1)
    assert ["begun", 0, "follower"] not in noted(tmp_path)  # asked once while the leader lives

    os.kill(leader.pid, signal.SIGKILL)
    leader.communicate()
    died = time.monotonic()
    wait_for(lambda: ["begun", 0, "follower"] in noted(tmp_path))
    took = time.monotonic() - died
    answers = json.loads(follower.communicate(timeout=60)[0])

    assert took < 2  # 0.02 s on a quiet machine
    assert answers[0].startswith("0 by follower")


def test_a_failing_leader_frees_its_key_for_the_other_run(tmp_path):
    async def fails(_prompt, _options):
        await asyncio.sleep(5)
        raise ConnectionError

    agent = FakeAgent(1, seconds=lambda _: 1)

    async def both():
        async with (
            Orchestrator(journal=tmp_path / "j", runner=fails) as one,
            Orchestrator(journal=tmp_path / "j", runner=agent) as two,
        ):
            return await asyncio.gather(one.agent("p"), two.agent("p"), return_exceptions=True), asyncio.get_running_loop().time()

    (first, second), seconds = in_virtual_time(both())

    assert isinstance(first, ConnectionError)
    assert second.startswith("p")
    assert seconds == pytest.approx(6, abs=0.1)


def test_a_call_that_waited_for_a_failing_leader_keeps_its_turn(tmp_path):
    order = []

    async def fails(_prompt, _options):
        await asyncio.sleep(5)
        raise ConnectionError

    async def agent(prompt, _options):
        order.append(prompt)
        await asyncio.sleep(3)
        return prompt

    async def both():
        async with (
            Orchestrator(journal=tmp_path / "j", runner=fails) as one,
            Orchestrator(journal=tmp_path / "j", limit=1, runner=agent) as two,
        ):
            leaders = [asyncio.create_task(one.agent(prompt)) for prompt in (0, 1)]
            await asyncio.sleep(0.1)
            await two.parallel([lambda n=n: two.agent(n) for n in range(8)])
            await asyncio.gather(*leaders, return_exceptions=True)

    in_virtual_time(both())

    assert order == [2, 3, 0, 1, 4, 5, 6, 7]


FORKS = """
import asyncio, multiprocessing, os, sys, time
from concurrent.futures import ProcessPoolExecutor
from bencher.orchestration import Orchestrator

def work(prompt):
    print(os.getpid(), flush=True)
    time.sleep(1000)

async def job():
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork"))
    async def agent(prompt, options):
        return await asyncio.get_running_loop().run_in_executor(pool, work, prompt)
    async with Orchestrator(journal=sys.argv[1], runner=agent) as run:
        await run.agent("p")

asyncio.run(job())
"""


def test_workers_that_a_dead_leader_forked_hold_no_lock(tmp_path):
    leader = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORKS, tmp_path / "j"], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert int(leader.stdout.readline()) != leader.pid
    os.kill(leader.pid, signal.SIGKILL)
    leader.wait()

    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1, seconds=lambda _: 0)) as run:
            return await asyncio.wait_for(run.agent("p"), 20)

    try:
        answer = asyncio.run(job())
        compact(tmp_path / "j")
    finally:
        os.killpg(leader.pid, signal.SIGKILL)
        leader.stdout.close()

    assert answer.startswith("p")


def test_waiting_for_another_run_takes_no_slot(tmp_path):
    agents = [FakeAgent(1, seconds=lambda _: 100), FakeAgent(2, seconds=lambda _: 1)]

    async def both():
        async with (
            Orchestrator(journal=tmp_path / "j", limit=1, runner=agents[0]) as one,
            Orchestrator(journal=tmp_path / "j", limit=1, runner=agents[1]) as two,
        ):
            leader = asyncio.create_task(one.agent("p"))
            await asyncio.sleep(1)
            waiter = asyncio.create_task(two.agent("p"))
            await asyncio.sleep(1)
            await two.agent("q")
            now = asyncio.get_running_loop().time()
            return now, await leader == await waiter

    now, same = in_virtual_time(both())

    assert now == pytest.approx(3, abs=0.2)
    assert same
    assert agents[1].begun == ["q"]


def test_an_answer_of_another_run_is_taken_while_all_slots_are_busy(tmp_path):
    agents = [FakeAgent(1, seconds=lambda _: 10), FakeAgent(2, seconds=lambda _: 1000)]

    async def both():
        async with (
            Orchestrator(journal=tmp_path / "j", limit=1, runner=agents[0]) as one,
            Orchestrator(journal=tmp_path / "j", limit=1, runner=agents[1]) as two,
        ):
            leader = asyncio.create_task(one.agent("p"))
            await asyncio.sleep(1)
            waiter = asyncio.create_task(two.agent("p"))
            busy = asyncio.create_task(two.agent("q"))
            await waiter
            now = asyncio.get_running_loop().time()
            busy.cancel()
            return now, await leader

    assert in_virtual_time(both())[0] == pytest.approx(10, abs=0.1)


def test_a_run_that_waits_for_another_may_be_cancelled(tmp_path):
    agent = FakeAgent(1, seconds=lambda _: 10)

    async def both():
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as one:
            leader = asyncio.create_task(one.agent("p"))
            await asyncio.sleep(1)
            async with Orchestrator(journal=tmp_path / "j", runner=agent) as two:
                waiter = asyncio.create_task(two.agent("p"))
                await asyncio.sleep(1)
                waiter.cancel()
                await asyncio.gather(waiter, return_exceptions=True)
            return await leader, waiter.cancelled()

    answer, cancelled = in_virtual_time(both())

    assert answer.startswith("p")
    assert cancelled
    assert agent.begun == ["p"]


def test_a_journal_that_a_run_has_open_is_not_compacted(tmp_path):
    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1)) as run:
            await run.agent("p")
            with pytest.raises(JournalInUse):
                compact(tmp_path / "j")
            return await run.agent("q")

    in_virtual_time(job())
    compact(tmp_path / "j")


def test_of_two_compacts_at_once_none_loses_an_answer(tmp_path, monkeypatch):
    """The second has opened the old file when the first replaces it, and a run writes into the new one."""
    agent, real = FakeAgent(1), upkeep.try_lock

    async def ask(prompt):
        async with Orchestrator(journal=tmp_path / "j", runner=agent) as run:
            await run.agent(prompt)

    def late(fd, byte):
        monkeypatch.setattr(upkeep, "try_lock", real)
        compact(tmp_path / "j")
        in_virtual_time(ask("later"))
        return real(fd, byte)

    in_virtual_time(ask("p"))
    monkeypatch.setattr(upkeep, "try_lock", late)
    _, after = compact(tmp_path / "j")

    assert after.answers == 2


def test_what_a_killed_compact_left_aside_goes_with_the_next_run_or_compact(tmp_path):
    async def ask(prompt):
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1)) as run:
            await run.agent(prompt)

    in_virtual_time(ask("p"))
    for act in (lambda: in_virtual_time(ask("q")), lambda: compact(tmp_path / "j")):
        aside_of(tmp_path / "j").write_bytes(b"half")
        act()
        assert [path.name for path in tmp_path.iterdir()] == ["j"]


def test_who_looks_while_a_line_is_being_written_waits_and_sees_no_damage(tmp_path):
    writer = Journal(tmp_path / "j", durability="process")
    line, seen = line_of("0" * 64, "0" * 16, b'{"answer":1}'), []
    lock(writer._fd, WRITING)
    os.write(writer._fd, line[:50])
    looks = threading.Thread(target=lambda: seen.append(stats(tmp_path / "j")))
    looks.start()
    looks.join(0.1)
    os.write(writer._fd, line[50:])
    unlock(writer._fd, WRITING)
    looks.join()
    writer.close()

    assert [(found.answers, found.damaged) for found in seen] == [(1, 0)]
