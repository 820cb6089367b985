"""A forecaster on another machine: the same request and answer over HTTP, for teams with a GPU or one shared model.

`POST {url}/v1/forecast` answers a request, `GET {url}/healthz` says who answers; `gonogo forecast serve` is such a server. What comes
back is checked like any input: shapes, order, bounds.
"""

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, cast
from urllib.parse import urlsplit

from forecasting.joint import Capabilities, ForecastRequest, JointForecast
from forecasting.wire import NotUnderstoodError, answer_from_json, capabilities_from_json, request_to_json
from gonogo.errors import ForecastUnavailable

LONGEST = 256 * 1024 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token and the readings to whom nobody named."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """Never; what was meant to follow is reported as the answer that it is."""
        del req, fp, code, msg, headers, newurl


class RemoteForecaster:
    """Implements `Forecaster`; threads may share it. `token` is sent as a bearer token; `timeout_s` is for a whole call."""

    def __init__(self, url: str, *, token: str | None = None, timeout_s: float = 30.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ForecastUnavailable(
                f"{url} is not the address of a forecast server", "write it like http://forecasts.internal:8077"
            )
        self._url, self._token, self._timeout_s = url.rstrip("/"), token, timeout_s
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._described: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """The backend's name."""
        return "remote"

    @property
    def version(self) -> str:
        """Name and version of the forecaster that answers there."""
        there = self._description()
        return f"remote {there.get('name', '')} {there.get('version', '')}"[:500]

    @property
    def capabilities(self) -> Capabilities:
        """What the forecaster there can take."""
        try:
            return capabilities_from_json(self._description().get("capabilities"))
        except NotUnderstoodError as error:
            raise ForecastUnavailable(f"the forecast server: {error}") from error

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Ask the server; ForecastUnavailable when it gave no answer, and why."""
        reply = self._called("/v1/forecast", request_to_json(request))
        try:
            return answer_from_json(reply, request)
        except NotUnderstoodError as error:
            raise ForecastUnavailable(f"the forecast server: {error}") from error

    def _description(self) -> dict[str, Any]:
        if not self._described:
            self._described = self._called("/healthz", None)
        return self._described

    def _called(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        call = urllib.request.Request(self._url + path, data=data, headers={"Content-Type": "application/json"})  # noqa: S310  checked above
        if self._token:
            call.add_unredirected_header("Authorization", f"Bearer {self._token}")
        until = time.monotonic() + self._timeout_s
        try:
            with self._opener.open(call, timeout=self._timeout_s) as response:
                text = _read(response, until)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from error
        except TimeoutError as error:
            raise ForecastUnavailable(f"{self._url} gave no answer within {self._timeout_s:g} s", may_retry=True) from error
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(reason, TimeoutError):
                raise ForecastUnavailable(f"{self._url} gave no answer within {self._timeout_s:g} s", may_retry=True) from error
            raise ForecastUnavailable(f"{self._url} cannot be asked ({reason})", may_retry=True) from error
        return self._parsed(text)

    def _parsed(self, text: bytes) -> dict[str, Any]:
        try:
            reply: object = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ForecastUnavailable(f"{self._url} answered with something that is not JSON") from error
        if not isinstance(reply, dict):
            raise ForecastUnavailable(f"{self._url} answered with something that is no answer")
        return cast("dict[str, Any]", reply)

    def _refusal(self, error: urllib.error.HTTPError) -> ForecastUnavailable:
        try:
            said = json.loads(error.read(10_000))["error"]
        except (ValueError, KeyError, TypeError, OSError, HTTPException):
            said = error.reason
        words = " ".join(str(said).split())[:300]
        return ForecastUnavailable(
            f"{self._url} refused with {error.code}: {words}", may_retry=error.code in (429, 502, 503, 504)
        )


def _read(response: Any, until: float) -> bytes:
    """The whole body; TimeoutError when it trickles in past the deadline, ValueError when it is too long."""
    pieces = bytearray()
    while piece := response.read1(1 << 20):
        pieces += piece
        if len(pieces) > LONGEST:
            raise ValueError(f"more than {LONGEST} bytes")
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(pieces)
