"""The worker of an embedded server: `gonogo worker` in a child process, started again whenever it ends."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping

log = logging.getLogger("gonogo.embedded")

_CHILD = "from bot.entrypoints.embedded.worker import end_with_parent; end_with_parent(); from gonogo.launch import main; main()"
_ENDED_WITHIN_S = 15.0
_STEADY_AFTER_S = 30.0
_LONGEST_PAUSE_S = 30.0


class ChildWorker:
    """One worker process. It ends with us, however we end: it reads a pipe that closes when we do."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = {**os.environ, **environment}
        self._process: asyncio.subprocess.Process | None = None

    async def keep(self) -> None:
        """Run it for ever; one that ends at once is given longer and longer pauses."""
        pause_s = 0.5
        while True:
            started = time.monotonic()
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-c", _CHILD, "worker"),
                stdin=asyncio.subprocess.PIPE,
                env=self._environment,
                start_new_session=True,  # Ctrl-C is for us, and we tell it
            )
            status = await self._process.wait()
            pause_s = 0.5 if time.monotonic() - started > _STEADY_AFTER_S else min(pause_s * 2, _LONGEST_PAUSE_S)
            log.error("worker ended, starting it again", extra={"status": status, "in_s": pause_s})
            await asyncio.sleep(pause_s)

    async def stop(self) -> None:
        """Ask it to end, and wait."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _ENDED_WITHIN_S)
        except TimeoutError:
            process.kill()
            await process.wait()


def end_with_parent() -> None:
    """In the child: ask this process to end when the parent is gone, and end it when it does not."""
    threading.Thread(target=_watch, args=(sys.stdin.fileno(),), name="parent", daemon=True).start()


def _watch(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_ENDED_WITHIN_S)
    os._exit(3)
