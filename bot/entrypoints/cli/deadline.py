"""Ends a process that is past its deadline: a required check must never hang."""

import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

GRACE_S = 1.5
"""Seconds after a deadline in which what is nearly done may still end; then the process does. The spec allows 3 in all."""


def process_began_at() -> float:
    """When this process began, as a reading of `time.monotonic`; where the system does not tell, now.

    Linux keeps it in clock ticks after the boot, as the 22nd field of /proc/self/stat; a restart by exec does not change it.
    """
    try:
        ticks = int(Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        age = 0.0
    return monotonic() - (age if 0 <= age < _LONGEST_START_S else 0.0)


_LONGEST_START_S = 60.0
"""An age above it is not that of a command which has just begun (a container whose clocks disagree, a test in a long process)."""


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
