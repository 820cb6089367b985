"""Queues: how long they keep a message, who reads them and how, where messages go that nobody could handle."""

from collections.abc import Mapping, Sequence
from typing import Any

from context_graph.normal_form import normal_attributes
from context_graph.providers.cloudflare.asking import Asking, listed, part
from gonogo.resource import Relation
from gonogo.word import Json, ResourceId

PERMISSIONS = ("Account: Queues Read",)

_CONSUMER = "cloudflare.queue_consumer"


def collect(ask: Asking) -> None:
    """Every queue with its consumers. The list itself holds only some of them, so that each queue is asked."""
    for queue in ask.pages(f"{ask.account}/queues", per_page=100):
        with ask.detail(f"queue {queue.get('queue_name')}"):
            _queue(ask, queue)


def _queue(ask: Asking, queue: Mapping[str, Any]) -> None:
    name, settings = str(queue["queue_name"]), part(queue, "settings")
    at = ask.at("queue", name)
    attributes: dict[str, Json] = {
        "queue_id": queue.get("queue_id"),
        "message_retention_s": settings.get("message_retention_period"),
        "delay_s": settings.get("delivery_delay"),
        "delivery_paused": settings.get("delivery_paused"),
    }
    with ask.detail(f"consumers of queue {name}"):
        consumers = list(ask.pages(f"{ask.account}/queues/{queue['queue_id']}/consumers"))
        attributes |= _consumers(ask, at, consumers)
    producers = [_producer(ask, at, one) for one in listed(queue, "producers")]
    if "producers" in queue and queue.get("producers_total_count", len(producers)) == len(producers):
        attributes["producers"] = sorted(producers)
    ask.resource(at, "cloudflare.queue", name, attributes)


def _consumers(ask: Asking, queue: ResourceId, consumers: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    """Who reads it; what all of them say alike stands at the queue itself, as it does with one consumer, the usual case."""
    said: list[dict[str, Json]] = []
    names: list[Json] = []
    for consumer in consumers:
        script = consumer.get("script_name") or consumer.get("script") or consumer.get("service")
        is_pull = consumer.get("type") == "http_pull" or not script
        names.append("http_pull" if is_pull else f"worker:{script}")
        if not is_pull:
            ask.edge(queue, ask.at("worker", str(script)), Relation.TRIGGERS, f"consumer {script}")
        if dead := consumer.get("dead_letter_queue"):
            ask.edge(queue, ask.at("queue", str(dead)), Relation.PUBLISHES_TO, "dead letters")
        said.append(_settings(consumer))
    first = said[0] if said else {}
    alike = {key: value for key, value in first.items() if all(other.get(key) == value for other in said)}
    more: dict[str, Json] = {"event_sources": [*said]} if len(said) > 1 else {}
    return {"consumers": sorted(map(str, names)), **alike, **more}


def _settings(consumer: Mapping[str, Any]) -> dict[str, Json]:
    settings = {key: value for key, value in part(consumer, "settings").items() if value is not None}
    normal = normal_attributes(_CONSUMER, {"settings": settings, "dead_letter_queue": consumer.get("dead_letter_queue")})
    normal.pop("settings", None)
    if isinstance(wait := settings.get("max_wait_time_ms"), int | float):
        normal["event_source_batching_window_s"] = wait / 1000
    if isinstance(hidden := settings.get("visibility_timeout_ms"), int | float):
        normal["visibility_timeout_s"] = hidden / 1000
    if isinstance(delay := settings.get("retry_delay"), int | float):
        normal["retry_delay_s"] = delay
    return {key: value for key, value in normal.items() if value is not None}


def _producer(ask: Asking, queue: ResourceId, producer: Mapping[str, Any]) -> str:
    script = producer.get("script") or producer.get("service")
    if isinstance(bucket := producer.get("bucket_name"), str):
        ask.edge(ask.at("r2_bucket", bucket), queue, Relation.PUBLISHES_TO, "event notification")
        return f"r2_bucket:{bucket}"
    if isinstance(script, str):
        ask.edge(ask.at("worker", script), queue, Relation.PUBLISHES_TO, f"producer {script}")
    return f"worker:{script}"
