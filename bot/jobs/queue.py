"""The two queues between the web process and the workers: their names, the ids of their jobs, and the form of a job.

A job is JSON: nothing that lies in Redis is ever executed. Ids carry the generation, since arq refuses an id that is
queued, running or aborted (measured with arq 0.28). What is true of an evaluation stands in the database; a job that comes
twice finds nothing to do.
"""

import json
from datetime import timedelta
from typing import Any, cast

from pydantic_core import PydanticSerializationError, to_json

from bot.jobs.redis_commands import Queue

EVENTS = "gonogo:events"
"""Deliveries of GitHub, as they came."""
EVALUATIONS = "gonogo:evaluations"
"""Evaluations that wait for a worker."""

HANDLE_DELIVERY = "handle_delivery"
"""Job of EVENTS: `(event, guid, body)`, the name of the event, the delivery's id, and the text of the body."""
SWEEP = "sweep_installation"
"""Job of EVENTS: `(installation_id)`."""
BASE_MOVED = "base_moved"
"""Job of EVENTS: `(repository_id, branch, before, after)`."""
EVALUATE = "evaluate"
"""Job of EVALUATIONS: `(evaluation_id)`."""

DELIVERY_KNOWN_FOR = timedelta(days=8)
"""GitHub redelivers for 3 days, GitHub Enterprise Server for 7."""
JOB_KEPT_FOR = timedelta(days=8)
"""How long a job may wait for a worker; arq would throw it away after a day."""


def delivery_key(app_id: int | str, guid: str) -> str:
    """Where Redis remembers that a delivery was taken in; two Apps may get one guid (github/docs#32822)."""
    return f"gonogo:delivery:{app_id}:{guid}"


def delivery_job_id(app_id: int | str, guid: str) -> str:
    """The id of the job that handles a delivery."""
    return f"delivery:{app_id}:{guid}"


def evaluation_job_id(subject: str, generation: int, attempt: int = 1) -> str:
    """`pr:{id}:{generation}`, `group:{head sha}:{generation}`; a further attempt, after a worker died, adds its number."""
    return f"{subject}:{generation}" if attempt <= 1 else f"{subject}:{generation}:{attempt}"


def pack(job: dict[str, Any]) -> bytes:
    """A job as Redis keeps it."""
    try:
        return to_json(job)  # four times as quick as json.dumps: a webhook's answer waits for it
    except (PydanticSerializationError, UnicodeEncodeError):  # half a surrogate pair in a string
        return json.dumps(job, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpack(kept: bytes) -> dict[str, Any]:
    """The job that `pack` wrote."""
    return cast("dict[str, Any]", json.loads(kept.decode("utf-8", "surrogatepass")))


def packed_delivery(event: str, guid: str, body: str, *, at_ms: int) -> bytes:
    """The value of `arq:job:{delivery_job_id}`; the id goes into the sorted set EVENTS with `at_ms` as its score."""
    return pack({"t": None, "f": HANDLE_DELIVERY, "a": [event, guid, body], "k": {}, "et": at_ms})


async def enqueue_evaluation(
    redis: Queue, *, evaluation_id: str, subject: str, generation: int, attempt: int = 1, after_s: float = 0
) -> bool:
    """Ask for an evaluation by a worker; False when that very job waits or runs already."""
    job = await redis.enqueue_job(
        EVALUATE,
        evaluation_id,
        _job_id=evaluation_job_id(subject, generation, attempt),
        _queue_name=EVALUATIONS,
        _defer_by=after_s or None,
        _expires=JOB_KEPT_FOR,
    )
    return job is not None


async def enqueue_sweep(redis: Queue, *, installation_id: int, key: str) -> None:
    """Have an installation swept, once a `key`."""
    await redis.enqueue_job(
        SWEEP, str(installation_id), _job_id=f"sweep:{installation_id}:{key}", _queue_name=EVENTS, _expires=JOB_KEPT_FOR
    )


async def enqueue_base_moved(redis: Queue, *, repository_id: int, branch: str, before: str, after: str) -> None:
    """Have it looked which verdicts a push to a base branch made stale."""
    await redis.enqueue_job(
        BASE_MOVED,
        str(repository_id),
        branch,
        before,
        after,
        _job_id=f"base:{repository_id}:{after}",
        _queue_name=EVENTS,
        _expires=JOB_KEPT_FOR,
    )
