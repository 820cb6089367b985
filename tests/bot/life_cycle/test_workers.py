"""Who lives, who died, and what is done about it, on a real Redis."""

import asyncio

import pytest

from bot.entrypoints.web.deliveries import open_redis
from bot.jobs import workers
from bot.jobs.queue import EVALUATIONS, enqueue_evaluation
from tests.github.fixtures import redis_server_url, redis_url

__all__ = ["redis_server_url", "redis_url"]


@pytest.fixture
def on_redis(redis_url):
    def run(story):
        async def told():
            redis = open_redis(redis_url)
            try:
                return await story(redis)
            finally:
                await redis.aclose(close_connection_pool=True)

        return asyncio.run(told())

    return run


def test_a_worker_that_said_so_lives(on_redis):
    async def story(redis):
        assert await workers.live_workers(redis) == 0
        await workers.beat(redis, "one")
        await workers.beat(redis, "two")
        assert await workers.live_workers(redis) == 2
        await workers.leave(redis, "one")
        return await workers.live_workers(redis)

    assert on_redis(story) == 1


def test_the_jobs_of_a_dead_worker_are_free_again_and_those_of_a_living_one_are_not(on_redis):
    async def story(redis):
        for worker, job in (("dead", "pr:1:1"), ("living", "pr:2:1")):
            await workers.beat(redis, worker)
            await workers.hold(redis, worker, job)
            await redis.psetex(f"arq:in-progress:{job}", 60_000, b"1")
        await redis.delete("gonogo:worker:dead")

        freed = await workers.free_jobs_of_the_dead(redis)

        left = [await redis.exists(f"arq:in-progress:{job}") for job in ("pr:1:1", "pr:2:1")]
        return freed, left, await workers.free_jobs_of_the_dead(redis)

    assert on_redis(story) == (["pr:1:1"], [0, 1], [])


def test_what_a_worker_has_ended_is_not_freed_again(on_redis):
    async def story(redis):
        await workers.beat(redis, "dead")
        await workers.hold(redis, "dead", "pr:1:1")
        await workers.let_go(redis, "dead", "pr:1:1")
        await redis.delete("gonogo:worker:dead")
        return await workers.free_jobs_of_the_dead(redis)

    assert on_redis(story) == []


def test_an_evaluation_is_in_the_queue_once_and_every_attempt_has_an_id_of_its_own(on_redis):
    async def story(redis):
        about = {"evaluation_id": "e", "subject": "pr:7", "generation": 3}
        asked = [await enqueue_evaluation(redis, **about) for _ in range(2)]
        asked.append(await enqueue_evaluation(redis, **about, attempt=2))
        asked.append(await enqueue_evaluation(redis, evaluation_id="f", subject="pr:7", generation=4))
        return asked, await redis.zrange(EVALUATIONS, 0, -1)

    assert on_redis(story) == ([True, False, True, True], [b"pr:7:3", b"pr:7:3:2", b"pr:7:4"])
