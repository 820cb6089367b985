"""Around every request: headers that keep a browser from doing what no page of ours asks for, and one line in the log."""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("gonogo.web")

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
WEBHOOK_PATH = "/webhooks/github"
"""Only GitHub calls it, and often: each header of an answer costs."""

_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})


class Around:
    """ASGI middleware. A route may add fields to the line of its request in `scope["gonogo.log"]`; paths are logged without their query."""

    def __init__(self, app: ASGIApp, *, is_https: bool) -> None:
        self._app = app
        headers = _HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if is_https else {})
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self._for_no_browser = [one for one in self._headers if one[0] == b"x-content-type-options"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        added = self._for_no_browser if scope["path"] == WEBHOOK_PATH else self._headers

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                told = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((name, value) for name, value in added if name not in told)]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        finally:
            level = logging.DEBUG if scope["path"] in _QUIET else logging.INFO
            if log.isEnabledFor(level):
                ms = (time.perf_counter() - started) * 1000
                line = {"method": scope["method"], "path": scope["path"], "status": status, "ms": ms}
                log.log(level, "request", extra=line | scope.get("gonogo.log", {}))
