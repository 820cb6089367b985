"""Locks on single bytes of a file, between processes and between runs of one process; the kernel frees them at death.

Open file description locks (Linux, `fcntl(2)`): they belong to one `open()`, so two runs of one process exclude each
other too, and closing another handle of the file frees nothing. The bytes need not exist.
"""

import fcntl
import os
import struct
from functools import lru_cache


def lock(fd: int, byte: int) -> None:
    """Wait until nobody holds the byte, and hold it alone."""
    fcntl.fcntl(fd, fcntl.F_OFD_SETLKW, _flock(fcntl.F_WRLCK, byte))


def try_lock(fd: int, byte: int) -> bool:
    """Hold the byte alone, unless somebody else holds it."""
    try:
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _flock(fcntl.F_WRLCK, byte))
    except (BlockingIOError, PermissionError):
        return False
    return True


def lock_shared(fd: int, byte: int) -> None:
    """Wait until nobody holds the byte alone, and hold it beside others."""
    fcntl.fcntl(fd, fcntl.F_OFD_SETLKW, _flock(fcntl.F_RDLCK, byte))


def unlock(fd: int, byte: int) -> None:
    """Give the byte back."""
    fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _flock(fcntl.F_UNLCK, byte))


@lru_cache(maxsize=256)
def _flock(kind: int, byte: int) -> bytes:
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, 1, 0)  # struct flock on 64-bit Linux
