"""A sample of log lines from CloudWatch Logs: some of every hour, and what reads like an error, within limits."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from context_graph.providers.aws.faults import is_vanished, said
from context_graph.providers.log_severity import severity_of
from context_graph.providers.rows import as_list
from context_graph.redaction import redact_text
from context_graph.telemetry import Answer, Call, Fact
from gonogo.context import Gap, LogLine, Window
from gonogo.resource import Resource

ClientOf = Callable[[str, str], Any]

CALLS = (("logs", "filter_log_events"),)
"""Service and operation of every call made here."""

LOOK_BACK = timedelta(hours=24)
SLICES = 12
LINES_A_SLICE = 100
ERROR_LINES = 500
LONGEST = 4_000
"""Characters of a message that are kept."""

MAX_PAGES_A_SLICE = 5
"""A page may be empty and still have a successor: the service stops looking after a while."""

ERRORS = '?ERROR ?Error ?error ?FATAL ?WARN ?Exception ?Traceback ?panic ?timeout ?"timed out" ?refused ?OOM'

LIMIT_S = 30.0


class CloudWatchLogsSource:
    """Implements context_graph.telemetry.TelemetrySource for resources that name their log group, and for log groups themselves."""

    def __init__(self, client_of: ClientOf, *, account: str) -> None:
        self._client_of, self._account = client_of, account

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a log group."""
        if fact is not Fact.LOGS:
            return []
        found = [(r, g) for r in resources if r.account in ("", self._account) for g in _groups(r)]
        return [Call(fact, f"CloudWatch Logs {g}", lambda r=r, g=g: self._sample(r, g, window), LIMIT_S) for r, g in found]

    def _sample(self, resource: Resource, group: str, window: Window) -> Answer:
        client = self._client_of("logs", resource.region or resource.id.split(":")[3])
        start = max(window.start, window.end - LOOK_BACK)
        width = (window.end - start) / SLICES
        lines: dict[tuple[str, str], LogLine] = {}
        is_cut = False
        try:
            for at in range(SLICES):
                since = start + at * width
                more, left = self._slice(client, group, since, since + width, LINES_A_SLICE, pattern=None)
                lines |= {key: _line(resource, event) for key, event in more}
                is_cut |= left
            more, left = self._slice(client, group, start, window.end, ERROR_LINES, pattern=ERRORS)
            lines |= {key: _line(resource, event) for key, event in more}
            is_cut |= left
        except (ClientError, BotoCoreError) as error:
            if isinstance(error, ClientError) and is_vanished(error):
                return Answer(gaps=[self._gap(group, "there is no such log group (nothing was logged yet, or it was deleted)")])
            why = f"{said(error)}; the read-only policy of gonogo doctor allows logs:FilterLogEvents"
            return Answer(list(lines.values()), [self._gap(group, why)])
        why = (
            f"a sample of {len(lines):,} lines of the last {LOOK_BACK.total_seconds() / 3600:.0f} h; there are more, not counted"
        )
        ordered = sorted(lines.values(), key=lambda line: line.timestamp)
        return Answer(ordered, [self._gap(group, why)] if is_cut else [])

    def _slice(
        self, client: Any, group: str, since: datetime, until: datetime, limit: int, *, pattern: str | None
    ) -> tuple[list[tuple[tuple[str, str], Mapping[str, Any]]], bool]:
        """The first events of a span, and whether there are more of it."""
        found: list[tuple[tuple[str, str], Mapping[str, Any]]] = []
        request: dict[str, Any] = {"logGroupName": group, "startTime": _milliseconds(since), "endTime": _milliseconds(until) - 1}
        if pattern:
            request["filterPattern"] = pattern
        token: str | None = None
        for _ in range(MAX_PAGES_A_SLICE):
            page = client.filter_log_events(**request, limit=limit - len(found), **({"nextToken": token} if token else {}))
            found += [((e.get("logStreamName", ""), e.get("eventId", "")), e) for e in page.get("events", ())]
            following = page.get("nextToken")
            if not following or following == token:
                return found, False
            if len(found) >= limit:
                return found[:limit], True
            token = following
        return found, True

    def _gap(self, group: str, why: str) -> Gap:
        return Gap(stage="context", what=f"CloudWatch Logs {group}", why=why)


def _groups(resource: Resource) -> Iterator[str]:
    if resource.kind == "aws.logs.group":
        yield resource.name
    for key in ("log_group", "log_groups"):
        found = resource.attributes.get(key)
        yield from (str(group) for group in ([found] if isinstance(found, str) else as_list(found)))


def _line(resource: Resource, event: Mapping[str, Any]) -> LogLine:
    message = redact_text(str(event.get("message", ""))[:LONGEST].rstrip("\n"))
    stamp = datetime.fromtimestamp(event["timestamp"] / 1000, UTC)
    return LogLine(timestamp=stamp, resource=resource.id, severity=severity_of(message), message=message)


def _milliseconds(instant: datetime) -> int:
    return round(instant.timestamp() * 1000)
