"""Runs one evaluation in a process of its own: it can be killed within a second, and what it breaks is its own."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Protocol

from pydantic import ValidationError

from bot.jobs.child_job import JOB, RESULT, SPENDING, STDERR, ChildJob, ChildResult
from gonogo.record import Record
from gonogo.redaction import redacted

GRACE_S = 4.0
"""After its deadline the process ends itself with a report that says so; after this it is killed."""

_OF_THE_APP = ("GONOGO_GITHUB_", "GITHUB_", "GH_", "GIT_", "PYTHON")
_FOR_US_ALONE = frozenset({"GONOGO_CONFIG", "GONOGO_REDIS_URL", "GONOGO_SESSION_SECRET", "GONOGO_DATABASE_URL"})
_TAIL = 2_000
_OLD_S = 6 * 3600.0


class ChildFailed(Exception):
    """The process ended without a result; the message says how."""


class Spent(Record):
    """What models were paid, in dollars and tokens."""

    cost: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


def child_environment(
    environment: Mapping[str, str], *, database_url: str | None, asks_model: bool, max_cost: float | None
) -> dict[str, str]:
    """What providers and the model need, and nothing of the App: no key of GitHub, no Redis, no session secret.

    `database_url` is given where the graph of live production is read from it, else None. `max_cost` is what a model may cost, in
    dollars; None leaves the limit that stands.
    """
    kept = {k: v for k, v in environment.items() if not k.startswith(_OF_THE_APP) and k not in _FOR_US_ALONE}
    if not asks_model:
        kept = {k: v for k, v in kept.items() if not k.startswith("ANTHROPIC_")}
    if database_url is not None:
        kept["GONOGO_DATABASE_URL"] = database_url
    if max_cost is not None:
        kept["GONOGO_MAX_COST"] = f"{max_cost:.6f}"
    return kept | {"PYDANTIC_DISABLE_PLUGINS": "__all__"}


def evaluating_in(data_dir: Path) -> Path:
    """Where the folders of processes are."""
    return data_dir / "evaluating"


@contextmanager
def child_folder(within: Path) -> Generator[Path]:
    """A folder for one process, gone at the end."""
    within.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="evaluation-", dir=within))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def tidy(within: Path, *, now: float) -> None:
    """Remove the folders of processes whose worker was killed: older than any evaluation may take. `now` as `time.time` gives it."""
    for left in within.glob("evaluation-*"):
        with contextlib.suppress(OSError):
            if now - left.stat().st_mtime > _OLD_S:
                shutil.rmtree(left, ignore_errors=True)


async def run_child(job: ChildJob, *, environment: Mapping[str, str], place: Path, grace_s: float = GRACE_S) -> ChildResult:
    """Start the process in its folder and wait for its result. Cancelled, it is killed with all that it started.

    Raises ChildFailed, also when it has no result `grace_s` after its deadline.
    """
    (place / JOB).write_text(job.model_dump_json(), encoding="utf-8")
    with (place / STDERR).open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "bot.entrypoints.evaluation_child", str(place)),
            stdin=asyncio.subprocess.PIPE,  # closes when this worker ends, however it ends, and then so does the process
            stdout=asyncio.subprocess.DEVNULL,
            stderr=stderr,
            env={**environment, "GONOGO_SPENDING_FILE": str(place / SPENDING)},
            cwd=place,
            start_new_session=True,
        )
    try:
        async with asyncio.timeout(max(0.0, job.started + job.deadline_s - monotonic()) + grace_s):
            status = await process.wait()
    except TimeoutError:
        status = None
    finally:
        _kill(process.pid)
        await process.wait()
    return await asyncio.to_thread(_result, place, status)


class RunChild(Protocol):
    """What runs the process: `run_child`."""

    async def __call__(self, job: ChildJob, *, environment: Mapping[str, str], place: Path) -> ChildResult:
        """The result; raises ChildFailed."""
        ...


def spent_in(place: Path) -> Spent:
    """What the process of that folder paid so far, whether or not it came to a result."""
    try:
        lines = (place / SPENDING).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return Spent()
    told = [json.loads(line) for line in lines if line.endswith("]")]  # the last line of a killed process may be torn
    return Spent(sum(t[0] for t in told), sum(t[1] for t in told), sum(t[2] for t in told))


def _kill(group: int) -> None:
    """End the process and whatever it started; of a group that is gone nothing is left to end."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _result(place: Path, status: int | None) -> ChildResult:
    try:
        return ChildResult.model_validate_json((place / RESULT).read_bytes())
    except FileNotFoundError:
        how = _ending(status)
    except (OSError, ValidationError) as error:
        how = f"left no readable result ({str(error).splitlines()[0]})"
    said = (place / STDERR).read_bytes()[-_TAIL:].decode("utf-8", "replace").strip().splitlines()
    raise ChildFailed(redacted(f"the evaluating process {how}" + (f": {said[-1]}" if said else "")))


def _ending(status: int | None) -> str:
    """How a process without a result ended; None: we ended it, after its time was over."""
    if status is None:
        return "did not end in its time, and was killed"
    return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
