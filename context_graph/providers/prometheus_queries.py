"""From the names of a resource's metrics to queries: counters to rates, buckets to percentiles, gauges over each step."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

MAX_SERIES = 16
"""Series of one resource that are read, aligned on one grid."""

PERCENTILES = ((0.99, "p99"), (0.95, "p95"), (0.5, "p50"))

DIMENSIONS = (
    "route", "handler", "path", "uri", "http_route", "endpoint", "grpc_method", "queue", "topic", "consumergroup", "group", "relname",
    "mountpoint", "usename", "origin", "cache", "method", "status", "code", "status_code",
)  # fmt: skip
"""Labels that split a metric into series of their own, the most telling first; never one that names a replica."""

_REQUESTS = {
    "http_request_duration_seconds": "http_requests",
    "http_server_request_duration_seconds": "http_requests",
    "http_server_requests_seconds": "http_requests",
    "http_server_duration_milliseconds": "http_requests",
    "grpc_server_handling_seconds": "grpc_server_handled",
}
"""Histograms of requests: how often one was observed is how many requests came."""

_CPU = re.compile(r"(container_cpu_usage|process_cpu|node_cpu)_seconds_total")
_HIGHEST = re.compile(r"bytes|ratio|percent|utili[sz]ation|seconds|timestamp|celsius|lag|age|limit|_max")
_ORDER = tuple(
    re.compile(expression)
    for expression in (
        r"request|rpc|grpc|messages?_(?!.*size)|calls", r"duration|latency|response_time|seconds_bucket", r"error|fail|exception|reject|throttl|5xx",
        r"queue|lag|backlog|pending|depth|age", r"cpu", r"memory|heap", r"connection|pool|thread|replica", r"disk|filesystem|bytes", r"restart|oom|evict",
    )
)  # fmt: skip
_MINOR = re.compile(
    r"^(go|process|python|promhttp|scrape|up$|prometheus|nodejs_(gc|eventloop_lag_(min|stddev))|net_conntrack|target)_?"
)
_LABELLED = re.compile(r"_(info|created|labels|annotations|metadata)$")


@dataclass(frozen=True)
class Query:
    """One range query; `name` and `unit` are of the series it gives, `by` the label that splits it (empty: none)."""

    name: str
    unit: str
    expression: str
    by: str = ""


@dataclass(frozen=True)
class Metric:
    """A metric of a resource: its name, the types that the server knows, and the labels that its series carry."""

    name: str
    type: str = ""
    labels: frozenset[str] = frozenset()


def queries_for(metrics: Iterable[Metric], selectors: Mapping[str, str], window_s: int) -> Iterator[Query]:
    """Queries in the order of what matters: traffic, latency, errors, queues, CPU, memory, then the rest.

    `selectors` is metric name → selector. Counters become `…_per_second`, summed over the replicas; percentiles are of all
    replicas together; a gauge is the highest of its replicas where a limit is of one replica (bytes, ratios, seconds), else the
    sum of their averages.
    """
    known = {m.name: m for m in metrics if not _LABELLED.search(m.name)}
    ordered = sorted(known.values(), key=lambda m: (_rank(m.name), m.name))
    whole = [q for m in ordered for q in _whole(m, known, selectors, window_s)]
    split = [q for m in ordered for q in _split(m, known, selectors, window_s)]
    names: set[tuple[str, str]] = set()
    for query in (*_interleaved(whole, split),):
        if (query.name, query.by) not in names:
            names.add((query.name, query.by))
            yield query


def _interleaved(whole: list[Query], split: list[Query]) -> Iterator[Query]:
    """Everything important in whole before any of it by label, and that before what is of minor interest."""
    major = [q for q in whole if not _MINOR.match(q.name)]
    yield from major
    yield from (q for q in split if not _MINOR.match(q.name))
    yield from (q for q in whole if _MINOR.match(q.name))


def _whole(metric: Metric, known: Mapping[str, Metric], selectors: Mapping[str, str], window_s: int) -> Iterator[Query]:
    name, of = metric.name, selectors[metric.name]
    if name.endswith("_bucket"):
        base = name.removesuffix("_bucket")
        for quantile, suffix in PERCENTILES:
            expression = f"histogram_quantile({quantile}, sum by (le) (rate({name}{of}[{window_s}s])))"
            yield Query(f"{base}.{suffix}", unit_of(base), expression)
    elif "quantile" in metric.labels:
        for quantile, suffix in PERCENTILES:
            inner = f'{of[:-1]},quantile="{quantile}"}}'
            yield Query(f"{name}.{suffix}", unit_of(name), f"max(max_over_time({name}{inner}[{window_s}s]))")
    elif is_counter(metric, known):
        yield Query(*rate_name(name, known), f"sum(rate({name}{of}[{window_s}s]))")
    elif not _is_half(metric, known):
        yield Query(name, unit_of(name), _gauge(name, of, window_s))


def _split(metric: Metric, known: Mapping[str, Metric], selectors: Mapping[str, str], window_s: int) -> Iterator[Query]:
    label = next((d for d in DIMENSIONS if d in metric.labels), None)
    if label is None or metric.name.endswith("_bucket") or "quantile" in metric.labels:
        return
    of = selectors[metric.name]
    if is_counter(metric, known):
        yield Query(*rate_name(metric.name, known), f"sum by ({label}) (rate({metric.name}{of}[{window_s}s]))", by=label)
    elif not _is_half(metric, known):
        yield Query(metric.name, unit_of(metric.name), _gauge(metric.name, of, window_s, by=f" by ({label})"), by=label)


def _is_half(metric: Metric, known: Mapping[str, Metric]) -> bool:
    """The sum of what a histogram or summary observed: it means something only beside the count."""
    return metric.name.endswith("_sum") and f"{metric.name.removesuffix('_sum')}_count" in known


def _gauge(name: str, of: str, window_s: int, by: str = "") -> str:
    if _HIGHEST.search(name):
        return f"max{by}(max_over_time({name}{of}[{window_s}s]))"
    return f"sum{by}(avg_over_time({name}{of}[{window_s}s]))"


def is_counter(metric: Metric, known: Mapping[str, Metric]) -> bool:
    """By the type that the server knows, else by the suffix; a `_count` beside buckets or a sum only ever grows too."""
    if metric.type == "counter" or (not metric.type and metric.name.endswith("_total")):
        return True
    base = metric.name.removesuffix("_count")
    return metric.name.endswith("_count") and (f"{base}_bucket" in known or f"{base}_sum" in known)


def rate_name(counter: str, known: Collection[str] = ()) -> tuple[str, str]:
    """Name and unit of a counter's rate: `http_requests_total` → `http_requests_per_second`, Count/Second.

    The count of a histogram of requests is called the same where `known` has no counter of that name.
    """
    if _CPU.fullmatch(counter):
        return counter.removesuffix("_seconds_total") + "_cores", "Count"
    base = counter.removesuffix("_total")
    if counter.endswith("_count"):
        requests = _REQUESTS.get(counter.removesuffix("_count"), base)
        base = base if f"{requests}_total" in known else requests
    unit = "Bytes/Second" if base.endswith("bytes") else "Count/Second"
    return f"{base}_per_second", unit


def unit_of(name: str) -> str:
    """By the name's suffix, as the naming practice has it (Prometheus documentation, 'Metric and label naming').

    `None` as CloudWatch says it: a level without a unit. A `Count` would be read as the sum over a step.
    """
    for suffix, unit in (
        ("milliseconds", "Milliseconds"), ("_ms", "Milliseconds"), ("seconds", "Seconds"), ("bytes", "Bytes"),
        ("percent", "Percent"), ("ratio", "Ratio"), ("utilization", "Ratio"),
    ):  # fmt: skip
        if name.endswith(suffix):
            return unit
    return "None"


def _rank(name: str) -> int:
    if _MINOR.match(name):
        return len(_ORDER) + 1
    return next((at for at, words in enumerate(_ORDER) if words.search(name)), len(_ORDER))
