"""A small CloudWatch and CloudWatch Logs over HTTP: percentiles, pages, throttling and refusals as the real ones answer them."""

import json
import threading
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Key = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass
class FakeCloudWatch:
    """`samples[namespace, metric, dimensions]` are raw `(seconds, value)`; a period without one is no data point."""

    samples: dict[Key, list[tuple[float, float]]] = field(default_factory=dict)
    alarms: list[dict[str, Any]] = field(default_factory=list)
    events: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    datapoints_a_page: int = 100_800
    alarms_a_page: int = 2
    events_a_page: int = 50
    throttled: int = 0
    """So many calls are refused as too fast before one is answered."""
    refused: set[str] = field(default_factory=set)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    url: str = ""

    def sample(self, namespace: str, metric: str, dimensions: Mapping[str, str], *points: tuple[float, float]) -> None:
        self.samples.setdefault((namespace, metric, tuple(sorted(dimensions.items()))), []).extend(points)

    def calls(self) -> Counter[str]:
        return Counter(name for name, _ in self.requests)

    def answer(self, operation: str, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append((operation, request))
        if operation in self.refused:
            return 400, {"__type": "AccessDeniedException", "message": f"not authorized to perform: {operation}"}
        if self.throttled:
            self.throttled -= 1
            return 400, {"__type": "ThrottlingException", "message": "Rate exceeded"}
        return 200, getattr(self, f"_{operation}")(request)

    def _GetMetricData(self, request: dict[str, Any]) -> dict[str, Any]:
        queries = request["MetricDataQueries"]
        assert len(queries) <= 500, "GetMetricData takes 500 queries"
        points = [(q["Id"], stamp, value) for q in queries for stamp, value in self._points(q["MetricStat"], request)]
        at = int(request.get("NextToken") or 0)
        page = points[at : at + self.datapoints_a_page]
        results = [
            {
                "Id": q["Id"],
                "Label": q["Id"],
                "StatusCode": "PartialData" if at + len(page) < len(points) else "Complete",
                "Timestamps": [stamp for of, stamp, _ in page if of == q["Id"]],
                "Values": [value for of, _, value in page if of == q["Id"]],
            }
            for q in queries
        ]
        more = {"NextToken": str(at + len(page))} if at + len(page) < len(points) else {}
        return {"MetricDataResults": results, "Messages": [], **more}

    def _points(self, stat: dict[str, Any], request: dict[str, Any]) -> list[tuple[float, float]]:
        metric = stat["Metric"]
        key = (metric["Namespace"], metric["MetricName"], tuple(sorted((d["Name"], d["Value"]) for d in metric["Dimensions"])))
        held: dict[float, list[float]] = {}
        for at, value in self.samples.get(key, ()):
            if request["StartTime"] <= at < request["EndTime"]:
                held.setdefault(at // stat["Period"] * stat["Period"], []).append(value)
        return [(at, _statistic(sorted(values), stat["Stat"])) for at, values in sorted(held.items())]

    def _DescribeAlarms(self, request: dict[str, Any]) -> dict[str, Any]:
        found = [a for a in self.alarms if a["StateValue"] == request.get("StateValue", a["StateValue"])]
        at = int(request.get("NextToken") or 0)
        page = found[at : at + self.alarms_a_page]
        more = {"NextToken": str(at + len(page))} if at + len(page) < len(found) else {}
        return {"MetricAlarms": page, **more}

    def _ListMetrics(self, request: dict[str, Any]) -> dict[str, Any]:
        wanted = {(d["Name"], d["Value"]) for d in request["Dimensions"]}
        return {
            "Metrics": [
                {"Namespace": ns, "MetricName": name, "Dimensions": [{"Name": k, "Value": v} for k, v in dims]}
                for ns, name, dims in self.samples
                if ns == request["Namespace"] and name == request["MetricName"] and wanted <= set(dims)
            ]
        }

    def _FilterLogEvents(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["logGroupName"] not in self.events:
            raise LookupError(request["logGroupName"])
        words = [w.strip('?"') for w in request.get("filterPattern", "").split("?") if w.strip('? "')]
        words = [w.strip().strip('"') for w in words]
        held = [
            {"timestamp": round(at * 1000), "message": m, "logStreamName": "s", "eventId": str(n)}
            for n, (at, m) in enumerate(self.events[request["logGroupName"]])
            if request["startTime"] <= at * 1000 <= request["endTime"] and (not words or any(w in m for w in words))
        ]
        at = int(request.get("nextToken") or 0)
        page = held[at : at + min(request.get("limit", 10_000), self.events_a_page)]
        more = {"nextToken": str(at + len(page))} if at + len(page) < len(held) else {}
        return {"events": page, **more}


def _statistic(values: list[float], name: str) -> float:
    plain = {"Sum": sum, "Maximum": max, "Minimum": min, "Average": lambda v: sum(v) / len(v)}
    if name in plain:
        return plain[name](values)
    rank = float(name.removeprefix("p")) / 100 * (len(values) - 1)
    low = int(rank)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (rank - low)


@contextmanager
def serving(fake: FakeCloudWatch) -> Generator[FakeCloudWatch]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            for name in ("StartTime", "EndTime"):
                if isinstance(body.get(name), str):
                    body[name] = datetime.fromisoformat(body[name]).astimezone(UTC).timestamp()
            try:
                status, answer = fake.answer(self.headers["X-Amz-Target"].rpartition(".")[2], body)
            except LookupError as error:
                status, answer = 400, {"__type": "ResourceNotFoundException", "message": f"no log group {error}"}
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
