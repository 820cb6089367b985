"""Looking at a journal that no run has open, and making it small again."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bencher.orchestration.file import OPEN, WRITING, aside_of, lines_between, stands_at, sync_folders
from bencher.orchestration.locks import lock_shared, try_lock, unlock
from bencher.orchestration.record import Records, line_of


class JournalInUse(RuntimeError):
    """A run has the journal open, so it cannot be replaced by a smaller one."""


class NoJournal(ValueError):
    """The file has content, and none of it is a line of a journal."""


@dataclass(frozen=True)
class Stats:
    """What a journal holds."""

    answers: int
    lines: int
    damaged: int
    unanswered: int
    """Questions in flight: of a run that is alive, or that died over them."""
    total_bytes: int


def read_journal(path: Path) -> Records:
    """All lines of a journal; the file is left as it is."""
    with _opened(path) as fd:
        return _records(fd)


def stats(path: Path) -> Stats:
    """Counts of a journal."""
    with _opened(path) as fd:
        return _stats(_records(fd), fd)


def compact(path: Path) -> tuple[Stats, Stats]:
    """Keep the last answer of each key and nothing else; what it was before and after. JournalInUse while a run has it open.

    The new file takes the old one's place in one step: killed at any moment, one of the two stands there whole.
    """
    path = path.resolve()
    while True:
        with _opened(path, os.O_RDWR) as fd:
            if not try_lock(fd, OPEN):
                raise JournalInUse(f"{path} is open in a run; compact it when the run has ended")
            if stands_at(path, fd):  # else compacted meanwhile: another file stands there now
                before = _replaced(path, fd)
                return before, stats(path)


def _replaced(path: Path, fd: int) -> Stats:
    records, aside = _records(fd), aside_of(path)
    if records.lines and records.lines == records.damaged:
        raise NoJournal("no line of it is one of a journal; the file is left as it is")
    places = {key: place for place, key in records.places.items()}
    before = _stats(records, fd)
    try:
        with aside.open("wb") as file:
            os.fchmod(file.fileno(), os.fstat(fd).st_mode & 0o777)
            for key, payload in records.answers.items():
                file.write(line_of(key, places.get(key, "-" * 16), payload))
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_folders(path)
    return before


@contextmanager
def _opened(path: Path, flags: int = os.O_RDONLY) -> Generator[int]:
    fd = os.open(path, flags)
    try:
        yield fd
    finally:
        os.close(fd)


def _stats(records: Records, fd: int) -> Stats:
    return Stats(len(records.answers), records.lines, records.damaged, len(records.in_flight), os.fstat(fd).st_size)


def _records(fd: int) -> Records:
    records = Records()
    lock_shared(fd, WRITING)  # so nobody is half way through a line below this end
    end = os.fstat(fd).st_size
    unlock(fd, WRITING)
    records.add_all(lines_between(fd, 0, end))
    return records
