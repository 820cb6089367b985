"""Begins an evaluation: a newer generation in the store first, which ends the older one, then a job in the queue."""

from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_evaluation
from bot.storage.app_evaluations import Raised
from bot.storage.app_rows import EvaluationState, PullRequestRow


async def begin(
    ports: Ports,
    pull_request: PullRequestRow,
    *,
    trigger: str,
    before_sha: str | None = None,
    delivery: str | None = None,
    unless_known: bool = False,
) -> Raised:
    """Evaluate a pull request as it was seen last. `unless_known`: not when its head on its base has an evaluation already."""
    raised = await ports.stored(
        ports.store.raise_generation,
        pull_request.id,
        head_sha=pull_request.head_sha,
        base_ref=pull_request.base_ref,
        base_sha=pull_request.base_sha,
        trigger=trigger,
        before_sha=before_sha,
        delivery=delivery,
        unless_known=unless_known,
    )
    await enqueue(ports, raised)
    return raised


async def enqueue(ports: Ports, raised: Raised) -> None:
    """Put its job into the queue, also of an evaluation that was known and waits: a worker may have died in between."""
    evaluation = raised.evaluation
    if evaluation.state is EvaluationState.QUEUED:
        await enqueue_evaluation(
            ports.queue,
            evaluation_id=evaluation.id,
            subject=evaluation.subject,
            generation=evaluation.generation,
            attempt=evaluation.attempt + 1,
        )
