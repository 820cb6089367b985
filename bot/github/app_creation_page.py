"""A page on this machine that sends the manifest to GitHub, and the address that GitHub comes back to with a code."""

import html
import json
import secrets
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from bot.github.app_manifest import EVENTS, PERMISSIONS, manifest
from gonogo.errors import GonogoError

Take = Callable[[str], str]
"""Gives a code to whoever exchanges it; a sentence for the person, or a GonogoError for one."""


class CreationPage:
    """One walk. `done` is set when a code was taken; until then the person may begin again."""

    def __init__(self, port: int, *, url: str, name: str, web_url: str, organization: str | None, take: Take) -> None:
        self._state, self._take = secrets.token_urlsafe(32), take
        self._lock, self.done = threading.Lock(), threading.Event()
        self.address = f"http://127.0.0.1:{port}"
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._web_url = web_url.rstrip("/")
        owner = f"organizations/{quote(organization, safe='')}/" if organization else ""
        self._target = f"{self._web_url}/{owner}settings/apps/new?state={self._state}"
        self._manifest = manifest(url=url, name=name, redirect_url=f"{self.address}/created")

    def answer(self, target: str, host: str) -> tuple[HTTPStatus, str]:
        """Status and page. Only this machine's own name is answered to, so that no other site can read the page."""
        parts = urlsplit(target)
        if host not in self._hosts:
            return HTTPStatus.MISDIRECTED_REQUEST, _page("This page is for this machine alone.")
        if parts.path == "/":
            return HTTPStatus.OK, _form(self._target, self._manifest)
        if parts.path != "/created":
            return HTTPStatus.NOT_FOUND, _page("There is nothing here.")
        query = parse_qs(parts.query)
        state, code = query.get("state", [""])[0], query.get("code", [""])[0]
        if not secrets.compare_digest(state.encode(), self._state.encode()):
            return HTTPStatus.BAD_REQUEST, _page("This did not begin here. Nothing was done; begin again at the first page.")
        with self._lock:
            if self.done.is_set():
                return HTTPStatus.OK, _page("The App is made already. You can close this page.")
            try:
                said = self._take(code)
            except GonogoError as error:
                return HTTPStatus.BAD_GATEWAY, _page(str(error))
            self.done.set()
        return HTTPStatus.OK, _page(said)

    @property
    def form_targets(self) -> str:
        """Where the form may lead to: GitHub, and back."""
        parts = urlsplit(self._web_url)
        return f"{parts.scheme}://{parts.netloc} {self.address}"


@contextmanager
def serving(port: int, make: Callable[[int], CreationPage]) -> Generator[CreationPage]:
    """The page on 127.0.0.1, on a free port when `port` is 0, until the end of the `with`. Raises OSError."""
    server = ThreadingHTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler)
    page = make(server.server_address[1])
    server.RequestHandlerClass = _handler(page)
    server.daemon_threads = False  # the last page is sent before the process ends
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="app-creation", daemon=True)
    thread.start()
    try:
        yield page
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(page: CreationPage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            status, text = page.answer(self.path, self.headers.get("host", ""))
            body = text.encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": "text/html; charset=utf-8",
                "Content-Length": str(len(body)),
                "Cache-Control": "no-store",
                "Referrer-Policy": "no-referrer",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
                f"base-uri 'none'; form-action {page.form_targets}",
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  as the server calls it
            """Nothing: the address holds the code."""

    return Handler


def _form(target: str, told: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{p.name}</code></td><td>{p.level}</td><td>{html.escape(p.reason)}{' (optional)' * p.is_optional}</td></tr>"
        for p in PERMISSIONS
    )
    return _page(
        f"Make the GitHub App <b>{html.escape(str(told['name']))}</b> for <code>{html.escape(str(told['url']))}</code>. GitHub shows "
        "you what it may do and lets you change its name; then you come back here.",
        f'<form method="post" action="{html.escape(target)}">'
        f'<input type="hidden" name="manifest" value="{html.escape(json.dumps(told))}">'
        "<button>Create it on GitHub</button></form>"
        f"<table><caption>What it asks for</caption><tr><th>Permission</th><th>Level</th><th>Why</th></tr>{rows}</table>"
        f"<p>It hears of: {', '.join(EVENTS)}.</p>",
        is_html=True,
    )


def _page(said: str, rest: str = "", *, is_html: bool = False) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>gonogo: the GitHub App</title>'
        '<meta name="viewport" content="width=device-width"><style>'
        "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1f2328;background:#fff}"
        "button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#1a7f37;color:#fff}"
        "table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600;margin:1.5rem 0 .5rem}"
        "th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #d1d9e0;vertical-align:top}"
        f"</style></head><body><main><h1>gonogo</h1><p>{said if is_html else html.escape(said)}</p>{rest}</main></body></html>"
    )
