"""A web server that takes webhooks and keeps them, for tests of what the loopback GitHub sends."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Inbox:
    """A web server that keeps what it was sent; `answers` are its next statuses, then 202."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                inbox.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(inbox.answers.pop(0) if inbox.answers else 202)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/webhooks/github"

    @property
    def events(self) -> list[str]:
        return [self.name(n) for n in range(len(self.got))]

    def name(self, number: int) -> str:
        headers, body = self.got[number]
        action = json.loads(body).get("action")
        return headers["x-github-event"] + (f".{action}" if action else "")

    def payload(self, name: str) -> dict[str, Any]:
        """The last one of that name."""
        return json.loads(next(self.got[n][1] for n in reversed(range(len(self.got))) if self.name(n) == name))
