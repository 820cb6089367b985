"""Metrics and ringing alarms from CloudWatch: GetMetricData in batches of 500, every page, gaps left as gaps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import batched
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from context_graph.providers.aws.faults import said
from context_graph.providers.cloudwatch_metrics import ROUTED, Dimensions, dimensions_of
from context_graph.telemetry import STEP, Answer, Call, Fact, on_grid
from gonogo.context import Alarm, Gap, Series, Window
from gonogo.resource import Resource
from gonogo.word import ResourceId

ClientOf = Callable[[str, str], Any]
"""Service and region → boto3's client; it retries what is throttled."""

CALLS = (("cloudwatch", "get_metric_data"), ("cloudwatch", "describe_alarms"), ("cloudwatch", "list_metrics"))
"""Service and operation of every call made here: the permissions that are needed."""

BATCH = 500
"""Queries of one GetMetricData, the service's limit."""

MAX_PAGES = 100
MAX_ROUTES = 25
LIMIT_S = 40.0


@dataclass(frozen=True)
class MetricQuery:
    """One series that is asked for."""

    resource: ResourceId
    label: str
    unit: str
    namespace: str
    metric: str
    statistic: str
    dimensions: Dimensions


class CloudWatchSource:
    """Implements context_graph.telemetry.TelemetrySource for resources of one account, in whatever region they are."""

    def __init__(self, client_of: ClientOf, *, account: str, step: timedelta = STEP) -> None:
        self._client_of, self._account, self._step = client_of, account, step

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a region and batch for metrics, one a region for alarms; a resource of another account is a gap."""
        if fact not in (Fact.SERIES, Fact.ALARMS):
            return []
        by_region: dict[str, list[Resource]] = {}
        foreign: list[str] = []
        for resource in resources:
            found = dimensions_of(resource)
            if found is None:
                continue
            if resource.account not in ("", self._account):
                foreign.append(resource.account)
                continue
            by_region.setdefault(found[0].region or resource.region or _region_in(resource.id), []).append(resource)
        calls: list[Call] = []
        for region, some in sorted(by_region.items()):
            if fact is Fact.ALARMS:
                calls.append(Call(fact, f"CloudWatch alarms {region}", partial(self._alarms, region, some), LIMIT_S))
                continue
            what = f"CloudWatch metrics {region}"
            calls += [
                Call(fact, what, partial(self._metrics, region, q, window), LIMIT_S) for q in batched(_queries(some), BATCH)
            ]
            if routed := [r for r in some if r.kind in ROUTED]:
                run = partial(self._routes, region, routed, window)
                calls.append(Call(fact, f"CloudWatch metrics by route {region}", run, LIMIT_S))
        if foreign:
            accounts = ", ".join(sorted(set(foreign)))
            why = f"{len(foreign)} resources are of account {accounts}; these credentials open {self._account}"
            gap = Gap(stage="context", what=f"CloudWatch {fact.value}", why=why)
            calls.append(Call(fact, gap.what, partial(Answer, (), [gap])))
        return calls

    def _metrics(self, region: str, queries: Sequence[MetricQuery], window: Window) -> Answer:
        """Series on the window's grid. What one page says of a metric the next may continue."""
        client = self._client_of("cloudwatch", region)
        request: dict[str, Any] = {
            "StartTime": window.start,
            "EndTime": window.end,
            "ScanBy": "TimestampAscending",
            "MetricDataQueries": [self._query(f"m{at}", query) for at, query in enumerate(queries)],
        }
        points: dict[str, list[tuple[float, float]]] = {}
        gaps: dict[str, str] = {}
        try:
            for page in _pages(lambda token: client.get_metric_data(**request, **({"NextToken": token} if token else {}))):
                for result in page.get("MetricDataResults", ()):
                    stamps = (stamp.timestamp() for stamp in result.get("Timestamps", ()))
                    points.setdefault(result["Id"], []).extend(zip(stamps, result.get("Values", ()), strict=True))
                    if result.get("StatusCode") in ("InternalError", "Forbidden"):
                        gaps[result["StatusCode"]] = f"{result['StatusCode']} for {result.get('Label') or result['Id']}"
                for message in page.get("Messages", ()):
                    gaps[message.get("Code", "")] = f"{message.get('Code')}: {message.get('Value')}"
        except (ClientError, BotoCoreError) as error:
            gaps["ended"] = f"{said(error)}; the read-only policy of gonogo doctor allows cloudwatch:GetMetricData"
        found = (
            Series(
                resource=q.resource, metric=q.label, unit=q.unit, start=window.start, step_s=self._step.total_seconds(), values=v
            )
            for at, q in enumerate(queries)
            if (v := on_grid(points.get(f"m{at}", ()), window, self._step)) is not None
        )
        return Answer(list(found), [Gap(stage="context", what=f"CloudWatch metrics {region}", why=why) for why in gaps.values()])

    def _query(self, name: str, query: MetricQuery) -> dict[str, Any]:
        dimensions = [{"Name": key, "Value": value} for key, value in sorted(query.dimensions.items())]
        metric = {"Namespace": query.namespace, "MetricName": query.metric, "Dimensions": dimensions}
        stat = {"Metric": metric, "Period": round(self._step.total_seconds()), "Stat": query.statistic}
        return {"Id": name, "MetricStat": stat, "ReturnData": True}

    def _routes(self, region: str, resources: Sequence[Resource], window: Window) -> Answer:
        """Requests by route of APIs whose detailed metrics are on: `Count{route=GET /v1/orders}`."""
        client = self._client_of("cloudwatch", region)
        queries: list[MetricQuery] = []
        gaps: list[Gap] = []
        for resource in resources:
            found = dimensions_of(resource)
            if found is None:
                continue
            kind, own = found
            filters = [{"Name": key, "Value": value} for key, value in own.items()]

            def ask(token: str | None, kind: str = kind.namespace, filters: Any = filters) -> Mapping[str, Any]:
                more = {"NextToken": token} if token else {}
                return client.list_metrics(Namespace=kind, MetricName="Count", Dimensions=filters, **more)

            listed = (metric for page in _pages(ask) for metric in page.get("Metrics", ()))
            routes = list(_by_route(listed, resource, kind.namespace))
            if len(routes) > MAX_ROUTES:
                why = f"{MAX_ROUTES} of {len(routes):,} routes were read"
                gaps.append(Gap(stage="context", what=f"CloudWatch metrics by route {resource.id}", why=why))
            queries += routes[:MAX_ROUTES]
        answers = [self._metrics(region, some, window) for some in batched(queries, BATCH)]
        return Answer([s for a in answers for s in a.facts], [*gaps, *(g for a in answers for g in a.gaps)])

    def _alarms(self, region: str, resources: Sequence[Resource]) -> Answer:
        """Alarms that ring, of the resources whose dimensions they watch."""
        client = self._client_of("cloudwatch", region)
        own = [(f[0].namespace, frozenset(f[1].items()), r.id) for r in resources if (f := dimensions_of(r)) is not None]
        found: list[Alarm] = []
        request = {"StateValue": "ALARM", "AlarmTypes": ["MetricAlarm"]}
        for page in _pages(lambda token: client.describe_alarms(**request, **({"NextToken": token} if token else {}))):
            for alarm in page.get("MetricAlarms", ()):
                watched = list(_watched(alarm))
                since: datetime = alarm.get("StateTransitionedTimestamp") or alarm["StateUpdatedTimestamp"]
                found += [
                    Alarm(since=since.astimezone(UTC), resource=at, name=alarm["AlarmName"], state=alarm["StateValue"])
                    for namespace, dimensions, at in own
                    if any(namespace == there and dimensions <= others for there, others in watched)
                ]
        return Answer(found)


def _queries(resources: Iterable[Resource]) -> Iterator[MetricQuery]:
    for resource in resources:
        found = dimensions_of(resource)
        if found is not None:
            kind, dimensions = found
            for wanted in kind.wanted:
                yield MetricQuery(
                    resource.id, wanted.label, wanted.unit, kind.namespace, wanted.metric, wanted.statistic, dimensions
                )


def _pages(ask: Callable[[str | None], Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every page; a service that gives the same token again, or pages without end, is not followed."""
    token: str | None = None
    for _ in range(MAX_PAGES):
        page = ask(token)
        yield page
        following = page.get("NextToken")
        if not following or following == token:
            return
        token = following


def _by_route(listed: Iterable[Mapping[str, Any]], resource: Resource, namespace: str) -> Iterator[MetricQuery]:
    seen: set[str] = set()
    for metric in listed:
        own = {d["Name"]: d["Value"] for d in metric.get("Dimensions", ())}
        route = own.get("Route") or (f"{own['Method']} {own['Resource']}" if own.keys() >= {"Method", "Resource"} else "")
        if route and "Stage" in own and route not in seen:
            seen.add(route)
            yield MetricQuery(resource.id, f"Count{{route={route}}}", "Count", namespace, "Count", "Sum", own)


def _watched(alarm: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """Namespace and dimensions of every metric that an alarm looks at."""
    for metric in (alarm, *(m["MetricStat"]["Metric"] for m in alarm.get("Metrics", ()) if "MetricStat" in m)):
        dimensions = frozenset((str(d["Name"]), str(d["Value"])) for d in metric.get("Dimensions", ()))
        yield str(metric.get("Namespace", "")), dimensions


def _region_in(resource: str) -> str:
    parts = resource.split(":", 5)
    return parts[3] if len(parts) == 6 and parts[3] else "us-east-1"
