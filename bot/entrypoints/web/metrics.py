"""`/metrics` for Prometheus: counted from the database and the queue, so that any web process tells the same."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from typing import cast, override

from arq.connections import ArqRedis
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bot.entrypoints.web.deliveries import REDIS_ERRORS
from bot.jobs.queue import EVALUATIONS, EVENTS
from bot.jobs.redis_commands import Queue
from bot.jobs.workers import live_workers
from bot.storage.app_counts import Counting
from bot.storage.app_dashboard_rows import Counts

log = logging.getLogger("gonogo.web")


class Metrics:
    """The page. It names no repository and no person."""

    def __init__(self, *, counting: Counting, redis: ArqRedis) -> None:
        self._counting, self._redis = counting, redis

    async def page(self, request: Request) -> Response:  # noqa: ARG002
        """In Prometheus' text format; 503 without the database. Without Redis, what it knows is left out."""
        try:
            counts = await asyncio.to_thread(self._counting.counts)
        except SQLAlchemyError as error:
            log.warning("metrics not counted", extra={"why": type(error).__name__})
            return PlainTextResponse("the database does not answer\n", 503)
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Counted([*_of_database(counts), *_of_queue(await self._queues())]))
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    async def _queues(self) -> Mapping[str, int] | None:
        try:
            return {
                "events": await self._redis.zcard(EVENTS),
                "evaluations": await self._redis.zcard(EVALUATIONS),
                "workers": await live_workers(cast("Queue", self._redis)),
            }
        except REDIS_ERRORS as error:
            log.warning("queue not counted", extra={"why": type(error).__name__})
            return None


class _Counted(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    @override
    def collect(self) -> Iterator[Metric]:
        yield from self._families


def _of_database(counts: Counts) -> Iterator[Metric]:
    ended = CounterMetricFamily("gonogo_evaluations", "Evaluations that ended, by outcome.", labels=["outcome"])
    for outcome, count in counts.outcomes.items():
        ended.add_metric([outcome.value], count)
    yield ended
    unended = GaugeMetricFamily("gonogo_evaluations_unended", "Evaluations that wait or run.", labels=["state"])
    for state, count in counts.states.items():
        unended.add_metric([state.value], count)
    yield unended
    count, seconds = counts.took_s
    yield SummaryMetricFamily(
        "gonogo_evaluation_seconds", "From the event to the verdict.", count_value=int(count), sum_value=seconds
    )
    yield GaugeMetricFamily(
        "gonogo_oldest_unended_seconds", "Age of the oldest evaluation that has not ended.", counts.oldest_unconcluded_s
    )
    yield CounterMetricFamily("gonogo_verdicts_reused", "Verdicts given again because nothing had changed.", counts.reused)
    yield CounterMetricFamily("gonogo_prevented_incidents", "Flagged, changed, found gone, merged.", counts.prevented)
    yield CounterMetricFamily("gonogo_acknowledgements", "Risks that somebody took with a reason.", counts.acknowledgements)
    yield CounterMetricFamily("gonogo_model_cost_dollars", "Paid to models.", counts.cost)
    tokens = CounterMetricFamily("gonogo_model_tokens", "Tokens of models.", labels=["direction"])
    tokens.add_metric(["input"], counts.input_tokens)
    tokens.add_metric(["output"], counts.output_tokens)
    yield tokens
    writes = GaugeMetricFamily("gonogo_writes_waiting", "Writes to GitHub that are not done.", labels=["has_failed"])
    writes.add_metric(["true"], counts.failing_writes)
    writes.add_metric(["false"], counts.waiting_writes - counts.failing_writes)
    yield writes


def _of_queue(told: Mapping[str, int] | None) -> Iterator[Metric]:
    if told is None:
        return
    jobs = GaugeMetricFamily("gonogo_queue_jobs", "Jobs that wait or run.", labels=["queue"])
    for queue in ("events", "evaluations"):
        jobs.add_metric([queue], told[queue])
    yield jobs
    yield GaugeMetricFamily("gonogo_workers", "Workers that gave a sign of life lately.", told["workers"])
