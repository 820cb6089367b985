"""The process that evaluates one pull request for a worker: as `gonogo check` does, with what the worker wrote into a folder.

It has no key of GitHub and no way to its database but for reading live production, runs nothing of the repository, and ends when
its deadline is over, when its memory is used up, and when the worker is gone.
"""

import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from bot.bootstrap import Job, prepare
from bot.entrypoints.cli.deadline import GRACE_S, deadline
from bot.evaluation.evaluate import Request, evaluate, unfinished
from bot.evaluation.incremental import asked_again
from bot.jobs.child_job import JOB, RESULT, ChildJob, ChildResult, Known
from bot.jobs.policy_at import policy_at
from bot.report.json import write_atomically
from gonogo.errors import CallError
from gonogo.evaluation import Evaluation, Failure
from gonogo.policy import Policy


def main(place: Path) -> None:
    """Evaluate what the folder says, and leave the result there."""
    threading.Thread(target=_end_with_the_worker, name="worker", daemon=True).start()
    job = ChildJob.model_validate_json((place / JOB).read_bytes())
    resource.setrlimit(resource.RLIMIT_DATA, (job.memory_bytes, job.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    run(job, lambda result: write_atomically(place / RESULT, result.model_dump_json()))


def run(job: ChildJob, deliver: Callable[[ChildResult], None]) -> None:
    """Evaluate, and deliver one result: the evaluation's, or at the end of the time that it was not finished."""
    policy, policy_error = policy_at(job.mirror, job.base_sha)
    deadline_s = min(job.deadline_s, policy.deadline or job.deadline_s)

    def told(evaluation: Evaluation) -> ChildResult:
        return ChildResult(
            document=evaluation.model_dump_json(),
            policy=policy.model_dump(mode="json"),
            policy_error=policy_error,
            reused=_reused(job, evaluation),
        )

    def late() -> ChildResult:
        what = Failure(
            stage="deadline", why=f"not finished after {deadline_s:g} s", what_to_do="set a longer deadline, or split the change"
        )
        return told(_unfinished(job, what))

    try:
        with (
            deadline(deadline_s + GRACE_S, lambda: deliver(late()), since=job.started),
            prepare(
                folder=job.mirror,
                base=job.base_sha,
                head=job.head_sha,
                production=job.production or "none",
                pr=job.pull_request,
                config=policy,
                is_staged=False,
                steps=job.steps,
                deadline_s=deadline_s,
                investigator=job.investigator,
                started=job.started,
            ) as prepared,
        ):
            evaluation = evaluate(
                _request(job, prepared, policy), repository=prepared.repository, provider=prepared.provider, policy=policy
            )
    except CallError as error:
        evaluation = _unfinished(job, Failure(stage="changes", why=str(error)))
    deliver(told(evaluation))


def _request(job: ChildJob, prepared: Job, policy: Policy) -> Request:
    notes = [*prepared.request.notes, *job.notes]
    if job.production is None and policy.production not in (None, "none"):
        notes.append(f"the settings name production {policy.production}, which only who runs gonogo can give (GONOGO_PRODUCTION)")
    earlier = _evaluation(job.earlier)
    if earlier is not None and job.looks_again:
        earlier = asked_again(earlier)
    reusable = () if job.looks_again else tuple(e for e in map(_evaluation, job.reusable) if e is not None)
    return replace(prepared.request, notes=tuple(notes), earlier=earlier, reusable=reusable)


def _evaluation(known: Known | None) -> Evaluation | None:
    """An earlier evaluation; one that another version wrote in a form that we can't read is as if it had not been."""
    try:
        return Evaluation.model_validate_json(known.document) if known is not None else None
    except ValidationError:
        return None


def _reused(job: ChildJob, evaluation: Evaluation) -> str | None:
    """Which of the known ones was given again."""
    if evaluation.reused_from is None:
        return None
    known = ((k.id, _evaluation(k)) for k in job.reusable)
    return next((i for i, e in known if e is not None and e.judged.fingerprint == evaluation.judged.fingerprint), None)


def _unfinished(job: ChildJob, failure: Failure) -> Evaluation:
    request = Request(steps_limit=job.steps, deadline_s=job.deadline_s, notes=job.notes)
    repository_id = f"github:{job.repository.lower()}"
    return unfinished(failure, request, repository_id=repository_id, base=job.base_sha, head=job.head_sha)


def _end_with_the_worker() -> None:
    """Standard input is a pipe that the worker holds: it closes when the worker ends, however that comes about."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
