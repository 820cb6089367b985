"""Calls of GitHub's REST interface as one installation: counted, spaced, read in pages, tried again only where that does no harm."""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol, cast

from bot.github.failures import failure_of, reset_at
from bot.github.spacing import Spacing
from bot.github.wire import Answer, CutOff, Wire
from gonogo.errors import ForgeUnavailable, Throttled, TooManyCalls
from gonogo.record import Record

PER_PAGE = 100
_MAX_PAGES = 1_000
_WAITS_S = (0.5, 1.5)
"""Before the second and the third attempt."""
_PATIENCE_S = 3.0
"""A wait for our own spacing that is not worth coming back later for."""

_log = logging.getLogger("gonogo.github")
Params = Mapping[str, str | int]


class Tools(Record):
    """What calls need of their process."""

    wire: Wire
    spacing: Spacing
    clock: Callable[[], datetime]
    sleep: Callable[[float], Awaitable[None]]


class Authority(Protocol):
    """Whose word a call carries."""

    async def token(self) -> str | None:
        """A token; None: the request is signed as the App."""
        ...

    async def refused(self, token: str) -> None:
        """GitHub did not take this token: forget it."""
        ...

    def granted(self) -> Mapping[str, str]:
        """The permissions that the token has."""
        ...


class Calls:
    """One installation's calls. `used` of `limit` were made before; a limit of None is for work that is no evaluation."""

    def __init__(self, tools: Tools, authority: Authority, *, key: str, limit: int | None = None, used: int = 0) -> None:
        self._tools, self._authority, self._key = tools, authority, key
        self.limit, self.used = limit, used

    async def get(self, path: str, params: Params | None = None, *, may_appear: bool = False) -> Answer:
        """Read; asked again after a failure of the network or the server."""
        return await self._repeated("GET", path, params=params, may_appear=may_appear)

    async def change(self, method: str, path: str, body: Any, *, is_content: bool = True) -> Answer:
        """Write something that comes out the same when it is written twice; asked again like a read.

        `is_content`: GitHub counts it among the writes of which it takes so many a minute.
        """
        return await self._repeated(method, path, body=body, is_content=is_content)

    async def create(self, path: str, body: Any = None, *, method: str = "POST") -> Answer:
        """Write something that would be there twice: sent again only when it surely was not received.

        Raises ForgeUnavailable with `may_be_done` where the caller has to look first.
        """
        for wait in (*_WAITS_S, None):
            try:
                return await self._once(method, path, body=body, is_content=True)
            except CutOff as error:
                if error.was_sent or wait is None:
                    raise ForgeUnavailable(f"{method} {path}: {error.why}", may_be_done=error.was_sent) from error
                await self._tools.sleep(wait)
            except ForgeUnavailable as error:
                raise ForgeUnavailable(str(error), may_be_done=True) from error
        raise AssertionError

    async def pages(self, path: str, params: Params | None = None, *, of: str | None = None) -> AsyncIterator[Any]:
        """Every item of a list, page after page; `of` names the list inside an answer that is an object."""
        answer = await self.get(path, {"per_page": PER_PAGE, **(params or {})})
        for _ in range(_MAX_PAGES):
            data = cast("dict[str, Any]", answer.data).get(of) if of and isinstance(answer.data, dict) else answer.data
            for item in cast("list[Any]", data) if isinstance(data, list) else ():
                yield item
            following = next_page(answer.headers.get("link", ""))
            if following is None or not self._tools.wire.is_ours(following):
                return
            answer = await self.get(following)

    async def wait(self, seconds: float) -> None:
        """Let time pass, by the clock of these calls."""
        await self._tools.sleep(seconds)

    @property
    def now(self) -> datetime:
        """The time, by the clock of these calls."""
        return self._tools.clock()

    async def _repeated(
        self,
        method: str,
        path: str,
        *,
        params: Params | None = None,
        body: Any = None,
        may_appear: bool = False,
        is_content: bool = False,
    ) -> Answer:
        for wait in (*_WAITS_S, None):
            try:
                return await self._once(method, path, params=params, body=body, may_appear=may_appear, is_content=is_content)
            except CutOff as error:
                if wait is None:
                    raise ForgeUnavailable(f"{method} {path}: {error.why}, {1 + len(_WAITS_S)} times") from error
            except ForgeUnavailable:
                if wait is None:
                    raise
            await self._tools.sleep(wait)
        raise AssertionError

    async def _once(
        self,
        method: str,
        path: str,
        *,
        params: Params | None = None,
        body: Any = None,
        may_appear: bool = False,
        is_content: bool,
    ) -> Answer:
        """One attempt; a token that is refused is made anew once."""
        for is_last in (False, True):
            token = await self._authority.token()
            await self._admitted(method, path, is_content=is_content)
            answer = await self._sent(method, path, params=params, body=body, token=token)
            if answer.status != 401 or token is None or is_last:
                break
            await self._authority.refused(token)
        if answer.status < 300:
            if method == "GET" and answer.data is None:
                raise CutOff("the answer is no JSON", was_sent=True)
            return answer
        doing = f"{method} {path.partition('?')[0]}"
        failure = failure_of(
            answer, doing=doing, now=self._tools.clock(), may_appear=may_appear, granted=self._authority.granted()
        )
        if isinstance(failure, Throttled):
            await self._tools.spacing.block(self._key, until=failure.not_before)
        raise failure

    async def _admitted(self, method: str, path: str, *, is_content: bool) -> None:
        """Count the call, and keep to the limits; raises TooManyCalls or Throttled before anything is sent."""
        if self.limit is not None and self.used >= self.limit:
            raise TooManyCalls(f"{method} {path}: all {self.limit} REST calls of this evaluation are used")
        wait = await self._tools.spacing.wait(self._key, is_write=is_content)
        if 0 < wait <= _PATIENCE_S:
            await self._tools.sleep(wait)
            wait = await self._tools.spacing.wait(self._key, is_write=is_content)
        if wait > 0:
            until = self._tools.clock() + timedelta(seconds=wait)
            raise Throttled(f"{method} {path}: not sent, a limit holds for {wait:.0f} s more", not_before=until)
        self.used += 1

    async def _sent(self, method: str, path: str, *, params: Params | None, body: Any, token: str | None) -> Answer:
        """The answer; what its headers say of the hour's calls is kept for all."""
        answer = await self._tools.wire.send(method, path, params=params, body=body, token=token)
        reset = reset_at(answer.headers)
        if answer.status < 400 and answer.headers.get("x-ratelimit-remaining") == "0" and reset is not None:
            await self._tools.spacing.block(self._key, until=reset)
        return answer


def next_page(link: str) -> str | None:
    """The address of the next page in a Link header. https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api"""
    found = re.search(r'<([^>]+)>\s*;[^,]*\brel="?next"?', link)
    return found[1] if found else None
