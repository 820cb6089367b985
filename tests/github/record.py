"""What was asked of the loopback GitHub, in order, and what of it was against GitHub's description."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Any


@dataclass
class Call:
    """One request. `path` has no prefix and no query; `at` is `time.monotonic()`; `status` is None until, or unless, it was answered.

    `took_effect` False: a fault answered in its place and nothing was changed.
    """

    number: int
    method: str
    path: str
    query: str
    body: Any
    headers: dict[str, str]
    at: float = field(default_factory=time.monotonic)
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    status: int | None = None
    fault: str | None = None
    took_effect: bool = True
    ended_at: float | None = None

    def __str__(self) -> str:
        return f"{self.number:4} {self.method} {self.path}{'?' if self.query else ''}{self.query} -> {self.status or '-'} {self.fault or ''}"


@dataclass(frozen=True)
class Violation:
    """A request that GitHub's own description does not allow."""

    method: str
    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}: {self.reason}"


class Record:
    """The calls and the violations so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.calls: list[Call] = []
        self.violations: list[Violation] = []
        self.crashes: list[str] = []
        """Mistakes of the loopback GitHub itself: tracebacks."""

    def open(self, method: str, path: str, query: str, body: Any, headers: dict[str, str]) -> Call:
        with self._lock:
            call = Call(len(self.calls) + 1, method, path, query, body, headers)
            self.calls.append(call)
        return call

    def of(self, pattern: str, *, status: int | None = None) -> list[Call]:
        """Calls that match `"METHOD path"`; `*` stands for anything: `"POST /repos/*/check-runs"`."""
        return [c for c in self.calls if matches(pattern, c.method, c.path) and (status is None or c.status == status)]

    def contents_within(self, seconds: float) -> int:
        """How many writes to repositories began in the last seconds: what GitHub's limit on content counts."""
        since = time.monotonic() - seconds
        return sum(c.at >= since and c.took_effect for c in self.writes())

    def writes(self) -> Iterator[Call]:
        """Writes to repositories that took effect or met a fault: checks, comments, reactions, statuses."""
        for call in self.calls:
            is_write = call.method in {"POST", "PATCH", "PUT", "DELETE"} and call.path.startswith("/repos/")
            is_good = (call.took_effect and (call.status or 0) < 400) or call.fault is not None
            if is_write and is_good:
                yield call


def matches(pattern: str, method: str, path: str) -> bool:
    wanted_method, _, wanted = pattern.partition(" ")
    return wanted_method in {"*", method} and fnmatchcase(path, wanted)
