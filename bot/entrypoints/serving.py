"""Runs the web process until it is told to end; embedded, with a Redis server and a worker of its own."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Coroutine, Generator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from bot.entrypoints.embedded.folder import owned
from bot.entrypoints.embedded.redis import PrivateRedis
from bot.entrypoints.embedded.worker import ChildWorker
from bot.entrypoints.logs import configure_logs
from bot.entrypoints.opening import opened_database
from bot.entrypoints.web.app import web_app
from bot.entrypoints.web.deliveries import open_redis
from bot.server_settings import ServerSettings, load_server_settings
from gonogo import __version__
from gonogo.errors import CallError

log = logging.getLogger("gonogo.web")

_LAST_ANSWERS_WITHIN_S = 10
_KEPT_OPEN_S = 75
"""Longer than proxies keep an idle connection, so that they close it and never write into one that we just closed."""


def serve(*, is_embedded: bool, host: str | None = None, port: int | None = None) -> int:
    """Serve until SIGTERM or Ctrl-C; 0. What the call names goes before the settings."""
    for name, value in (("GONOGO_HOST", host), ("GONOGO_PORT", port)):
        if value is not None:
            os.environ[name] = str(value)
    settings = load_server_settings(is_embedded=is_embedded)
    configure_logs()
    with ExitStack() as held:
        if is_embedded:
            held.enter_context(owned(settings.data_dir))
        listening = held.enter_context(_listening(settings))
        asyncio.run(_run(settings, listening, is_embedded=is_embedded))
    return 0


async def _run(settings: ServerSettings, listening: socket.socket, *, is_embedded: bool) -> None:
    async with AsyncExitStack() as running:
        redis_url = settings.redis_url.get_secret_value() if settings.redis_url else ""
        server_of_its_own: PrivateRedis | None = None
        if is_embedded:
            server_of_its_own = PrivateRedis(settings.data_dir / "redis")
            running.push_async_callback(server_of_its_own.stop)
            await server_of_its_own.start()
            os.environ["GONOGO_REDIS_URL"] = redis_url = server_of_its_own.url
        engine = await asyncio.to_thread(opened_database, settings)
        running.callback(engine.dispose)
        web = _Server(web_app(settings, engine=engine, redis=open_redis(redis_url)))
        with _ending(web):
            if server_of_its_own is not None:
                worker = ChildWorker({"GONOGO_REDIS_URL": redis_url, "GONOGO_DATA_DIR": str(settings.data_dir)})
                running.push_async_callback(worker.stop)
                await running.enter_async_context(_meanwhile(web, server_of_its_own.keep(), worker.keep()))
            gc.collect()
            gc.freeze()  # what was loaded stays: a search for garbage in all of it would hold answers up for 100 ms
            _say_where(listening)
            await web.serve(sockets=[listening])
            log.info("ending")


class _Server(uvicorn.Server):
    """Uvicorn without its handling of signals: it would end the process by the signal, with our children still running."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # nothing here looks at the address or the scheme of a request
                timeout_keep_alive=_KEPT_OPEN_S,
                timeout_graceful_shutdown=_LAST_ANSWERS_WITHIN_S,
            )
        )

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave them to `_ending`."""
        yield


@contextmanager
def _ending(web: uvicorn.Server) -> Generator[None]:
    """SIGTERM and Ctrl-C let the requests in flight be answered; a second one does not."""

    def end() -> None:
        web.force_exit = web.should_exit
        web.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


@asynccontextmanager
async def _meanwhile(web: uvicorn.Server, *kept: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run what keeps the children alive; when one of them can't, the web process ends too and the error is ours."""
    tasks = [asyncio.create_task(one) for one in kept]

    def failed(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            web.should_exit = True

    for task in tasks:
        task.add_done_callback(failed)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task


@contextmanager
def _listening(settings: ServerSettings) -> Generator[socket.socket]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        settings.host.encode("idna")  # create_server would leave its socket open on a name that cannot be a host's
        listening = socket.create_server((settings.host, settings.port), family=family, backlog=4096)
    except (OSError, UnicodeError) as error:
        why = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise CallError(f"cannot listen on {settings.host}:{settings.port} ({why}); set GONOGO_HOST and GONOGO_PORT") from error
    # An answer is two writes. asyncio turns Nagle off only for sockets that were made as "tcp"; this one and what it accepts were
    # not, and the second write would wait 40 ms for the other side's delayed acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listening:
        yield listening


def _say_where(listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"gonogo {__version__} listens at http://{shown}:{port}\n")
    sys.stderr.flush()
