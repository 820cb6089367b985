"""A Redis server of our own: on a Unix socket that nobody else may open, every write in an append-only file before it is answered.

The file is handed to the disk once a second: a process that is killed loses nothing, a machine that loses power at most that second
(of webhooks, which the sweep asks GitHub for again).
"""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import BusyLoadingError, RedisError

from bot.entrypoints.embedded.folder import private, socket_in
from gonogo.errors import CallError, StageFailed

log = logging.getLogger("gonogo.embedded")

KEEPING = ("--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-min-size", "512mb")
"""How it keeps what it was told. The file is written anew when it has doubled, and not while it is small: that takes a core for seconds."""

_READY_WITHIN_S = 120.0
"""A long append-only file takes a while to read."""
_ENDED_WITHIN_S = 20.0


class PrivateRedis:
    """The server and its files, in `folder`. One at a time: whoever makes it holds the data folder (`folder.owned`)."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("redis-server")
        if found is None:
            raise CallError(
                "gonogo serve --embedded needs the program redis-server and does not find it; install it (apt install redis-server,"
                " brew install redis), or set GONOGO_REDIS_URL to a server and leave --embedded out"
            )
        self._program = found
        self._folder = private(folder)
        self._socket = socket_in(folder)
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """For GONOGO_REDIS_URL."""
        return f"unix://{self._socket}"

    async def start(self) -> None:
        """Start it and wait until it answers. A server that an earlier process left behind is ended first: its file has all it held."""
        await self._end_the_one_left_behind()
        with contextlib.suppress(FileNotFoundError):
            self._socket.unlink()
        self._process = await asyncio.create_subprocess_exec(
            self._program,
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self._folder), *KEEPING, "--save", ""),
            *("--maxmemory-policy", "noeviction", "--daemonize", "no", "--logfile", "redis.log", "--loglevel", "warning"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us: it ends last
        )
        self._pid_file.write_text(f"{self._process.pid}\n", encoding="ascii")
        if not await self._answers_within(_READY_WITHIN_S):
            raise StageFailed("embedded redis", f"redis-server did not start; {self._folder / 'redis.log'} says why")

    async def keep(self) -> None:
        """Start it again whenever it ends, for ever."""
        while True:
            assert self._process is not None
            status = await self._process.wait()
            log.error("redis ended, starting it again", extra={"status": status})
            await asyncio.sleep(0.2)
            await self.start()

    async def stop(self) -> None:
        """End it, with everything written."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), _ENDED_WITHIN_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self._pid_file.unlink(missing_ok=True)

    @property
    def _pid_file(self) -> Path:
        return self._folder / "redis.pid"

    async def _end_the_one_left_behind(self) -> None:
        """By its recorded number, once it is known to be a redis-server on our socket: a number may have passed to another process."""
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return
        if not await self._is_ours(pid):
            return
        log.warning("ending a redis-server that an earlier process left behind", extra={"pid": pid})
        os.kill(pid, signal.SIGTERM)
        for attempt in range(int(_ENDED_WITHIN_S / 0.05)):
            if not _is_running(pid):
                return
            if attempt * 0.05 > _ENDED_WITHIN_S / 2:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.05)

    async def _is_ours(self, pid: int) -> bool:
        """Whether that process says `redis-server … OUR SOCKET` of itself (Redis writes its socket into its command line)."""
        asked = await asyncio.create_subprocess_exec(
            *("ps", "-o", "command=", "-ww", "-p", str(pid)), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        told, _ = await asked.communicate()
        command = told.decode(errors="replace")
        return "redis-server" in command and str(self._socket) in command

    async def _answers_within(self, seconds: float) -> bool:
        redis = Redis(unix_socket_path=str(self._socket))
        try:
            async with asyncio.timeout(seconds):
                while self._process is not None and self._process.returncode is None:
                    try:
                        await redis.ping()  # pyright: ignore[reportUnknownMemberType]  its keywords have no types
                    except BusyLoadingError:
                        await asyncio.sleep(0.2)
                    except (RedisError, OSError):
                        await asyncio.sleep(0.02)
                    else:
                        return True
        except TimeoutError:
            pass
        finally:
            await redis.aclose()
        return False


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
