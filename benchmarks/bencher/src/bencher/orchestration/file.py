"""The journal's file: opened by many, read by lines, written whole."""

import os
from collections.abc import Iterator
from contextlib import suppress
from errno import ENOENT
from pathlib import Path

from bencher.orchestration.locks import lock_shared

WRITING, OPEN, FIRST_KEY = 0, 1, 2
"""The bytes that are locked: by whoever writes, by all who have the file open, and from there on one for each key."""
_BLOCK = 1 << 20


def open_shared(path: Path) -> int:
    """Open the file, made if need be, and hold the byte that keeps `compact` away."""
    if path.is_symlink() and not path.resolve().parent.is_dir():
        raise FileNotFoundError(ENOENT, f"the journal is a link to {path.resolve()}, whose folder is not there", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        lock_shared(fd, OPEN)
        if stands_at(path, fd):
            with suppress(OSError):
                aside_of(path.resolve()).unlink(
                    missing_ok=True
                )  # of a `compact` that died: none is at work while we hold this byte
            return fd
        os.close(fd)  # compacted meanwhile: another file stands there now


def stands_at(path: Path, fd: int) -> bool:
    """Whether the path still leads to the file that is open."""
    return path.exists() and os.path.samestat(os.fstat(fd), path.stat())


def aside_of(path: Path) -> Path:
    """Where `compact` writes the smaller file before it takes the journal's place."""
    return path.with_name(f"{path.name}.compact")


def sync_folders(path: Path) -> None:
    """Make the file's name survive a loss of power, where the system lets us."""
    for folder in path.resolve().parents:
        with suppress(OSError):
            fd = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)


def lines_between(fd: int, start: int, end: int) -> Iterator[bytes]:
    """What stands between line feeds from `start` to `end`; answers may hold other line separators."""
    rest = b""
    while start < end and (block := os.pread(fd, min(_BLOCK, end - start), start)):
        start += len(block)
        *whole, rest = (rest + block).split(b"\n")
        yield from whole
    yield rest


def write_all(fd: int, lines: bytes) -> None:
    """Go on after a short write, as when the disk fills up."""
    written = os.write(fd, lines)
    while written < len(lines):
        written += os.write(fd, lines[written:])
