"""What survives: finished answers, on disk before anybody sees them, shared by runs and by processes.

The journal is a file that grows by whole lines (`record`), each written at once under a lock. Locks stand on its bytes, and the
kernel frees them when a run dies: byte 0 while somebody writes, byte 1 by all who have it open (`compact` keeps away from those),
and one byte for each key that is being asked.
"""

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from bencher.orchestration.file import FIRST_KEY, WRITING, lines_between, open_shared, sync_folders, write_all
from bencher.orchestration.locks import lock, try_lock, unlock
from bencher.orchestration.memory import Memory
from bencher.orchestration.record import BEGUN, ENDED, line_of

_log = logging.getLogger(__name__)


class Journal(Memory):
    """A file. Durability "process": a line survives every death of the process; "power": of the machine too."""

    def __init__(self, path: Path, *, durability: str) -> None:
        super().__init__()
        self._path, self._fd = path, open_shared(path)
        self._end = 0  # read and understood up to here
        self._owed = b""  # answers that were paid for when the disk was full
        self._is_power_safe, self._synced, self._syncing = durability == "power", -1, asyncio.Lock()
        self._disk = ThreadPoolExecutor(1, "journal")  # of its own: the loop's may be full of agents
        if self._is_power_safe:
            sync_folders(path)
        self.catch_up()
        _open.add(self)

    def claim(self, key: str) -> bool:
        """The same across processes, by a lock that dies with its holder."""
        if self._owed:
            self._append(b"")
        if not super().claim(key):
            return False
        if not try_lock(self._fd, _byte_of(key)):
            super().release(key)
            return False
        self.catch_up()  # who held the key before has written by now
        return True

    def release(self, key: str) -> None:
        """To be called when the answer is written."""
        super().release(key)
        unlock(self._fd, _byte_of(key))

    def catch_up(self) -> None:
        """Costs one look at the file's size when nobody wrote."""
        if self._size() != self._end:
            lock(self._fd, WRITING)  # so nobody is half way through a line below this end
            end = self._size()
            unlock(self._fd, WRITING)
            self._read_to(end)

    def write(self, key: str, place: str, payload: bytes) -> None:
        """The line is in the file, whole, when this returns."""
        line = line_of(key, place, payload)
        try:
            self._append(line)
            self.records.note(key, place, payload)
            self.records.lines += 1
        except OSError as error:
            if payload not in (BEGUN, ENDED):
                self._owed += line  # kept, and no other key is claimed until it is written
            error.add_note(f"{self._path} cannot be written; nothing more is paid until it can")
            raise

    async def sync(self) -> None:
        """Waits for the disk with "power", off the event loop; for nothing with "process"."""
        end = self._end
        while self._is_power_safe and self._synced < end:
            async with self._syncing:  # calls that wait together share one fdatasync
                if self._synced < end:
                    reached = self._end
                    await asyncio.get_running_loop().run_in_executor(self._disk, os.fdatasync, self._fd)
                    self._synced = reached

    def close(self) -> None:
        """Write what is owed, if it can be written by now."""
        try:
            if self._owed:
                self._append(b"")
        except OSError as error:
            _log.error("%s: an answer that was paid for could not be written: %s", self._path, error)
        finally:
            self._disk.shutdown()
            self.let_go()

    def let_go(self) -> None:
        """Close the file and nothing else; a straggler must not write into whatever gets this number next."""
        _open.discard(self)
        fd, self._fd = self._fd, -1
        if fd != -1:
            os.close(fd)

    def _append(self, line: bytes) -> None:
        """All of it or nothing, after what is owed."""
        lock(self._fd, WRITING)
        try:
            start = self._size()
            self._read_to(start)
            lines = self._owed + line
            try:
                write_all(self._fd, lines)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(self._fd, start)
                raise
        finally:
            unlock(self._fd, WRITING)
        self._end = start + len(lines)
        if self._owed:
            self.records.add_all(self._owed.split(b"\n"))
            self._owed = b""

    def _read_to(self, end: int) -> None:
        if end != self._end:
            known = self.records.damaged
            self.records.add_all(lines_between(self._fd, self._end, end))
            self._end = end
            if damaged := self.records.damaged - known:
                _log.warning("%s: %d damaged line(s) dropped; what they answered is asked again", self._path, damaged)

    def _size(self) -> int:
        return os.lseek(self._fd, 0, os.SEEK_END)


_open: WeakSet[Journal] = WeakSet()


def _let_go_of_all() -> None:
    for journal in list(_open):
        journal.let_go()


os.register_at_fork(after_in_child=_let_go_of_all)  # a worker that outlives the run would hold the run's locks


def _byte_of(key: str) -> int:
    return FIRST_KEY + int(key[:15], 16)
