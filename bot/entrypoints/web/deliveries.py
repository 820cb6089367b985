"""Takes webhooks in: remembers each delivery and queues it for a worker, both or neither, in one step of Redis."""

import asyncio
import time
from datetime import timedelta
from typing import Any, NamedTuple

from arq.connections import ArqRedis
from arq.constants import job_key_prefix
from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as NoAnswer

from bot.jobs.queue import DELIVERY_KNOWN_FOR, EVENTS, JOB_KEPT_FOR, delivery_job_id, delivery_key, pack, packed_delivery, unpack

REDIS_ERRORS = (RedisError, OSError, TimeoutError)
"""What a call raises when Redis is not there, or does not take it."""

_MOST_TOGETHER = 64
_ACCEPT = """
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('PSETEX', KEYS[2], ARGV[3], ARGV[4])
  redis.call('ZADD', KEYS[3], ARGV[1], ARGV[5])
  return 1
end
return 0
"""
"""The two lines in the middle are what `enqueue_job` of arq 0.28 does."""


class _Waiting(NamedTuple):
    """One delivery that Redis has not answered."""

    keys: tuple[str, str, str]
    arguments: tuple[int, int, int, bytes, str]
    answer: asyncio.Future[bool]


def open_redis(url: str) -> ArqRedis:
    """A client that connects when it is first used. Each call ends within seconds, and is made once more when its connection broke:
    all that is asked through it may happen twice.
    """
    pool: ConnectionPool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType]  its keywords have no types
        url,
        socket_timeout=5,
        socket_connect_timeout=2,
        retry=Retry(ConstantBackoff(0.05), 1),
        retry_on_error=[NotConnected, NoAnswer],
    )
    return ArqRedis(pool, job_serializer=pack, job_deserializer=unpack, default_queue_name=EVENTS)


class Deliveries:
    """What was taken in, by the App and the id of the delivery.

    Those that come while Redis answers are handed over together after it: a burst of thousands is some hundred round trips.
    """

    def __init__(self, redis: ArqRedis) -> None:
        self._redis = redis
        self._waiting: list[_Waiting] = []
        self._handing_over: asyncio.Task[None] | None = None

    async def accept(self, *, app: str, guid: str, event: str, body: str) -> bool:
        """Queue it for a worker; False when it came before. Raises one of REDIS_ERRORS when Redis did not take it."""
        now_ms = int(time.time() * 1000)
        job_id = delivery_job_id(app, guid)
        job = packed_delivery(event, guid, body, at_ms=now_ms)
        keys = (delivery_key(app, guid), job_key_prefix + job_id, EVENTS)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(keys, (now_ms, _ms(DELIVERY_KNOWN_FOR), _ms(JOB_KEPT_FOR), job, job_id), answer))
        if self._handing_over is None or self._handing_over.done():
            self._handing_over = asyncio.create_task(self._hand_over())
        return await answer

    async def _hand_over(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
            try:
                async with self._redis.pipeline(transaction=False) as pipe:  # the script is the transaction
                    for one in together:
                        pipe.execute_command(  # pyright: ignore[reportUnknownMemberType]  what it returns has no type
                            "EVAL", _ACCEPT, len(one.keys), *one.keys, *one.arguments
                        )
                    answers: list[Any] = await pipe.execute(raise_on_error=False)
            except Exception as error:  # noqa: BLE001  each of them is told
                answers = [error] * len(together)
            for one, answer in zip(together, answers, strict=True):
                if one.answer.done():  # its request was given up
                    continue
                if isinstance(answer, Exception):
                    one.answer.set_exception(answer)
                else:
                    one.answer.set_result(bool(answer))


def _ms(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)
