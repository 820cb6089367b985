"""`gonogo worker`: takes deliveries and evaluations from the queue, publishes verdicts, and looks after what was lost.

One process, its loops on one event loop: two queues, the publisher, the sweep, the recovery, the sign of life. A loop that breaks
(Redis or the database is away) is begun again; a signal lets what is being written be finished, and gives the rest back.
"""

import asyncio
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import cast

from arq.connections import ArqRedis

from bot.bootstrap import production_of
from bot.entrypoints.logs import configure_logs
from bot.entrypoints.opening import make_data_folder, opened_database
from bot.entrypoints.web.deliveries import open_redis
from bot.entrypoints.worker_queues import serve_evaluations, serve_events
from bot.github.access import access_of
from bot.github.app import GitHubApp
from bot.github.mirror import Mirrors
from bot.github.spacing import redis_spacing
from bot.jobs.child import evaluating_in, tidy
from bot.jobs.live_gates import OpenProduction, watch_gates
from bot.jobs.ports import Ports
from bot.jobs.publish import Publisher
from bot.jobs.recover import recover, requeue_lost
from bot.jobs.redeliveries import Redeliveries
from bot.jobs.redis_commands import Queue
from bot.jobs.self_check import self_check
from bot.jobs.sweep import Sweeper
from bot.jobs.watch_merges import watch_merges
from bot.jobs.workers import BEAT_EVERY, beat, leave
from bot.server_settings import ServerSettings, load_server_settings
from bot.storage.app_store import AppStore

RECOVER_EVERY_S, REQUEUE_EVERY_S = 2.0, 15.0
GATES_EVERY_S = 60.0
_THREADS = 32
"""Calls of the database that may wait at the same time."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 30.0

log = logging.getLogger("gonogo.worker")


def work() -> int:
    """Work until SIGTERM or Ctrl-C; 0."""
    settings = load_server_settings()
    make_data_folder(settings)
    configure_logs()
    asyncio.run(_run(settings))
    return 0


async def _run(settings: ServerSettings) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="gonogo"))
    async with AsyncExitStack() as opened:
        engine = await asyncio.to_thread(opened_database, settings)
        opened.callback(engine.dispose)
        assert settings.redis_url is not None
        redis = open_redis(settings.redis_url.get_secret_value())
        opened.push_async_callback(redis.aclose, close_connection_pool=True)
        spacing = redis_spacing(redis, app_id=settings.github_app_id)
        github = await opened.enter_async_context(GitHubApp(access_of(settings), spacing=spacing))
        ports = Ports(
            settings=settings,
            store=AppStore(engine),
            github=github,
            mirrors=Mirrors(settings.data_dir),
            queue=cast("Queue", redis),
            worker_id=f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}",
        )
        await asyncio.to_thread(tidy, evaluating_in(settings.data_dir), now=time.time())
        await _until_told(ports, redis)


async def _until_told(ports: Ports, redis: ArqRedis) -> None:
    """All loops, until a signal ends them."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    sweeper, redeliveries, publisher = Sweeper(ports), Redeliveries(ports), Publisher(ports)
    interval_s = ports.settings.sweep_interval
    loops: dict[str, Callable[[], Awaitable[None]]] = {
        "beat": lambda: _every(BEAT_EVERY.total_seconds(), lambda: beat(ports.queue, ports.worker_id)),
        "events": lambda: serve_events(redis, ports, sweeper),
        "evaluations": lambda: serve_evaluations(redis, ports),
        "publisher": publisher.run,
        "recovery": lambda: _every(RECOVER_EVERY_S, lambda: recover(ports)),
        "requeueing": lambda: _every(REQUEUE_EVERY_S, lambda: requeue_lost(ports)),
        "sweep": lambda: _in_turn(ports, "gonogo:sweep", interval_s, sweeper.everything),
        "redeliveries": lambda: _in_turn(ports, "gonogo:redeliveries", interval_s, redeliveries.ask),
        "production": lambda: _looking_at_production(ports, min(interval_s, GATES_EVERY_S)),
        "self-check": lambda: self_check(ports.github),
    }
    running = {name: asyncio.create_task(_kept_up(name, run), name=name) for name, run in loops.items()}
    log.info("worker begins", extra={"worker": ports.worker_id, "evaluations": ports.settings.workers})
    await told.wait()
    log.info("worker ends", extra={"worker": ports.worker_id})
    for name in running.keys() - {"publisher"}:
        running[name].cancel()
    await asyncio.gather(*(running[name] for name in running.keys() - {"publisher"}), return_exceptions=True)
    await publisher.stop()
    await asyncio.wait_for(leave(ports.queue, ports.worker_id), timeout=5)


async def _kept_up(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run it for ever: after a failure again, with longer and longer pauses."""
    pause_s = _FIRST_PAUSE_S
    while True:
        began = asyncio.get_running_loop().time()
        try:
            await run()
        except Exception:
            is_steady = asyncio.get_running_loop().time() - began > _LONGEST_PAUSE_S
            pause_s = _FIRST_PAUSE_S if is_steady else min(2 * pause_s, _LONGEST_PAUSE_S)
            log.exception("a loop broke and is begun again", extra={"loop": name, "in_s": pause_s})
            await asyncio.sleep(pause_s)
        else:
            return


async def _every(seconds: float, act: Callable[[], Awaitable[object]]) -> None:
    while True:
        await act()
        await asyncio.sleep(seconds)


async def _in_turn(ports: Ports, name: str, interval_s: float, act: Callable[[], Awaitable[object]]) -> None:
    """At once, and then every interval, by one of the workers each time."""
    is_our_turn: bool | None = True
    while True:
        if is_our_turn:
            await act()
        await asyncio.sleep(interval_s)
        is_our_turn = await ports.queue.set(name, ports.worker_id, px=timedelta(seconds=0.9 * interval_s), nx=True)


async def _looking_at_production(ports: Ports, interval_s: float) -> None:
    """Nothing to watch without production."""
    production = ports.settings.production
    if production not in (None, "none"):
        await _in_turn(ports, "gonogo:gates", interval_s, lambda: _look(ports, lambda: production_of(production)))


async def _look(ports: Ports, production: OpenProduction) -> None:
    await watch_gates(ports, production)
    await watch_merges(ports, production)
