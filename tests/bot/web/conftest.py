"""A web process in the test's own process, over a real Redis and SQLite."""

import hashlib
import hmac
import json
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from redis import Redis
from starlette.testclient import TestClient

from bot.entrypoints.web.app import web_app
from bot.entrypoints.web.deliveries import open_redis
from bot.jobs.queue import unpack
from bot.server_settings import ServerSettings
from bot.storage.database import open_database
from scripts.redis_server import has_redis, redis_server
from tests.github.keys import private_key

SECRET = "a webhook secret"


@pytest.fixture(scope="session")
def redis_url() -> Generator[str]:
    """The URL of a Redis for this process of tests."""
    if not has_redis():
        pytest.skip("no redis-server; install the package redis-server")
    with redis_server() as url:
        yield url


@dataclass
class Sender:
    """GitHub, as the web process sees it."""

    client: TestClient
    secret: str = SECRET
    headers: dict[str, str] = field(default_factory=dict)

    def deliver(self, payload: Any = None, *, body: bytes | None = None, event="ping", guid="guid-1", signature=None, **headers):
        body = (
            json.dumps(payload if payload is not None else {"zen": "Keep it logically awesome."}).encode()
            if body is None
            else body
        )
        told = {
            "content-type": "application/json",
            "x-github-event": event,
            "x-github-delivery": guid,
            "x-hub-signature-256": signature if signature is not None else signed(body, self.secret),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return self.client.post("/webhooks/github", content=body, headers={k: v for k, v in told.items() if v != ""})


def signed(body: bytes, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def settings_for(tmp_path: Path, **more: Any) -> ServerSettings:
    told = {
        "github_app_id": 7,
        "github_private_key": private_key(),
        "github_webhook_secret": SECRET,
        "data_dir": tmp_path,
        "redis_url": "unix:///nowhere",
    }
    return ServerSettings(**(told | more))


@pytest.fixture
def redis(redis_url) -> Generator[Redis]:
    """An empty Redis, looked at from outside."""
    with Redis.from_url(redis_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def engine(tmp_path) -> Generator[sa.Engine]:
    engine = open_database(settings_for(tmp_path).database_url.get_secret_value())
    yield engine
    engine.dispose()


@pytest.fixture
def client(redis_url, redis, tmp_path, engine) -> Generator[TestClient]:
    app = web_app(settings_for(tmp_path), engine=engine, redis=open_redis(redis_url))
    with TestClient(app, follow_redirects=False) as client:
        yield client


@pytest.fixture
def sender(client) -> Sender:
    return Sender(client)


def queued(redis: Redis) -> list[dict[str, Any]]:
    """The jobs that wait, oldest first."""
    return [unpack(redis.get("arq:job:" + name.decode())) for name in redis.zrange("gonogo:events", 0, -1)]
