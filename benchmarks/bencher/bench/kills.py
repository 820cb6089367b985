"""kill -9 in the middle of the 12 × 3 job, and a resume: what bencher and its peers pay again, and to whom they give the answers.

Each peer has a virtual environment of its own, made beside the interpreter that runs the bench; a peer that cannot be installed is
said so and left out.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

JOBS = Path(__file__).with_name("peers")
SOURCE = Path(__file__).parents[1] / "src"
PEERS: dict[str, tuple[str, ...]] = {
    "bencher": (),
    "diskcache": ("diskcache==5.6.3",),
    "joblib": ("joblib==1.6.0",),
    "langgraph": ("langgraph==1.2.24", "langgraph-checkpoint-sqlite==3.1.2"),
    "dbos": ("dbos==3.4.0", "pysqlite3-binary==0.5.4.post2"),
    "prefect": ("prefect==3.9.1",),
}
_STARTS_SLOWLY = {"prefect": 5, "dbos": 2, "langgraph": 2}
"""These get that many times fewer kills."""
_LONGEST_S = 240


@dataclass
class Row:
    """What happened to one peer in one shape."""

    peer: str
    shape: str
    kills: int = 0
    finished: int = 0
    """Calls that had ended when the process died."""
    paid_again: int = 0
    """Of those."""
    in_flight: int = 0
    """Calls that ran when the process died, paid again by anybody."""
    wrong: int = 0
    """Answers of the resumed run that belong to another question."""
    answers: int = 0
    failed: list[str] = field(default_factory=list[str])


def interpreter_of(peer: str) -> Path | str:
    """The Python with the peer installed, or why there is none."""
    if not PEERS[peer]:
        return Path(sys.executable)
    folder = Path(sys.prefix) / "peers" / peer
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists() or ready.read_text() != " ".join(PEERS[peer]):
        try:
            _uv("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
            _uv("pip", "install", "--quiet", "--python", str(python), *PEERS[peer])
        except (OSError, subprocess.SubprocessError) as error:
            output = getattr(error, "stderr", "") or str(error)
            return output.strip().splitlines()[-1]
        ready.write_text(" ".join(PEERS[peer]))
    return python


def measured(peer: str, python: Path, shape: str, kills: int, seed: int) -> Row:
    """Kill at random moments, resume with another jitter, compare."""
    source, row = random.Random(f"{peer} {shape} {seed}"), Row(peer, shape)
    for _ in range(max(1, kills // _STARTS_SLOWLY.get(peer, 1))):
        with tempfile.TemporaryDirectory(prefix="bencher-kills-") as name:
            _one_kill(row, Path(name), python, source)
    return row


def _one_kill(row: Row, folder: Path, python: Path, source: random.Random) -> None:
    # A number of finished calls rather than a time, so that slow and quick peers die at the same places of the job.
    calls, log = source.randrange(2, 30), folder / "log"
    process = _start(row, folder, python, seed=source.randrange(10**6))
    deadline = time.monotonic() + _LONGEST_S
    while process.poll() is None and _noted(log, "finished") < calls and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(source.uniform(0, 0.02))
    _kill(process)
    before = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    finished = {what[1] for what in before if what[0] == "finished"}
    running = {what[1] for what in before if what[0] == "begun"} - finished

    process = _start(row, folder, python, seed=source.randrange(10**6))
    try:
        output, errors = process.communicate(timeout=_LONGEST_S)
    except subprocess.TimeoutExpired:
        _kill(process)
        output, errors = "", "the resumed run did not end"
    told = [line for line in output.splitlines() if line.startswith("ANSWERS ")]
    if not told:
        row.failed.append((errors.strip().splitlines() or ["no answers"])[-1][:100])
        return
    after = [json.loads(line) for line in log.read_text().splitlines()[len(before) :]]
    paid = [what[1] for what in after if what[0] == "begun"]
    answers = json.loads(told[-1].removeprefix("ANSWERS "))
    row.kills += 1
    row.finished += len(finished)
    row.paid_again += sum(prompt in finished for prompt in paid)
    row.in_flight += sum(prompt in running for prompt in paid)
    row.answers += len(answers)
    row.wrong += sum(not answer.startswith(f"{prompt} -> ") for prompt, answer in answers.items())


def _start(row: Row, folder: Path, python: Path, *, seed: int) -> subprocess.Popen[str]:
    paths = [str(JOBS), str(SOURCE)] if row.peer == "bencher" else [str(JOBS)]
    quiet = {"PREFECT_LOGGING_LEVEL": "CRITICAL", "PREFECT_HOME": str(folder / "prefect"), "DO_NOT_TRACK": "1"}
    return subprocess.Popen(
        [str(python), str(JOBS / f"{row.peer}_job.py"), str(folder), row.shape, str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        start_new_session=True,
        env=os.environ | quiet | {"PYTHONPATH": os.pathsep.join(paths)},
    )


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # a peer's own server goes too
    process.communicate()


def _noted(log: Path, kind: str) -> int:
    return log.read_bytes().count(f'["{kind}"'.encode()) if log.exists() else 0


def _uv(*arguments: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([str(uv) if uv.exists() else "uv", *arguments], check=True, capture_output=True, text=True, timeout=600)
