"""One request to GitHub and one answer: signed as the App by githubkit, or with a token; within 10 s; never repeated here.

What githubkit 0.16 does by default and we don't: no timeout at all, a repeat of any method after a 5xx, a cache for the whole
process, and answers read by models that a third of GitHub's own examples does not fit.
"""

import asyncio
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

import httpx
from githubkit import AppAuthStrategy, GitHub, UnauthAuthStrategy
from githubkit.cache import MemCacheStrategy
from jwt.exceptions import PyJWTError

from bot.github.access import GitHubAccess
from gonogo import __version__
from gonogo.errors import Forbidden
from gonogo.record import Record

TIMEOUT_S = 10.0
API_VERSION = "2022-11-28"
"""What github.com answers without the header, and the one version that every supported Enterprise Server knows.

https://docs.github.com/en/rest/about-the-rest-api/api-versions
"""
_REDIRECTS = frozenset({301, 302, 307, 308})
_MAX_REDIRECTS = 3


class Answer(Record):
    """What came back. `data` is the JSON of the body, None where there is none."""

    status: int
    headers: Mapping[str, str]
    data: Any
    text: str

    @property
    def message(self) -> str:
        """GitHub's own words about a failure, with what it says of single fields."""
        said = cast("dict[str, Any]", self.data) if isinstance(self.data, dict) else {}
        listed = said.get("errors")
        errors = cast("list[Any]", listed) if isinstance(listed, list) else []
        named = [cast("dict[str, Any]", e).get("message") if isinstance(e, dict) else e for e in errors[:5]]
        return ": ".join(part for part in (said.get("message"), *named) if isinstance(part, str) and part)


class CutOff(Exception):
    """No whole answer came. `was_sent`: GitHub may have got the request, and done it."""

    def __init__(self, why: str, *, was_sent: bool) -> None:
        self.why, self.was_sent = why, was_sent
        super().__init__(why)


class Wire:
    """The connections of one process to one GitHub. Opened with the first request; `aclose` closes them."""

    def __init__(
        self, access: GitHubAccess | None, *, api_url: str | None = None, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.api_url = (api_url or (access.api_url if access else "")).rstrip("/") + "/"
        self._origin = _origin(self.api_url)
        auth = AppAuthStrategy(access.app_id, access.private_key) if access else UnauthAuthStrategy()
        self._github = GitHub(
            auth,
            base_url=self.api_url,
            user_agent=f"gonogo/{__version__}",
            follow_redirects=False,  # a client would turn a redirected POST into a GET
            timeout=TIMEOUT_S,
            http_cache=False,
            cache_strategy=MemCacheStrategy(),  # the default is shared by every App of the process
            auto_retry=False,
            async_transport=transport,
        )
        self._open = AsyncExitStack()
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()

    async def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: Any = None,
        token: str | None = None,
        is_signed: bool = True,
    ) -> Answer:
        """The answer to one request, whatever its status. Raises CutOff.

        With neither a token nor `is_signed` the request carries no proof of who we are. Redirects within GitHub are followed with
        method and body as they were: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
        """
        url, answer = path.removeprefix("/"), None
        for _ in range(1 + _MAX_REDIRECTS):
            answer = await self._send(method, url, params=params, body=body, token=token, is_signed=is_signed)
            location = answer.headers.get("location", "")
            if answer.status not in _REDIRECTS or not location:
                return answer
            url, params = urljoin(self.api_url, location), None
            if not self.is_ours(url):
                raise CutOff(f"{method} {path} was sent on to another host", was_sent=True)
        raise CutOff(f"{method} {path} was sent on {_MAX_REDIRECTS} times", was_sent=True)

    def is_ours(self, url: str) -> bool:
        """Whether an absolute address is on the same server, so that a token may go there."""
        return _origin(url) == self._origin

    async def aclose(self) -> None:
        """Close the connections."""
        self._client = None
        await self._open.aclose()

    async def _send(
        self, method: str, url: str, *, params: Mapping[str, str | int] | None, body: Any, token: str | None, is_signed: bool
    ) -> Answer:
        headers = {"X-GitHub-Api-Version": API_VERSION} | ({"Authorization": f"Bearer {token}"} if token else {})
        sign: dict[str, Any] = {} if is_signed and token is None else {"auth": None}
        client = await self._connected()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                response = await client.request(method, url, params=params, json=body, headers=headers, **sign)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise CutOff(f"no connection to {self._origin} ({type(error).__name__})", was_sent=False) from error
        except PyJWTError as error:  # githubkit signs when the request goes out
            raise Forbidden("the App's private key is no RSA key in PEM; make a new one on the App's page") from error
        except (httpx.HTTPError, TimeoutError) as error:
            is_late = isinstance(error, TimeoutError | httpx.TimeoutException)
            why = f"no answer within {TIMEOUT_S:g} s" if is_late else f"the connection broke ({type(error).__name__})"
            raise CutOff(why, was_sent=True) from error
        return Answer(response.status_code, response.headers, _json(response), response.text)

    async def _connected(self) -> httpx.AsyncClient:
        async with self._opening:
            if self._client is None:
                self._client = await self._open.enter_async_context(self._github.get_async_client())
            return self._client


def _json(response: httpx.Response) -> Any:
    if not response.content:
        return None
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def _origin(url: str) -> str:
    parts = urlsplit(url)
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    return f"{parts.scheme}://{parts.hostname}:{port}".lower()
