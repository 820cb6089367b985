"""A sample of log lines from Loki: some of every hour, with the share of all lines that it is."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from context_graph.providers.http_json import ApiRefused, JsonApi
from context_graph.providers.labels import selectors_of
from context_graph.providers.log_severity import severity_of
from context_graph.providers.rows import as_list, as_object
from context_graph.redaction import redact_text
from context_graph.telemetry import Answer, Call, Fact
from gonogo.context import Gap, LogLine, Window
from gonogo.resource import Resource

LOOK_BACK = timedelta(hours=24)
SLICES = 12
LINES_A_SLICE = 150
LONGEST = 4_000
LIMIT_S = 30.0

_LEVELS = ("level", "detected_level", "severity")


class LokiSource:
    """Implements context_graph.telemetry.TelemetrySource. `selectors` (resource id → stream selectors) replace the table of labels."""

    def __init__(self, api: JsonApi, *, selectors: Mapping[str, Sequence[str]] | None = None) -> None:
        self._api, self._overrides = api, selectors or {}

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a resource."""
        if fact is not Fact.LOGS:
            return []
        known = [(r, s) for r in resources if (s := selectors_of(r, self._overrides))]
        return [Call(fact, f"Loki {r.id}", lambda r=r, s=s: self._sample(r, s, window), LIMIT_S) for r, s in known]

    def _sample(self, resource: Resource, selectors: Sequence[str], window: Window) -> Answer:
        """Lines of the first selector that has any. Loki has no union of selectors, and lines of two would be counted twice."""
        start = max(window.start, window.end - LOOK_BACK)
        for one in selectors:
            total = self._count(one, start, window.end)
            if total:
                return self._lines(resource, one, total, start, window.end)
        return Answer()

    def _count(self, selector: str, start: datetime, end: datetime) -> int:
        query = f"sum(count_over_time({selector}[{round((end - start).total_seconds())}s]))"
        answer = self._api.get("/loki/api/v1/query", [("query", query), ("time", _nanoseconds(end))])
        rows = as_list(_data(answer).get("result"))
        return round(float(rows[0]["value"][1])) if rows else 0

    def _lines(self, resource: Resource, selector: str, total: int, start: datetime, end: datetime) -> Answer:
        width = (end - start) / SLICES
        lines: list[LogLine] = []
        for at in range(SLICES):
            since, until = start + at * width, start + (at + 1) * width
            parameters = [
                ("query", selector),
                ("start", _nanoseconds(since)),
                ("end", _nanoseconds(until)),
                ("limit", str(LINES_A_SLICE)),
                ("direction", "forward"),
            ]
            for stream in as_list(_data(self._api.get("/loki/api/v1/query_range", parameters)).get("result")):
                labels = as_object(stream.get("stream")) or {}
                level = next((str(labels[k]) for k in _LEVELS if labels.get(k)), "")
                lines += [_line(resource, stamp, text, level) for stamp, text, *_ in as_list(stream.get("values"))]
        ordered = sorted(lines, key=lambda line: line.timestamp)
        if len(ordered) >= total:
            return Answer(ordered)
        hours = (end - start).total_seconds() / 3600
        why = f"a sample of {len(ordered):,} of {total:,} lines ({len(ordered) / total:.1%}) of the last {hours:.0f} h"
        return Answer(ordered, [Gap(stage="context", what=f"Loki {resource.id}", why=why)])


def _line(resource: Resource, stamp: str, text: str, level: str) -> LogLine:
    message = redact_text(text[:LONGEST].rstrip("\n"))
    instant = datetime.fromtimestamp(int(stamp) // 1000 / 1e6, UTC)
    return LogLine(timestamp=instant, resource=resource.id, severity=level.upper() or severity_of(message), message=message)


def _data(answer: Any) -> dict[str, Any]:
    told = as_object(answer) or {}
    data = as_object(told.get("data"))
    if told.get("status") != "success" or data is None:
        raise ApiRefused("it does not answer as Loki does; check the URL")
    return data


def _nanoseconds(instant: datetime) -> str:
    return str(round(instant.timestamp() * 1e6) * 1000)
