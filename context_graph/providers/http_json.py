"""Asks a JSON API over HTTP, read-only: a time-out for every request, a few more tries where trying again may help."""

import base64
import json
import random
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException, HTTPMessage
from time import sleep
from typing import IO, Any, override
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from context_graph.providers.rows import as_object

MAX_BYTES = 64 * 2**20
LONGEST_URL = 4_000
"""A longer query goes as a form: servers and proxies cut long URLs."""

_TRY_AGAIN = (429, 502, 503, 504)
_MAX_ERROR_BYTES = 64 * 1024


class ApiRefused(OSError):
    """The API answered with an error, or with something that is not JSON. The message names the path and what it said.

    `status` is HTTP's, None when there was none to blame; `body` is what came with it, parsed when it is JSON.
    """

    def __init__(self, message: str, *, status: int | None = None, body: Any = None) -> None:
        super().__init__(message)
        self.status, self.body = status, body


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the token to whoever the answer names."""

    @override
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        return None


class JsonApi:
    """One server. User and password in the URL, or a token, are sent with every request and never appear in a message."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 10.0,
        tries: int = 3,
        max_pause_s: float = 5.0,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not an http or https URL: {parts.scheme or 'it'}://…")
        self.base = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        self._headers = {"Accept": "application/json", "User-Agent": "gonogo", **(headers or {})}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        elif parts.username:
            user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = "Basic " + base64.b64encode(user.encode()).decode()
        self._timeout_s, self._tries, self._max_pause_s, self._pause = timeout_s, tries, max_pause_s, pause
        self._open = build_opener(_NoRedirect).open

    def get(self, path: str, parameters: Sequence[tuple[str, str]] = ()) -> Any:
        """The parsed answer. Raises ApiRefused, or URLError and TimeoutError when nobody answers."""
        query = urlencode(parameters)
        url = f"{self.base}{path}"
        is_long = len(url) + len(query) > LONGEST_URL
        request = Request(  # noqa: S310  the scheme was checked
            url if is_long or not query else f"{url}?{query}", data=query.encode() if is_long else None, headers=self._headers
        )
        for left in range(self._tries - 1, -1, -1):
            try:
                return self._once(request, path)
            except HTTPError as error:
                if left == 0 or error.code not in _TRY_AGAIN:
                    said, body = _said(error)
                    raise ApiRefused(f"{path} answered {error.code} {said}".rstrip(), status=error.code, body=body) from error
                self._pause(self._wait(error.headers.get("Retry-After"), self._tries - left))
            except (URLError, HTTPException, ConnectionError):
                if left == 0:
                    raise
                self._pause(self._wait(None, self._tries - left))
        raise AssertionError("the last try returns or raises")

    def _wait(self, asked: str | None, failed: int) -> float:
        """Seconds until the next try: what the server asks for, else longer each time, never in step with others."""
        if asked and asked.isdigit():
            return min(float(asked), self._max_pause_s)
        return min(self._max_pause_s, 0.2 * 2**failed) * (0.5 + random.random() / 2)  # noqa: S311  spreads retries

    def _once(self, request: Request, path: str) -> Any:
        with self._open(request, timeout=self._timeout_s) as answer:
            body = answer.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise ApiRefused(f"{path} answered more than {MAX_BYTES // 2**20} MiB; ask for less")
        try:
            return json.loads(body)
        except ValueError as error:
            raise ApiRefused(f"{path} answered with something that is not JSON") from error


def _said(error: HTTPError) -> tuple[str, Any]:
    """The API's own words, when it has some; and all that it said, parsed when it is JSON."""
    try:
        text = error.read(_MAX_ERROR_BYTES).decode("utf-8", "replace")
    except OSError:
        return " ".join(str(error.reason).split())[:200], None
    try:
        body = json.loads(text)
    except ValueError:
        return " ".join(text.split())[:200], None
    told = as_object(body) or {}
    return " ".join(str(told.get("error") or told.get("message") or text).split())[:200], body
