"""`/healthz`: this process answers. `/readyz`: webhooks that come now are evaluated: database, Redis and a worker are there."""

import asyncio
import logging
from collections.abc import Awaitable

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.entrypoints.web.deliveries import REDIS_ERRORS
from bot.jobs.redis_commands import Queue
from bot.jobs.workers import live_workers

log = logging.getLogger("gonogo.web")

_WITHIN_S = 3.0


class Probes:
    """Both probes. They tell nothing but what works: no names, no addresses."""

    def __init__(self, *, engine: sa.Engine, redis: Queue) -> None:
        self._engine, self._redis = engine, redis
        self._told: dict[str, bool] = {}

    async def health(self, request: Request) -> Response:  # noqa: ARG002
        """200 while the process answers at all."""
        return PlainTextResponse("ok\n")

    async def ready(self, request: Request) -> Response:  # noqa: ARG002
        """200 when all of it works, else 503; each part with `true` or `false`."""
        database, workers = await asyncio.gather(
            self._within("database", asyncio.to_thread(self._ask_database)), self._within("redis", live_workers(self._redis))
        )
        told = {"database": database is not None, "redis": workers is not None, "worker": bool(workers)}
        if told != self._told:
            log.info("ready" if all(told.values()) else "not ready", extra=told)
        self._told = told
        return JSONResponse(told, 200 if all(told.values()) else 503)

    async def _within(self, what: str, asked: Awaitable[int]) -> int | None:
        try:
            return await asyncio.wait_for(asked, _WITHIN_S)
        except (SQLAlchemyError, *REDIS_ERRORS) as error:
            log.debug("not reached", extra={"what": what, "why": type(error).__name__})
            return None

    def _ask_database(self) -> int:
        with self._engine.connect() as connection:
            return connection.execute(sa.select(sa.literal(1))).scalar_one()
