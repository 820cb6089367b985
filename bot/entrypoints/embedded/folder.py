"""The folders of an embedded server: ours alone, and one server at a time in each."""

import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gonogo.errors import CallError

_LONGEST_SOCKET_PATH = 100
"""Bytes that the path of a Unix socket may have (104 on macOS, 108 on Linux), less a few."""


@contextmanager
def owned(data_dir: Path) -> Generator[None]:
    """Hold the data folder; a CallError while another embedded server does. Ends with this process, however that ends."""
    lock = private(data_dir) / "embedded.lock"
    try:
        held = lock.open("a+", encoding="ascii")
    except OSError as error:
        raise CallError(f"{lock} cannot be written ({error.strerror}); set GONOGO_DATA_DIR to a folder of yours") from error
    with held as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            pid = file.read().strip() or "unknown"
            raise CallError(
                f"gonogo serve --embedded runs already on {data_dir} (process {pid}); stop it first, or set GONOGO_DATA_DIR to another folder"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def private(folder: Path) -> Path:
    """The folder, made when it is not there, readable and writable by nobody else; a CallError when it is another's."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        there = folder.lstat()
        if stat.S_ISDIR(there.st_mode) and there.st_uid == os.getuid() and there.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise CallError(f"{folder} cannot be made ({error.strerror}); set GONOGO_DATA_DIR to a folder of yours") from error
    if not stat.S_ISDIR(there.st_mode) or there.st_uid != os.getuid():
        raise CallError(f"{folder} is not a folder of this user; set GONOGO_DATA_DIR to one that is")
    return folder


def socket_in(folder: Path) -> Path:
    """Where the socket of what lives in this folder lies: in it, or, where its path is too long, in a private folder with a short one."""
    inside = folder / "redis.sock"
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET_PATH:
        return inside
    named = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return private(Path(tempfile.gettempdir()) / f"gonogo-{os.getuid()}-{named}") / "redis.sock"
