"""Kills jobs and looks at what their journals are worth: `crashes.py outside|lines|large COUNT SEED`; prints JSON.

A program of its own, since a process that forks should have one thread. Each trial: a child runs the job and is killed with
SIGKILL, the job is run again, and once more. What the child handed over before it died stands in a log.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bencher import orchestration
from bencher.orchestration import Orchestrator
from bencher.orchestration.testing import grid

MODULE = str(Path(orchestration.__file__).parent)


class Agent:
    """Notes when it begins and ends; every answer is new."""

    def __init__(self, source, note, *, seconds, size=0):
        self.source, self.note, self.seconds, self.size = source, note, seconds, size

    async def __call__(self, prompt, _options):
        self.note("begun", prompt)
        await asyncio.sleep(self.source.uniform(*self.seconds))
        answer = f"{prompt} -> {self.source.getrandbits(64):x}" + "x" * self.size
        self.note("finished", prompt)
        return answer


async def job(journal, shape, agent, note, *, items):
    async with Orchestrator(journal=journal, limit=4, runner=agent) as run:
        ask = run.agent

        async def noting(prompt):
            answer = await ask(prompt)
            note("returned", prompt, answer)
            return answer

        run.agent = noting
        answers = await grid(run, shape, items=range(items), quotes=((), (0,), (1,)))
        return answers, run.report


def _whole_lines(log: Path) -> Iterator[Any]:
    """What the jobs noted; a note that the kill tore in two was never made."""
    for line in log.read_text().splitlines() if log.exists() else ():
        with contextlib.suppress(ValueError):
            yield json.loads(line)


def one_trial(folder, source, *, kill, items=12, seconds=(0.0005, 0.003), size=0):
    """Violations of the contract, and what happened; `kill(child's pid)` ends the child, or None kills from inside."""
    journal, log = folder / f"{source.random()}.journal", folder / f"{source.random()}.log"
    shape = source.choice(["parallel", "pipeline"])
    pid = os.fork()
    if not pid:
        try:
            fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            note = lambda *what: os.write(fd, json.dumps(what).encode() + b"\n")
            if kill is None or isinstance(kill, tuple):
                die_at(kill)
            asyncio.run(
                job(journal, shape, Agent(random.Random(source.random()), note, seconds=seconds, size=size), note, items=items)
            )
        finally:
            os._exit(0)
    if callable(kill):
        kill(pid)
    _, status = os.waitpid(pid, 0)
    was_killed = os.WIFSIGNALED(status)

    noted = list(_whole_lines(log))
    returned = {what[1]: what[2] for what in noted if what[0] == "returned"}
    finished = {what[1] for what in noted if what[0] == "finished"}
    begun = {what[1] for what in noted if what[0] == "begun"}
    second, third, paid, paid_again = {}, {}, [], []
    again = Agent(
        random.Random(source.random()), lambda kind, prompt: kind == "begun" and paid.append(prompt), seconds=(0, 0), size=size
    )
    silent = Agent(
        random.Random(0), lambda kind, prompt: kind == "begun" and paid_again.append(prompt), seconds=(0, 0), size=size
    )
    answers, report = asyncio.run(
        job(journal, shape, again, lambda _, prompt, answer: second.update({prompt: answer}), items=items)
    )
    asyncio.run(job(journal, shape, silent, lambda _, prompt, answer: third.update({prompt: answer}), items=items))

    violations = [f"returned and paid again: {p}" for p in paid if p in returned]
    violations += [f"returned, then another answer: {p}" for p in returned if second.get(p) != returned[p]]
    violations += [f"an answer of another question: {p}" for p in second if not second[p].startswith(f"{p} -> ")]
    violations += [f"paid twice in the second run: {p}" for p in set(paid) if paid.count(p) > 1]
    violations += [f"paid in the third run: {p}" for p in paid_again]
    violations += ["the third run differs"] if third != second else []
    violations += ["answers are missing"] if len(answers) != items * 3 else []
    violations += ["the report miscounts"] if report.paid != len(paid) or report.reused + report.paid != items * 3 else []
    violations += ["in flight is miscounted"] if report.repaid_in_flight > len(begun - set(returned)) + 1 else []
    journal.unlink()
    log.unlink(missing_ok=True)
    repaid_in_flight = len(set(paid) & begun)
    return violations, {"killed": was_killed, "returned": len(returned), "finished": len(finished), "repaid": repaid_in_flight}


def outside(count, source, folder, **how):
    """Kill at a random moment until `count` jobs died before their end."""
    started = time.perf_counter()
    asyncio.run(
        job(
            folder / "rehearsal",
            "pipeline",
            Agent(source, lambda *_: None, seconds=(0.0005, 0.003), size=how.get("size", 0)),
            lambda *_: None,
            items=12,
        )
    )
    length = time.perf_counter() - started

    def kill(pid):
        time.sleep(source.uniform(0, length))
        os.kill(pid, signal.SIGKILL)

    killed = 0
    while killed < count:
        violations, trial = one_trial(folder, source, kill=kill, **how)
        killed += trial["killed"]
        yield violations, trial


def die_at(place):
    """SIGKILL to ourselves at the nth time that a line of the module is reached; None: note all lines that are reached."""
    counts = {}

    def local(frame, event, _argument):
        if event == "line":
            here = (frame.f_code.co_filename, frame.f_lineno)
            counts[here] = counts.get(here, 0) + 1
            if place and here == place[:2] and counts[here] == place[2]:
                os.kill(os.getpid(), signal.SIGKILL)
        return local

    sys.settrace(lambda frame, _event, _argument: local if frame.f_code.co_filename.startswith(MODULE) else None)
    return counts


def lines(share, source, folder):
    """Kill at each line of the module that a small job reaches, at its first time, its last, and one between."""
    reached = {}
    for shape in ("parallel", "pipeline"):
        counts = die_at(None)
        asyncio.run(
            job(folder / f"rehearsal {shape}", shape, Agent(source, lambda *_: None, seconds=(0, 0)), lambda *_: None, items=2)
        )
        sys.settrace(None)
        reached |= {where: max(times, reached.get(where, 0)) for where, times in counts.items()}
    which, parts = divmod(share, 10)
    for number, (where, times) in enumerate(sorted(reached.items())):
        if number % parts == which:
            for nth in sorted({1, max(1, times - 1), source.randint(1, times)}):
                yield one_trial(folder, source, kill=(*where, nth), items=2, seconds=(0, 0))


def main():
    way, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    source, violations, trials = random.Random(seed), [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways = {
            "outside": lambda: outside(count, source, folder),
            "large": lambda: outside(count, source, folder, size=300_000, items=4),
            "lines": lambda: lines(count, source, folder),
        }
        for wrong, trial in ways[way]():
            violations += wrong
            trials.append(trial)
    print(
        json.dumps(
            {"violations": violations, "trials": len(trials)} | {key: sum(trial[key] for trial in trials) for key in trials[0]}
        )
    )


if __name__ == "__main__":
    main()
