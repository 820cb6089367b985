"""Writes keep to GitHub's limits, and a limit that one process meets is kept by all."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import redis.asyncio

from bot.github.client import RepositoryClient
from bot.github.spacing import MemorySpacing, RedisSpacing, Spacing, Window, redis_spacing
from gonogo.errors import Throttled
from tests.bot.github.conftest import MARKER, Shop
from tests.github import faults

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUICK = (Window(3, 0.5), Window(5, 2.0))


def utc_now() -> datetime:
    return datetime.now(UTC)


async def taken(spacing: Spacing, writes: int) -> list[float]:
    return [await spacing.wait("1", is_write=True) for _ in range(writes)]


def test_eighty_writes_a_minute_and_five_hundred_an_hour_are_let_through() -> None:
    at = [NOW]
    spacing = MemorySpacing(lambda: at[0])

    async def an_hour() -> int:
        done = 0
        while at[0] < NOW + timedelta(hours=1):
            if await spacing.wait("1", is_write=True) == 0:
                done += 1
            else:
                at[0] += timedelta(seconds=1)
        return done

    async def first_minute() -> list[float]:
        return await taken(MemorySpacing(lambda: NOW), 81)

    waits = asyncio.run(first_minute())
    assert waits[:80] == [0.0] * 80
    assert waits[80] == 60.0
    assert asyncio.run(an_hour()) == 500


def test_installations_do_not_share_their_writes() -> None:
    spacing = MemorySpacing(lambda: NOW, (Window(1, 60.0),))

    async def run() -> list[float]:
        return [await spacing.wait(key, is_write=True) for key in ("1", "2", "1")]

    assert asyncio.run(run()) == [0.0, 0.0, 60.0]


def test_reads_are_not_counted_and_still_wait_for_a_limit() -> None:
    spacing = MemorySpacing(lambda: NOW, (Window(1, 60.0),))

    async def run() -> list[float]:
        reads = [await spacing.wait("1", is_write=False) for _ in range(3)]
        await spacing.block("1", until=NOW + timedelta(seconds=90))
        await spacing.block("1", until=NOW + timedelta(seconds=30))
        return [*reads, await spacing.wait("1", is_write=False), await spacing.wait("2", is_write=False)]

    assert asyncio.run(run()) == [0.0, 0.0, 0.0, 90.0, 0.0]


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[redis.asyncio.Redis]:
    client = redis.asyncio.Redis.from_url(url)
    try:
        yield client
    finally:
        await client.aclose()


def test_processes_share_their_writes_through_redis(redis_url: str) -> None:
    async def run() -> list[bool]:
        async with connected(redis_url) as one, connected(redis_url) as two:
            spacings = [RedisSpacing(r, clock=utc_now, prefix="p", windows=QUICK) for r in (one, two)]
            waits = [await spacings[n % 2].wait("1", is_write=True) for n in range(5)]
            return [w > 0 for w in waits]

    assert asyncio.run(run()) == [False, False, False, True, True]


def test_a_write_is_let_through_when_the_window_has_passed(redis_url: str) -> None:
    async def run() -> tuple[float, float, int]:
        async with connected(redis_url) as one:
            spacing = RedisSpacing(one, clock=utc_now, prefix="p", windows=(Window(2, 0.3),))
            waits = await taken(spacing, 3)
            await asyncio.sleep(waits[-1] + 0.02)
            return waits[-1], await spacing.wait("1", is_write=True), await one.zcard("p:{1}:writes")

    refused, later, kept = asyncio.run(run())

    assert 0 < refused <= 0.3
    assert later == 0
    assert kept <= 2


def test_a_limit_that_one_process_meets_holds_for_all(redis_url: str) -> None:
    async def run() -> tuple[float, float]:
        async with connected(redis_url) as one, connected(redis_url) as two:
            await redis_spacing(one, app_id=1).block("7", until=utc_now() + timedelta(seconds=90))
            await redis_spacing(one, app_id=1).block("7", until=utc_now() + timedelta(seconds=9))
            other = redis_spacing(two, app_id=1)
            return await other.wait("7", is_write=False), await other.wait("8", is_write=False)

    held, free = asyncio.run(run())

    assert 85 < held <= 90
    assert free == 0


def test_without_redis_a_process_keeps_to_itself() -> None:
    async def run() -> list[bool]:
        async with connected("redis://127.0.0.1:1/0") as nobody:
            spacing = RedisSpacing(nobody, clock=utc_now, prefix="p", windows=QUICK)
            await spacing.block("2", until=utc_now() + timedelta(seconds=9))
            return [w > 0 for w in [*await taken(spacing, 4), await spacing.wait("2", is_write=False)]]

    assert asyncio.run(run()) == [False, False, False, True, True]


def a_comment(client: RepositoryClient) -> Awaitable[int]:
    return client.publish_comment(1, f"hello {MARKER}", marker=MARKER)


@pytest.mark.parametrize(
    ("fault", "least_s", "most_s"),
    [
        (faults.secondary_limit, 59, 61),
        (partial(faults.secondary_limit, as_text=True), 59, 61),
        (partial(faults.secondary_limit, retry_after=7), 6, 8),
        (partial(faults.secondary_limit, status=429), 59, 61),
        (partial(faults.primary_limit, resets_in=600), 590, 603),
    ],
)
def test_a_limit_is_never_waited_out_in_place(
    shop: Shop, fault: Callable[[], faults.Fault], least_s: float, most_s: float
) -> None:
    shop.github.faults.add("POST /repos/acme/shop/issues/1/comments", fault())

    started = time.monotonic()
    with pytest.raises(Throttled) as limit:
        shop.ask(lambda c: _done(a_comment(c)))

    assert time.monotonic() - started < 5
    assert not shop.waits
    assert least_s < (limit.value.not_before - utc_now()).total_seconds() < most_s


def test_nothing_is_sent_to_an_installation_while_a_limit_holds(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.secondary_limit())

    async def ask(client: RepositoryClient) -> int:
        for _ in range(3):
            with pytest.raises(Throttled):
                await client.pull_request(1)
        return client.calls

    assert shop.ask(ask) == 1
    assert len(shop.github.record.of("GET /repos/acme/shop/pulls/1")) == 1


def test_an_answer_that_was_the_hours_last_stops_the_next_call(shop: Shop) -> None:
    last = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 900)}
    shop.github.faults.add("GET /repos/acme/shop/collaborators/*", faults.Answer("the last", 200, {"permission": "read"}, last))

    async def ask(client: RepositoryClient) -> datetime:
        await client.permission("rita")
        with pytest.raises(Throttled) as limit:
            await client.pull_request(1)
        return limit.value.not_before

    assert 890 < (shop.ask(ask) - utc_now()).total_seconds() < 901
    assert not shop.github.record.of("GET /repos/acme/shop/pulls/1")


def test_a_short_wait_of_our_own_spacing_is_waited_and_a_long_one_is_not(shop: Shop) -> None:
    at = [utc_now()]

    async def sleep(seconds: float) -> None:
        shop.waits.append(seconds)
        at[0] += timedelta(seconds=seconds)

    async def write(client: RepositoryClient, expected: Callable[[int], bool]) -> int:
        done = 0
        while expected(done):
            await client.react(theirs.id, "eyes")
            done += 1
        with pytest.raises(Throttled, match="not sent"):
            await client.react(theirs.id, "eyes")
        return done

    theirs = shop.github.conversations.comment(shop.pull, "/gonogo", tell=False)
    spacing = MemorySpacing(lambda: at[0], (Window(2, 2.0), Window(4, 100.0)))
    done = shop.ask(lambda c: write(c, lambda n: n < 4), limit=None, clock=lambda: at[0], spacing=spacing, sleep=sleep)

    assert done == 4
    assert shop.waits == [2.0]


async def _done[T](work: Awaitable[T]) -> T:
    return await work
