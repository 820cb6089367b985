"""Ends a process that is past its deadline: a required check must never hang."""

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic


@contextmanager
def deadline(seconds: float, when_over: Callable[[], None], *, since: float) -> Generator[None]:
    """Run the block; when it is not done in time, call `when_over` from another thread and exit with status 3.

    The seconds count from `since`, a reading of `time.monotonic`: when the command was called.
    """
    done = threading.Event()

    def watch() -> None:
        if not done.wait(max(0.0, since + seconds - monotonic())):
            try:
                when_over()
                sys.stdout.flush()
            finally:
                os._exit(3)

    threading.Thread(target=watch, name="deadline", daemon=True).start()
    try:
        yield
    finally:
        done.set()
