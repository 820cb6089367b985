"""What the probes say, and the headers that come with everything."""

import asyncio

from starlette.testclient import TestClient

from bot.entrypoints.web.app import web_app
from bot.entrypoints.web.deliveries import open_redis
from bot.jobs.workers import beat, leave
from bot.storage.database import open_database
from tests.bot.web.conftest import settings_for


def in_redis(redis_url, call):
    async def run():
        pool = open_redis(redis_url)
        await call(pool)
        await pool.aclose(close_connection_pool=True)

    asyncio.run(run())


def test_the_process_is_healthy_whatever_else_is_not(tmp_path):
    settings = settings_for(tmp_path)
    engine = open_database(settings.database_url.get_secret_value())
    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere/redis.sock"))) as client:
        health, ready = client.get("/healthz"), client.get("/readyz")
    engine.dispose()

    assert (health.status_code, health.text) == (200, "ok\n")
    assert (ready.status_code, ready.json()) == (503, {"database": True, "redis": False, "worker": False})


def test_it_is_ready_only_while_a_worker_lives(client, redis_url):
    assert client.get("/readyz").json() == {"database": True, "redis": True, "worker": False}

    in_redis(redis_url, lambda pool: beat(pool, "host-1"))
    assert client.get("/readyz").status_code == 200

    in_redis(redis_url, lambda pool: leave(pool, "host-1"))
    assert client.get("/readyz").status_code == 503


def test_it_is_not_ready_without_its_database(redis_url, redis, tmp_path):
    settings = settings_for(tmp_path)
    engine = open_database(settings.database_url.get_secret_value())
    (tmp_path / "gonogo.db").rename(tmp_path / "moved.db")
    (tmp_path / "gonogo.db").mkdir()
    engine.dispose()
    with TestClient(web_app(settings, engine=engine, redis=open_redis(redis_url))) as client:
        ready = client.get("/readyz")
    engine.dispose()

    assert (ready.status_code, ready.json()["database"]) == (503, False)


def test_every_answer_forbids_what_no_page_of_ours_asks_for(client):
    for path in ("/healthz", "/no-such-page", "/"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "script-src" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert "strict-transport-security" not in headers


def test_behind_https_browsers_are_told_to_stay_there(redis_url, tmp_path):
    settings = settings_for(tmp_path, url="https://gonogo.example.com/")
    engine = open_database(settings.database_url.get_secret_value())
    with TestClient(web_app(settings, engine=engine, redis=open_redis(redis_url))) as client:
        headers = client.get("/healthz").headers
    engine.dispose()

    assert headers["strict-transport-security"] == "max-age=31536000"
