"""The disk under the copies: one lock for each, and what a killed git leaves behind."""

import asyncio
import fcntl
import os
import secrets
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from gonogo.errors import ForgeUnavailable


@asynccontextmanager
async def locked(file: Path, *, timeout_s: float) -> AsyncGenerator[int]:
    """Alone on this host with what the file stands for. Ends with its holder, and with a git that was given the descriptor."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            async with asyncio.timeout(timeout_s):
                while not _try_lock(descriptor):  # noqa: ASYNC110  no event tells of another process
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise ForgeUnavailable(f"{file.stem} has been in use for more than {timeout_s:g} s") from error
        yield descriptor
    finally:
        os.close(descriptor)


def remove(folder: Path) -> None:
    """Out of the way at once, then off the disk."""
    if not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    gone = folder.with_name(f".gone-{folder.name}-{secrets.token_hex(4)}")
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def tidy_after_a_kill(folder: Path) -> None:
    """We are alone here: what looks locked or half-written was left by a git that was killed."""
    for pattern in ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*", "objects/pack/*.lock", "objects/info/*.lock"):
        for left in folder.glob(pattern):
            left.unlink(missing_ok=True)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
