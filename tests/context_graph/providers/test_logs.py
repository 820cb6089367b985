"""Log lines from Loki and from files, and what they become: patterns with counts."""

import gzip
import json
import re
import threading
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from context_graph.providers.http_json import ApiRefused, JsonApi
from context_graph.providers.log_files import LogFilesSource
from context_graph.providers.log_patterns import expression_of, masked, mine
from context_graph.providers.log_severity import severity_of
from context_graph.providers.loki import LokiSource
from context_graph.telemetry import Answer, Fact
from gonogo.context import LogLine, Window
from gonogo.resource import Resource
from gonogo.word import ResourceId

END = datetime(2026, 5, 11, 12, tzinfo=UTC)
WINDOW = Window(start=END - timedelta(days=7), end=END)
BASKET = ResourceId("kubernetes:prod/shop/deployment/basket")


def a_line(message: str, minutes: float = 0, severity: str = "INFO") -> LogLine:
    return LogLine(timestamp=END + timedelta(minutes=minutes), resource=BASKET, severity=severity, message=message)


def basket() -> Resource:
    return Resource(id=BASKET, kind="kubernetes.deployment", name="basket", attributes={"namespace": "shop"})


# -- patterns ---------------------------------------------------------------------------------


def test_lines_of_one_wording_are_one_pattern_with_its_count_span_and_worst_severity():
    lines = [a_line(f"order {n} paid in {n * 1.5} ms by 10.0.0.{n % 9}", n) for n in range(300)]
    lines += [a_line(f"charge of order {n} refused", n, "ERROR") for n in range(7)]

    mined = mine(BASKET, lines)

    assert [(p.template, p.count, p.severity) for p in mined.patterns] == [
        ("order <number> paid in <number> ms by <ip>", 300, "INFO"),
        ("charge of order <number> refused", 7, "ERROR"),
    ]
    assert (mined.patterns[0].first, mined.patterns[0].last) == (lines[0].timestamp, lines[299].timestamp)
    assert (mined.read, mined.share) == (307, 1.0)


def test_wordings_that_differ_in_a_word_are_one_pattern():
    lines = [a_line(f"user {name} logged in from the office network") for name in ("ada", "grace", "edsger", "barbara")]

    (found,) = mine(BASKET, lines).patterns

    assert (found.template, found.count) == ("user <*> logged in from the office network", 4)
    assert all(re.search(expression_of(found.template), line.message) for line in lines)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("got 3f2504e0-4f89-11d3-9a0c-0305e82c3301 at 2026-05-11T12:00:00.123Z", "got <uuid> at <time>"),
        ("mail to ada@example.com queued as msg_1a2b3c4d5e", "mail to <email> queued as <id>"),
        ("blob 9f86d081884c7d65 of 12,345 bytes", "blob <id> of <number> bytes"),
        ("login password=hunter2222 rejected", "login password=(withheld) rejected"),
        ("HTTP/2 v1 s3 utf-8 stay", "HTTP/<number> v1 s3 utf-<number> stay"),
    ],
)
def test_what_varies_and_what_is_secret_is_masked_before_mining(message: str, expected: str):
    assert masked(message) == expected


def test_lines_without_end_are_bounded_and_the_share_is_told():
    many = mine(BASKET, [a_line(f"order {n} paid") for n in range(1000)], max_lines=300)

    assert (many.read, many.given) == (250, 1000)
    assert many.share == 0.25
    assert many.patterns[0].count == 250


def test_an_expression_finds_its_lines_and_takes_signs_literally():
    expression = expression_of("GET /v1/items?page=<number> (cached) took <number> ms")

    assert re.search(expression, "GET /v1/items?page=3 (cached)  took 12.5 ms")
    assert not re.search(expression, "GET /v1/items page=3 cached took 12 ms")


@pytest.mark.parametrize(
    ("message", "severity"),
    [
        ("2026-05-11 12:00:00 ERROR no room", "ERROR"), ('{"level":"warning","msg":"slow"}', "WARN"), ("level=info msg=ok", "INFO"),
        ("Traceback (most recent call last):", "ERROR"), ("panic: nil", "ERROR"), ("served an error page", ""), ("[WARN] disk", "WARN"),
        ("Task timed out after 3.00 seconds", "ERROR"), ("CRITICAL: lost", "FATAL"),
    ],
)  # fmt: skip
def test_a_line_says_how_bad_it_is(message: str, severity: str):
    assert severity_of(message) == severity


# -- Loki ---------------------------------------------------------------------------------------


class FakeLoki:
    """Answers as Loki does, for streams `{selector text: [(seconds, line)]}`."""

    def __init__(self, streams: dict[str, list[tuple[float, str]]]) -> None:
        self.streams, self.failing, self.headers, self.url = streams, 0, [{}], ""

    def answer(self, path: str, asked: dict[str, list[str]]) -> tuple[int, Any]:
        if self.failing:
            self.failing -= 1
            return 503, {"message": "busy"}
        query = asked["query"][0]
        if path == "/loki/api/v1/query":
            selector, _, span = query.removeprefix("sum(count_over_time(").rpartition("[")
            until = int(asked["time"][0]) / 1e9
            held = [at for at, _ in self.streams.get(selector, []) if until - int(span.partition("s")[0]) <= at < until]
            return 200, {
                "status": "success",
                "data": {"resultType": "vector", "result": [{"metric": {}, "value": [0, str(len(held))]}] if held else []},
            }
        since, until = (int(asked[name][0]) / 1e9 for name in ("start", "end"))
        held = [[str(int(at * 1e9)), line] for at, line in self.streams.get(query, []) if since <= at < until][
            : int(asked["limit"][0])
        ]
        return 200, {
            "status": "success",
            "data": {"resultType": "streams", "result": [{"stream": {"level": "error"}, "values": held}] if held else []},
        }


@pytest.fixture
def loki() -> Generator[FakeLoki]:
    selector = '{namespace="shop",pod=~"basket-[a-z0-9]{5,10}-[a-z0-9]{5}"}'
    start = (END - timedelta(hours=24)).timestamp()
    fake = FakeLoki({selector: [(start + at * 8.64, f"line {at} token=abcdefgh") for at in range(10_000)]})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fake.headers.append({k.lower(): v for k, v in self.headers.items()})
            parts = urlsplit(self.path)
            status, told = fake.answer(parts.path, parse_qs(parts.query))
            text = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    yield fake
    server.shutdown()
    server.server_close()


def ask(api: JsonApi) -> Answer:
    (call,) = LokiSource(api).calls(Fact.LOGS, [basket()], WINDOW)
    return call.run()


def test_loki_gives_lines_of_the_whole_day_and_the_share_that_they_are(loki: FakeLoki):
    answer = ask(JsonApi(loki.url, token="t", headers={"X-Scope-OrgID": "shop"}))

    assert len(answer.facts) == 1800
    assert answer.facts[0].timestamp < END - timedelta(hours=23)
    assert answer.facts[-1].timestamp > END - timedelta(hours=2)
    assert answer.gaps[0].why == "a sample of 1,800 of 10,000 lines (18.0%) of the last 24 h"
    assert answer.facts[0].severity == "ERROR"
    assert loki.headers[-1]["x-scope-orgid"] == "shop"
    assert loki.headers[-1]["authorization"] == "Bearer t"


def test_a_busy_server_is_asked_again_and_one_that_stays_busy_is_refused(loki: FakeLoki):
    pauses: list[float] = []
    loki.failing = 2
    assert ask(JsonApi(loki.url, pause=pauses.append)).facts
    assert len(pauses) == 2

    loki.failing = 100
    with pytest.raises(ApiRefused, match="answered 503 busy"):
        ask(JsonApi(loki.url, pause=pauses.append))


def test_only_http_is_asked_and_no_password_is_told():
    with pytest.raises(ValueError, match="not an http or https URL"):
        JsonApi("file:///etc/passwd")
    assert "secret" not in JsonApi("http://user:secret@example.com:3100/loki").base


# -- files --------------------------------------------------------------------------------------


def test_lines_of_files_have_their_own_time_and_a_continuation_that_of_its_line(tmp_path: Path):
    (tmp_path / "app.log").write_text(
        "2026-05-11T10:00:00Z ERROR failed\n  at line 3\n"
        '{"time": "2026-05-11T10:01:00Z", "level": "warn", "msg": "slow"}\n'
        '1.2.3.4 - - [11/May/2026:10:02:00 +0000] "GET / HTTP/1.1" 200 3\n'
    )
    with gzip.open(tmp_path / "app.log.1.gz", "wt") as file:
        file.write("2026-05-10T10:00:00Z INFO older\n2020-01-01T00:00:00Z INFO too old\n")
    source = LogFilesSource({BASKET: [str(tmp_path / "app.log*"), str(tmp_path / "gone.log")]})

    (call,) = source.calls(Fact.LOGS, [basket()], WINDOW)
    answer = call.run()

    assert [(line.timestamp.isoformat(), line.severity) for line in answer.facts] == [
        ("2026-05-10T10:00:00+00:00", "INFO"),
        ("2026-05-11T10:00:00+00:00", "ERROR"),
        ("2026-05-11T10:00:00+00:00", ""),
        ("2026-05-11T10:01:00+00:00", "WARN"),
        ("2026-05-11T10:02:00+00:00", ""),
    ]
    assert [gap.why.rpartition(": ")[2] for gap in answer.gaps] == ["no such file"]


def test_of_a_long_file_the_end_is_read_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("context_graph.providers.log_files.MAX_BYTES", 1000)
    (tmp_path / "app.log").write_text("".join(f"2026-05-11T10:00:{n % 60:02}Z INFO line {n}\n" for n in range(500)))

    (call,) = LogFilesSource({BASKET: [str(tmp_path / "app.log")]}).calls(Fact.LOGS, [basket()], WINDOW)
    answer = call.run()

    assert any(line.message.endswith("line 499") for line in answer.facts)
    assert all(re.fullmatch(r"2026\S+ INFO line \d+", line.message) for line in answer.facts)
    assert "there are more" in answer.gaps[0].why
