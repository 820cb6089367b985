"""Gives work that nobody does any more to a living worker: within seconds, whoever died and whatever was lost with it."""

import logging
from datetime import timedelta

from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_evaluation
from bot.jobs.workers import free_jobs_of_the_dead
from bot.storage.app_rows import EvaluationRow

LOST_AFTER = timedelta(seconds=15)
"""An evaluation that is queued for so long may have lost its job: it is put into the queue, where it stays one job."""

log = logging.getLogger("gonogo.worker")


async def recover(ports: Ports) -> int:
    """Jobs of dead workers are free again, evaluations whose lease ended are begun anew; how many of both."""
    freed = await free_jobs_of_the_dead(ports.queue)
    expired = await ports.stored(ports.store.expired_leases)
    for row in expired:
        await _enqueue(ports, row)
    if freed or expired:
        log.info("taken over", extra={"jobs": len(freed), "evaluations": len(expired)})
    return len(freed) + len(expired)


async def requeue_lost(ports: Ports) -> None:
    """Every evaluation that waits has a job; one that is there is left alone."""
    before = await ports.stored(ports.store.now) - LOST_AFTER
    for row in await ports.stored(ports.store.waiting, before=before):
        await _enqueue(ports, row)


async def _enqueue(ports: Ports, row: EvaluationRow) -> None:
    await enqueue_evaluation(
        ports.queue, evaluation_id=row.id, subject=row.subject, generation=row.generation, attempt=row.attempt + 1
    )
