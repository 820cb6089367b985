"""The process that evaluates: the same report as the command line gives, within its limits, and gone when it is not wanted."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from bot.changes.pull_request import PullRequest
from bot.jobs.child import ChildFailed, child_environment, run_child
from bot.jobs.child_job import ChildJob, Known
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.verdict import Verdict
from scripts.build_demo import EXAMPLE, build_example, run_git

PRODUCTION = EXAMPLE / "production"


@pytest.fixture(scope="module")
def rides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled example as a repository: branches main, unsafe, safe."""
    return build_example(tmp_path_factory.mktemp("example") / "rides")


@pytest.fixture
def evaluated(rides, tmp_path):
    """Evaluate a branch in the process; what came back, and its Evaluation."""

    def run(head="unsafe", *, base="main", repository=rides, **changed):
        job = a_job(repository, head, base=base, **changed)
        result = asyncio.run(run_child(job, environment=environment(), place=tmp_path))
        return result, Evaluation.model_validate_json(result.document)

    return run


def a_job(repository: Path, head: str, *, base: str = "main", **changed: object) -> ChildJob:
    told = {
        "mirror": repository / ".git",
        "repository": "spokeway/rides",
        "base_sha": run_git(repository, "rev-parse", base).strip(),
        "head_sha": run_git(repository, "rev-parse", head).strip(),
        "pull_request": PullRequest(repository="spokeway/rides", base_branch="main", number=7, title="A change"),
        "production": str(PRODUCTION),
        "started": monotonic(),
        "memory_bytes": 2 * 2**30,
        "deadline_s": 120,
    }
    return ChildJob.model_validate(told | changed)


def environment() -> dict[str, str]:
    return child_environment(os.environ, database_url=None, asks_model=False, max_cost=None)


def test_its_report_is_that_of_the_command_line_to_the_byte_but_for_times(rides, evaluated, tmp_path):
    pr = tmp_path / "pr.yaml"
    pr.write_text("title: A change\nrepository: spokeway/rides\nbase_branch: main\nnumber: 7\n")
    command = [Path(sys.executable).parent / "gonogo", "check", "--repo", rides, "--base", "main", "--head", "unsafe", "--pr", pr]
    command += ["--production", PRODUCTION, "--investigator", "rules", "--deadline", "120", "--format", "json", "--quiet"]
    done = subprocess.run(command, capture_output=True, check=False, env=environment(), text=True)

    _, evaluation = evaluated()

    said, mine = json.loads(done.stdout), json.loads(json.dumps(evaluation.to_report()))
    assert said.pop("timings")
    assert mine.pop("timings")
    assert json.dumps(mine) == json.dumps(said)
    assert done.returncode == evaluation.exit_status() == 1


def test_a_safe_change_is_a_go(evaluated):
    _, evaluation = evaluated("safe")

    assert evaluation.verdict is Verdict.GO


def test_settings_are_read_at_the_tip_of_the_base_and_a_mistake_is_told_with_its_line(evaluated, rides, tmp_path):
    repository = build_example(tmp_path / "other")
    run_git(repository, "checkout", "-q", "main")
    (repository / ".github").mkdir(exist_ok=True)
    (repository / ".github" / "gonogo.yml").write_text("shadow: true\nblock_onn: [confirmed]\n")
    run_git(repository, "add", "-A")
    run_git(repository, "commit", "-q", "-m", "settings")

    result, evaluation = evaluated(repository=repository)

    assert "line 2" in result.policy_error
    assert result.policy["shadow"] is False
    assert evaluation.verdict is Verdict.NO_GO


def test_production_that_is_not_there_is_no_go_and_no_crash(evaluated, tmp_path):
    _, evaluation = evaluated(production=str(tmp_path / "nowhere"))

    assert evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE
    assert "nowhere" in evaluation.failures[0].why


def test_a_repository_can_not_name_production_that_the_operator_did_not(evaluated, tmp_path):
    repository = build_example(tmp_path / "other")
    run_git(repository, "checkout", "-q", "main")
    (repository / ".github").mkdir(exist_ok=True)
    (repository / ".github" / "gonogo.yml").write_text(f"production: {PRODUCTION}\n")
    run_git(repository, "add", "-A")
    run_git(repository, "commit", "-q", "-m", "settings")

    _, evaluation = evaluated(repository=repository, production=None)

    assert evaluation.production == "none"
    assert any("GONOGO_PRODUCTION" in note for note in evaluation.notes)


def test_the_same_content_gets_the_same_verdict_without_being_judged_again(evaluated):
    first, before = evaluated()

    again, evaluation = evaluated(reusable=(Known(id="the-first", document=first.document),))

    assert again.reused == "the-first"
    assert (evaluation.verdict, evaluation.reused_from) == (before.verdict, before.head)


def test_who_asks_for_another_look_gets_one(evaluated):
    first, _ = evaluated()
    known = Known(id="the-first", document=first.document)

    again, evaluation = evaluated(reusable=(known,), earlier=known, looks_again=True)

    assert (again.reused, evaluation.reused_from) == (None, None)


def test_it_ends_with_an_answer_when_its_time_is_over(rides, tmp_path):
    job = a_job(rides, "unsafe", started=monotonic() - 200)

    result = asyncio.run(run_child(job, environment=environment(), place=tmp_path, grace_s=60))

    evaluation = Evaluation.model_validate_json(result.document)
    assert evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE
    assert "120 s" in evaluation.failures[0].why


def test_it_is_killed_when_it_does_not_even_answer_that(rides, tmp_path):
    async def story():
        job = a_job(rides, "unsafe", deadline_s=1)
        task = asyncio.create_task(run_child(job, environment=environment(), place=tmp_path))
        os.kill(await _child(), signal.SIGSTOP)
        return await task

    with pytest.raises(ChildFailed, match="was killed"):
        asyncio.run(story())


def test_it_can_not_take_more_memory_than_it_may(evaluated):
    with pytest.raises(ChildFailed, match="evaluating process"):
        evaluated(memory_bytes=2**20)


def test_cancelled_it_is_gone_within_a_second_with_all_that_it_started(rides, tmp_path):
    async def story():
        task = asyncio.create_task(run_child(a_job(rides, "unsafe"), environment=environment(), place=tmp_path))
        group = await _child()
        began = monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return group, monotonic() - began

    group, took_s = asyncio.run(story())

    assert took_s < 1
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)


def test_it_ends_when_its_worker_is_gone(rides, tmp_path):
    """The worker is a process of its own here, and is killed."""
    (tmp_path / "job.json").write_text(a_job(rides, "unsafe", deadline_s=60).model_dump_json())
    script = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-m', 'bot.entrypoints.evaluation_child', {str(tmp_path)!r}],"
        " stdin=subprocess.PIPE, start_new_session=True)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment()) as worker:
        child = int(worker.stdout.readline())
        worker.kill()
    until = monotonic() + 20
    while _is_alive(child) and monotonic() < until:
        os.sched_yield()

    assert not _is_alive(child)


async def _child() -> int:
    """The process, once it is there."""
    while not (found := _children(os.getpid())):  # noqa: ASYNC110  it is another process
        await asyncio.sleep(0.01)
    return found[0]


def _children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if _is_ours(int(p))]


def _is_ours(pid: int) -> bool:
    try:
        return b"evaluation_child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
