"""Series and firing alerts from Prometheus, or anything that answers its HTTP API (Thanos, Mimir, VictoriaMetrics)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from context_graph.providers.http_json import ApiRefused, JsonApi
from context_graph.providers.labels import selectors_of
from context_graph.providers.prometheus_queries import DIMENSIONS, MAX_SERIES, Metric, Query, queries_for
from context_graph.providers.rows import as_object
from context_graph.telemetry import STEP, Answer, Call, Fact, on_grid
from gonogo.context import Alarm, Gap, Series, Window
from gonogo.resource import Resource

MAX_METRICS = 400
"""Names of one resource that are looked at; the report says when there are more."""

LIMIT_S = 30.0

_RECENT = timedelta(hours=1)
"""A metric without a sample for longer is not looked at."""


class PrometheusSource:
    """Implements context_graph.telemetry.TelemetrySource. `selectors` (resource id → label selectors) replace the table of labels."""

    def __init__(self, api: JsonApi, *, selectors: Mapping[str, Sequence[str]] | None = None, step: timedelta = STEP) -> None:
        self._api, self._overrides, self._step = api, selectors or {}, step

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a resource for its series; one for all alerts."""
        known = [(r, s) for r in resources if (s := selectors_of(r, self._overrides))]
        if fact is Fact.SERIES:
            return [Call(fact, f"Prometheus {r.id}", lambda r=r, s=s: self._series(r, s, window), LIMIT_S) for r, s in known]
        if fact is Fact.ALARMS and known:
            return [Call(fact, "Prometheus alerts", lambda: self._alerts(known, window), LIMIT_S)]
        return []

    def _series(self, resource: Resource, selectors: Sequence[str], window: Window) -> Answer:
        metrics, of = self._metrics(selectors, window)
        gaps: list[Gap] = []

        def gap(why: str) -> None:
            gaps.append(Gap(stage="context", what=f"Prometheus {resource.id}", why=why))

        if len(metrics) > MAX_METRICS:
            gap(f"only {MAX_METRICS} of {len(metrics):,} metrics were looked at")
        found: list[Series] = []
        left_out: list[str] = []
        step_s = round(self._step.total_seconds())
        for query in queries_for(metrics[:MAX_METRICS], of, step_s):
            if len(found) >= MAX_SERIES:
                left_out.append(query.name)
                continue
            try:
                found += self._range(resource, query, window)
            except ApiRefused as error:
                gap(f"{query.name}: {error}")
        left_out += [s.metric for s in found[MAX_SERIES:]]
        if left_out:
            named = ", ".join(dict.fromkeys(left_out[:5]))
            gap(f"{MAX_SERIES} series were read; {len(left_out)} more were not ({named}{', …' if len(left_out) > 5 else ''})")
        return Answer(found[:MAX_SERIES], gaps)

    def _metrics(self, selectors: Sequence[str], window: Window) -> tuple[list[Metric], Mapping[str, str]]:
        """Names, types and telling labels of everything that a selector matches now; name → the first selector that does."""
        of: dict[str, str] = {}
        labels: dict[str, set[str]] = {}
        for one in selectors:
            answer = self._instant(f"count by (__name__, quantile) (last_over_time({one}[1h]))", window)
            for row in answer:
                name = str(row["metric"].get("__name__", ""))
                if name and of.setdefault(name, one) == one:
                    labels.setdefault(name, set()).update(k for k in row["metric"] if k != "__name__")
        types: Mapping[str, str] = self._types() if of else {}
        for one in dict.fromkeys(of.values()):
            for label, names in self._dimensions(one, window).items():
                for name in names:
                    if of.get(name) == one:
                        labels[name].add(label)
        return [Metric(n, types.get(n, ""), frozenset(labels[n])) for n in sorted(of)], of

    def _dimensions(self, one: str, window: Window) -> Mapping[str, set[str]]:
        """Telling label → names of metrics that have two values of it or more."""
        answer = self._api.get(
            "/api/v1/labels", [("match[]", one), ("start", _at(window.end) or ""), ("end", _at(window.end) or "")]
        )
        there = [d for d in DIMENSIONS if d in answer.get("data", ())]
        found: dict[str, set[str]] = {}
        for label in there:
            inner = f'{one[:-1]}{"," if len(one) > 2 else ""}{label}!=""}}'
            query = f"count by (__name__) (count by (__name__, {label}) (last_over_time({inner}[1h]))) > 1"
            found[label] = {str(row["metric"].get("__name__")) for row in self._instant(query, window)}
        return found

    def _types(self) -> Mapping[str, str]:
        """Name → counter, gauge, histogram or summary, as far as the server's targets say; a server without metadata knows none."""
        try:
            told: dict[str, list[dict[str, Any]]] = self._api.get("/api/v1/metadata").get("data") or {}
        except ApiRefused:
            return {}
        types: dict[str, str] = {}
        for name, rows in told.items():
            kind = str(rows[0].get("type", "")) if rows else ""
            if kind not in ("", "unknown"):
                types[name] = kind
                if kind == "counter":
                    types.setdefault(f"{name}_total", kind)
        return types

    def _range(self, resource: Resource, query: Query, window: Window) -> Iterator[Series]:
        """The series of a query, largest first. A reading at the end of a step is of that step, so it stands at its start."""
        parameters = [
            ("query", query.expression),
            ("start", _at(window.start + self._step)),
            ("end", _at(window.end)),
            ("step", f"{self._step.total_seconds():g}"),
        ]
        rows: list[dict[str, Any]] = self._checked(self._api.get("/api/v1/query_range", parameters))["result"]
        found: list[tuple[float, Series]] = []
        for row in rows:
            shifted = [(at - self._step.total_seconds(), _number(value)) for at, value in row["values"]]
            values = on_grid(shifted, window, self._step)
            if values is None:
                continue
            value = str(row["metric"].get(query.by, ""))
            if query.by and not value:
                continue
            series = Series(
                resource=resource.id,
                metric=f"{query.name}{{{query.by}={value}}}" if query.by else query.name,
                unit=query.unit,
                start=window.start,
                step_s=self._step.total_seconds(),
                values=values,
            )
            found.append((math.fsum(v for v in values if v is not None), series))
        yield from (s for _, s in sorted(found, key=lambda one: (-one[0], one[1].metric)))

    def _alerts(self, known: Sequence[tuple[Resource, Sequence[str]]], window: Window) -> Answer:
        found: list[Alarm] = []
        for resource, selectors in known:
            for one in selectors:
                inner = f'{one[:-1]}{"," if len(one) > 2 else ""}alertstate="firing"}}'
                for row in self._instant(f"ALERTS_FOR_STATE{one} and ignoring(alertstate) ALERTS{inner}", window):
                    since = datetime.fromtimestamp(_number(row["value"][1]), UTC)
                    name = str(row["metric"].get("alertname", ""))
                    found.append(Alarm(since=since, resource=resource.id, name=name, state="ALARM"))
        return Answer(list(dict.fromkeys(found)))

    def _instant(self, query: str, window: Window) -> list[dict[str, Any]]:
        answer = self._api.get("/api/v1/query", [("query", query), ("time", _at(window.end))])
        result: list[dict[str, Any]] = self._checked(answer)["result"]
        return result

    def _checked(self, answer: Any) -> dict[str, Any]:
        told = as_object(answer) or {}
        data = as_object(told.get("data"))
        if told.get("status") != "success" or data is None:
            raise ApiRefused("it does not answer as Prometheus does; check the URL")
        return data


def _at(instant: datetime) -> str:
    return f"{instant.timestamp():.3f}"


def _number(text: object) -> float:
    return float(str(text))
