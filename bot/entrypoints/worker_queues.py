"""The two queues of arq that a worker serves: what a job's name means, and when it is done again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from arq.connections import ArqRedis
from arq.worker import Function, Retry, Worker, func

from bot.github.events import EventUnreadable
from bot.github.mirror import CREATE_TIMEOUT_S
from bot.jobs.base_moved import base_moved
from bot.jobs.evaluate import evaluate
from bot.jobs.handle_delivery import handle_delivery
from bot.jobs.ports import Ports, utc_now
from bot.jobs.queue import BASE_MOVED, EVALUATE, EVALUATIONS, EVENTS, HANDLE_DELIVERY, SWEEP, pack, unpack
from bot.jobs.sweep import Sweeper
from bot.jobs.workers import hold, let_go
from gonogo.errors import Suspended, Throttled

POLL_S = 0.1
EVENT_S, SWEEP_S = 110.0, 1200.0
"""Longest time of a delivery, which may fetch a base branch, and of a sweep of one installation."""
EVENTS_AT_A_TIME = 10
MOST_TRIES = 12
_MARGIN_S = 10.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0

log = logging.getLogger("gonogo.worker")


async def serve_events(redis: ArqRedis, ports: Ports, sweeper: Sweeper) -> None:
    """Deliveries, and what follows from them."""

    async def deliver(ctx: dict[Any, Any], event: str, guid: str, body: str) -> None:
        about = {"event": event, "delivery": guid}
        await _again(ctx, lambda: handle_delivery(ports, event=event, guid=guid, body=body), EVENT_S, about)

    async def sweep(ctx: dict[Any, Any], installation_id: str) -> None:
        await _again(ctx, lambda: sweeper.one(int(installation_id)), SWEEP_S, {"installation": installation_id})

    async def moved(ctx: dict[Any, Any], repository_id: str, branch: str, before: str, after: str) -> None:
        def look() -> Awaitable[object]:
            return base_moved(ports, repository_id=int(repository_id), branch=branch, before=before, after=after)

        await _again(ctx, look, EVENT_S, {"repository": repository_id, "after": after})

    jobs = [
        func(cast("Any", deliver), name=HANDLE_DELIVERY, timeout=EVENT_S + _MARGIN_S),
        func(cast("Any", sweep), name=SWEEP, timeout=SWEEP_S + _MARGIN_S),
        func(cast("Any", moved), name=BASE_MOVED, timeout=EVENT_S + _MARGIN_S),
    ]
    await _serve(redis, EVENTS, jobs, ports, at_a_time=EVENTS_AT_A_TIME)


async def serve_evaluations(redis: ArqRedis, ports: Ports) -> None:
    """Evaluations, as many at a time as the settings say. Making the first copy of a repository takes its own time."""

    async def one(ctx: dict[Any, Any], evaluation_id: str) -> None:  # noqa: ARG001  arq gives it
        await evaluate(ports, evaluation_id)

    longest_s = CREATE_TIMEOUT_S + ports.settings.deadline + EVENT_S
    await _serve(
        redis, EVALUATIONS, [func(cast("Any", one), name=EVALUATE, timeout=longest_s)], ports, at_a_time=ports.settings.workers
    )


async def _serve(redis: ArqRedis, name: str, jobs: Sequence[Function], ports: Ports, *, at_a_time: int) -> None:
    """Serve one queue. What runs when it breaks or is ended is cancelled, and given back."""

    async def held(ctx: dict[Any, Any]) -> None:
        await hold(ports.queue, ports.worker_id, ctx["job_id"])

    async def released(ctx: dict[Any, Any]) -> None:
        await let_go(ports.queue, ports.worker_id, ctx["job_id"])

    worker = Worker(
        functions=jobs,
        queue_name=name,
        redis_pool=redis,
        handle_signals=False,
        max_jobs=at_a_time,
        poll_delay=POLL_S,
        keep_result=0,  # else a job of the same id is refused for as long as its result is kept
        max_tries=MOST_TRIES,
        health_check_interval=60,
        on_job_start=held,
        after_job_end=released,
        job_serializer=pack,
        job_deserializer=unpack,
        log_results=False,
    )
    try:
        await worker.main()
    finally:
        running = list(worker.tasks.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _again(ctx: dict[Any, Any], act: Callable[[], Awaitable[object]], within_s: float, about: Mapping[str, object]) -> None:
    """Do it, or have it done again later: nothing that GitHub told us is dropped for a failure that passes."""
    try:
        async with asyncio.timeout(within_s):
            await act()
    except EventUnreadable as error:
        log.warning("event not readable", extra={**about, "why": str(error)})
    except Suspended as error:
        log.info("installation suspended or gone", extra={**about, "why": str(error)})
    except Throttled as error:
        raise Retry(defer=max(1.0, (error.not_before - utc_now()).total_seconds())) from error
    except Exception as error:
        attempt = int(ctx["job_try"])
        log.exception("job failed", extra={**about, "attempt": attempt})
        if attempt < MOST_TRIES:
            raise Retry(defer=min(_FIRST_WAIT_S * 2 ** (attempt - 1), _LONGEST_WAIT_S)) from error
