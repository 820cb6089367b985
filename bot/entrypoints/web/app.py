"""The web application: which path is answered by what."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import sqlalchemy as sa
from arq.connections import ArqRedis
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp

from bot.entrypoints.web.around import WEBHOOK_PATH, Around
from bot.entrypoints.web.dashboard.app import dashboard_app
from bot.entrypoints.web.deliveries import Deliveries
from bot.entrypoints.web.metrics import Metrics
from bot.entrypoints.web.probes import Probes
from bot.entrypoints.web.webhook import Webhook
from bot.github.access import access_of
from bot.github.app import GitHubApp
from bot.jobs.redis_commands import Queue
from bot.server_settings import ServerSettings
from bot.storage.app_counts import Counting


def web_app(settings: ServerSettings, *, engine: sa.Engine, redis: ArqRedis, github: GitHubApp | None = None) -> ASGIApp:
    """The application. `engine`: a database whose tables are current; `redis` and `github` are closed with the application."""
    github = github or GitHubApp(access_of(settings))

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncGenerator[None]:
        yield
        await github.aclose()
        await redis.aclose(close_connection_pool=True)

    webhook = Webhook(
        secret=settings.github_webhook_secret.get_secret_value(), app_id=settings.github_app_id, deliveries=Deliveries(redis)
    )
    probes = Probes(engine=engine, redis=cast("Queue", redis))
    metrics = Metrics(counting=Counting(engine), redis=redis)
    routes = [
        Route(WEBHOOK_PATH, webhook),  # before all that a page needs: it must be quick
        Route("/healthz", probes.health),
        Route("/readyz", probes.ready),
        Route("/metrics", metrics.page),
        Mount("/", dashboard_app(settings, engine=engine, github=github)),
    ]
    return Around(Router(routes, redirect_slashes=False, lifespan=lifespan), is_https=settings.public_url.startswith("https://"))
