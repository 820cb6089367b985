"""A scripted Messages API on loopback: the real SDK speaks to it, and it says, or fails in, whatever way the script wants.

    with ScriptedService(lambda request, number: says(use("record_verdict", claims=[], summary="nothing"))) as service:
        environment = service.environment

Built after https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Block = dict[str, Any]
Request = dict[str, Any]


@dataclass(frozen=True)
class Says:
    """An answer: its blocks, and how it arrives."""

    blocks: Sequence[Block]
    stop: str = "end_turn"
    usage: dict[str, int] = field(default_factory=lambda: {"input_tokens": 1_000, "output_tokens": 100})
    after_s: float = 0.0
    """Seconds before the first byte."""
    drip_s: float = 0.0
    """Seconds between two bytes."""
    pings: int = 0
    """Pings before the message, `ping_s` apart."""
    ping_s: float = 0.2
    cut_after: int | None = None
    """Events after which the connection is closed in the middle."""
    as_json: bool = False
    """The whole message at once, although a stream was asked for."""


@dataclass(frozen=True)
class Fails:
    """An error of the service."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    retry_after: str | None = None
    in_stream: bool = False
    """As an `error` event of a stream that began well."""


Script = Callable[[Request, int], Says | Fails | None]
"""Request and its number from 0 → what happens; None closes the connection without a word."""


def text(words: str) -> Block:
    """A text block."""
    return {"type": "text", "text": words}


def use(name: str, /, *, raw: str | None = None, **arguments: Any) -> Block:
    """A tool call; `raw` is sent as it stands in place of the arguments' JSON."""
    return {"type": "tool_use", "id": "", "name": name, "input": arguments, "raw": raw}


def says(*blocks: Block, stop: str | None = None, **how: Any) -> Says:
    """An answer of these blocks."""
    calls = any(b["type"] == "tool_use" for b in blocks)
    return Says(blocks, stop or ("tool_use" if calls else "end_turn"), **how)


def tools_of(request: Request) -> list[str]:
    """Names of the tools that a request offers."""
    return [t["name"] for t in request["tools"]]


def last_words(request: Request) -> str:
    """The last text of the last message: the count of steps."""
    return request["messages"][-1]["content"][-1]["text"]


class ScriptedService:
    """The service. `requests` are the bodies it got, in order."""

    def __init__(self, script: Script) -> None:
        self.script, self.requests = script, list[Request]()
        self._lock, self._closing = threading.Lock(), threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                service.answer(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name of the base class
                del format, args

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def environment(self) -> dict[str, str]:
        """What points the SDK here."""
        return {"ANTHROPIC_API_KEY": "scripted", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self._server.server_port}"}

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, http: BaseHTTPRequestHandler) -> None:
        """Serve one request."""
        sent = http.rfile.read(int(http.headers["content-length"]))
        if len(sent) < int(http.headers["content-length"]):
            return  # the other side died over its request
        body = json.loads(sent)
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
        said = self.script(body, number)
        http.close_connection = True
        try:
            match said:
                case None:
                    http.connection.close()
                case Fails() if not said.in_stream:
                    self._whole(http, said.status, _error(said), said.retry_after)
                case Fails():
                    self._stream(http, [("message_start", _start(Says(()), body, number)), ("error", _error(said))], Says(()))
                case Says() if said.as_json or not body.get("stream"):
                    self._closing.wait(said.after_s)
                    self._whole(http, 200, _message(said, body, number))
                case Says():
                    self._stream(http, list(_events(said, body, number)), said)
        except OSError:
            pass  # the other side has left

    def _whole(self, http: BaseHTTPRequestHandler, status: int, body: Any, retry_after: str | None = None) -> None:
        data = json.dumps(body).encode()
        http.send_response(status)
        http.send_header("content-type", "application/json")
        http.send_header("content-length", str(len(data)))
        if retry_after is not None:
            http.send_header("retry-after", retry_after)
        http.end_headers()
        http.wfile.write(data)

    def _stream(self, http: BaseHTTPRequestHandler, events: list[tuple[str, Any]], how: Says) -> None:
        self._closing.wait(how.after_s)
        http.send_response(200)
        http.send_header("content-type", "text/event-stream")
        http.end_headers()
        for _ in range(how.pings):
            http.wfile.write(b'event: ping\ndata: {"type": "ping"}\n\n')
            if self._closing.wait(how.ping_s):
                return
        for at, (name, data) in enumerate(events):
            if at == how.cut_after:
                http.wfile.write(b"event: content_block_del")
                return
            line = f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
            for part in [line] if not how.drip_s else [line[i : i + 1] for i in range(len(line))]:
                http.wfile.write(part)
                if how.drip_s and self._closing.wait(how.drip_s):
                    return


def _error(said: Fails) -> dict[str, Any]:
    return {"type": "error", "error": {"type": said.kind, "message": said.message}}


def _message(said: Says, request: Request, number: int) -> dict[str, Any]:
    blocks = [_named(b, number, at) for at, b in enumerate(said.blocks)]
    return _start(said, request, number)["message"] | {"content": blocks, "stop_reason": said.stop, "usage": said.usage}


def _start(said: Says, request: Request, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request["model"], "content": [], "stop_reason": None, "stop_sequence": None}  # fmt: skip
    return {"type": "message_start", "message": message | {"usage": {**said.usage, "output_tokens": 1}}}


def _named(block: Block, number: int, at: int) -> Block:
    kept = {k: v for k, v in block.items() if k != "raw"}
    return kept | {"id": block["id"] or f"toolu_{number}_{at}"} if block["type"] == "tool_use" else kept


def _events(said: Says, request: Request, number: int) -> Iterator[tuple[str, Any]]:
    yield "message_start", _start(said, request, number)
    for at, block in enumerate(said.blocks):
        if block["type"] == "tool_use":
            begun: dict[str, Any] = _named(block, number, at) | {"input": {}}
            grows = {
                "type": "input_json_delta",
                "partial_json": json.dumps(block["input"]) if block["raw"] is None else block["raw"],
            }
        else:
            begun, grows = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        yield "content_block_start", {"type": "content_block_start", "index": at, "content_block": begun}
        yield "content_block_delta", {"type": "content_block_delta", "index": at, "delta": grows}
        yield "content_block_stop", {"type": "content_block_stop", "index": at}
    stopped = {"type": "message_delta", "delta": {"stop_reason": said.stop, "stop_sequence": None}}
    yield "message_delta", stopped | {"usage": {"output_tokens": said.usage["output_tokens"]}}
    yield "message_stop", {"type": "message_stop"}
