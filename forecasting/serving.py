"""A forecaster over HTTP: `POST /v1/forecast` and `GET /healthz`. The standard library's server, for a network that is trusted.

One request is worked on at a time; a few may wait, more are told to come back. Every answer is JSON; an error is
`{"error": "..."}` with 400 (not a request), 401, 404, 413, 422 (a request that this forecaster cannot take), 503 (busy, or failed).
"""

import hmac
import json
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from forecasting.joint import Forecaster
from forecasting.wire import NotUnderstoodError, answer_to_json, capabilities_to_json, request_from_json
from gonogo.errors import ForecastUnavailable

LONGEST = 64 * 1024 * 1024
MOST_WAITING = 8


class ForecastServer(ThreadingHTTPServer):
    """Serves one forecaster. `token`, when set, must come with every forecast as a bearer token."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], forecaster: Forecaster, *, token: str | None = None) -> None:
        self.forecaster, self.token = forecaster, token
        self.turn, self.places = threading.Lock(), threading.BoundedSemaphore(1 + MOST_WAITING)
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is nothing to report."""


class _Handler(BaseHTTPRequestHandler):
    server: ForecastServer  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    server_version = "gonogo"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Who answers here."""
        if self.path != "/healthz":
            self._say(HTTPStatus.NOT_FOUND, {"error": "there are /healthz and /v1/forecast"})
            return
        try:
            forecaster = self.server.forecaster
            described = {
                "status": "ok",
                "name": forecaster.name,
                "version": forecaster.version,
                "capabilities": capabilities_to_json(forecaster.capabilities),
            }
        except ForecastUnavailable as error:
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, {"status": "unavailable", "error": str(error)})
        else:
            self._say(HTTPStatus.OK, described)

    def do_POST(self) -> None:
        """Forecast."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/v1/forecast":
            self._say(HTTPStatus.NOT_FOUND, {"error": "there are /healthz and /v1/forecast"}, close=True)
        elif not self._is_allowed():
            self._say(HTTPStatus.UNAUTHORIZED, {"error": "a bearer token is needed"}, close=True)
        elif not length.isdecimal():
            self._say(HTTPStatus.LENGTH_REQUIRED, {"error": "a Content-Length is needed"}, close=True)
        elif int(length) > LONGEST:
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"at most {LONGEST} bytes are read"}, close=True)
        else:
            self._say(*self._forecast(self.rfile.read(int(length))))

    def _forecast(self, body: bytes) -> tuple[HTTPStatus, dict[str, Any]]:
        try:
            raw: object = json.loads(body)
            request = request_from_json(raw)
        except NotUnderstoodError as error:
            return HTTPStatus.BAD_REQUEST, {"error": str(error)}
        except (ValueError, RecursionError):
            return HTTPStatus.BAD_REQUEST, {"error": "the body is not JSON"}
        if not self.server.places.acquire(blocking=False):
            return HTTPStatus.SERVICE_UNAVAILABLE, {"error": "busy; ask again"}
        try:
            with self.server.turn:
                answer = self.server.forecaster.forecast(request)
        except ForecastUnavailable as error:
            status = HTTPStatus.SERVICE_UNAVAILABLE if error.may_retry else HTTPStatus.UNPROCESSABLE_ENTITY
            return status, {"error": str(error)}
        except Exception as error:  # noqa: BLE001  a fault of one request must not end the server
            return HTTPStatus.INTERNAL_SERVER_ERROR, {"error": f"{type(error).__name__} in the forecaster"}
        finally:
            self.server.places.release()
        is_packed = cast("dict[str, Any]", raw).get("arrays") == "packed"
        return HTTPStatus.OK, answer_to_json(answer, packed=is_packed)

    def _is_allowed(self) -> bool:
        token = self.server.token
        given = self.headers.get("Authorization", "")
        return token is None or hmac.compare_digest(given.encode(), f"Bearer {token}".encode())

    def _say(self, status: HTTPStatus, message: dict[str, Any], *, close: bool = False) -> None:
        text = json.dumps(message, allow_nan=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if close:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class names it
        """Requests hold readings of production; nothing of them is logged."""
