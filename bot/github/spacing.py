"""Keeps the writes of an installation under GitHub's limits, and everybody quiet while one is reached; shared through Redis.

80 content writes a minute and 500 an hour:
https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
"""

import logging
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, cast

from gonogo.record import Record

if TYPE_CHECKING:
    from redis.asyncio import Redis

_log = logging.getLogger("gonogo.github")


class Window(Record):
    """So many writes in so long."""

    writes: int
    seconds: float


CONTENT_WINDOWS = (Window(80, 60.0), Window(500, 3600.0))


class Spacing(Protocol):
    """Who may send now. `key` names an installation of an App."""

    async def wait(self, key: str, *, is_write: bool) -> float:
        """Seconds to wait before asking again; 0: go, and a write is counted."""
        ...

    async def block(self, key: str, *, until: datetime) -> None:
        """Nothing of this installation before then; an earlier instant than the one that stands changes nothing."""
        ...


class MemorySpacing:
    """For one process."""

    def __init__(self, clock: Callable[[], datetime], windows: tuple[Window, ...] = CONTENT_WINDOWS) -> None:
        self._clock, self._windows = clock, windows
        self._writes: defaultdict[str, deque[datetime]] = defaultdict(deque)
        self._blocked: dict[str, datetime] = {}

    async def wait(self, key: str, *, is_write: bool) -> float:
        """As the port says."""
        now = self._clock()
        blocked = (self._blocked.get(key, now) - now).total_seconds()
        if blocked > 0:
            return blocked
        self._blocked.pop(key, None)
        if not is_write:
            return 0.0
        writes = self._writes[key]
        longest = max(window.seconds for window in self._windows)
        while writes and writes[0] <= now - timedelta(seconds=longest):
            writes.popleft()
        wait = max(_wait_of(window, writes, now) for window in self._windows)
        if wait <= 0:
            writes.append(now)
        return max(0.0, wait)

    async def block(self, key: str, *, until: datetime) -> None:
        """As the port says."""
        self._blocked[key] = max(until, self._blocked.get(key, until))


def _wait_of(window: Window, writes: deque[datetime], now: datetime) -> float:
    if len(writes) < window.writes:
        return 0.0
    return (writes[-window.writes] + timedelta(seconds=window.seconds) - now).total_seconds()


class RedisSpacing:
    """For all processes of an installation of gonogo, by the clock of Redis. Without Redis each process keeps to itself."""

    def __init__(
        self, redis: "Redis", *, clock: Callable[[], datetime], prefix: str, windows: tuple[Window, ...] = CONTENT_WINDOWS
    ) -> None:
        self._redis, self._clock, self._prefix, self._windows = redis, clock, prefix, windows
        self._alone = MemorySpacing(clock, windows)

    async def wait(self, key: str, *, is_write: bool) -> float:
        """As the port says."""
        limits = [str(part) for w in self._windows for part in (w.writes, int(w.seconds * 1000))]
        try:
            told = await self._run(_WAIT, key, "1" if is_write else "0", *limits)
        except _failures() as error:
            _log.warning("redis does not answer, writes are spaced in this process alone: %s", type(error).__name__)
            return await self._alone.wait(key, is_write=is_write)
        return int(told) / 1000

    async def block(self, key: str, *, until: datetime) -> None:
        """As the port says."""
        await self._alone.block(key, until=until)
        milliseconds = int((until - self._clock()).total_seconds() * 1000)
        if milliseconds <= 0:
            return
        try:
            await self._run(_BLOCK, key, str(milliseconds))
        except _failures() as error:
            _log.warning("redis does not answer, a limit is kept in this process alone: %s", type(error).__name__)

    async def _run(self, script: str, key: str, *arguments: str) -> Any:
        name = f"{self._prefix}:{{{key}}}"
        answer = self._redis.eval(script, 2, f"{name}:blocked", f"{name}:writes", *arguments)
        return await cast("Awaitable[Any]", answer)


def redis_spacing(redis: "Redis", *, app_id: int, clock: Callable[[], datetime] | None = None) -> RedisSpacing:
    """The spacing that all processes of one App share."""
    return RedisSpacing(redis, clock=clock or (lambda: datetime.now(UTC)), prefix=f"gonogo:github:{app_id}")


def _failures() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError  # noqa: PLC0415  only where Redis is used

    return (RedisError, OSError, TimeoutError)


_NOW = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
"""

_WAIT = (
    _NOW
    + """
local blocked = tonumber(redis.call('GET', KEYS[1]) or '0')
if blocked > now then return blocked - now end
if ARGV[1] == '0' then return 0 end
local longest, wait = 0, 0
for i = 2, #ARGV, 2 do
  local most, span = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  if span > longest then longest = span end
  local nth = redis.call('ZREVRANGE', KEYS[2], most - 1, most - 1, 'WITHSCORES')
  if nth[2] and nth[2] + span - now > wait then wait = nth[2] + span - now end
end
if wait > 0 then return math.ceil(wait) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, now - longest)
redis.call('ZADD', KEYS[2], now, t[1] .. '.' .. t[2])
redis.call('PEXPIRE', KEYS[2], longest)
return 0
"""
)
"""Milliseconds to wait; each write is a member that is named after its microsecond."""

_BLOCK = (
    _NOW
    + """
local till = now + tonumber(ARGV[1])
if till > tonumber(redis.call('GET', KEYS[1]) or '0') then redis.call('SET', KEYS[1], till, 'PX', ARGV[1]) end
return 0
"""
)
