"""What can go wrong at GitHub, for requests that match a pattern, a number of times.

faults.add("POST /repos/*/issues/*/comments", bad_gateway(after_commit=True), times=1)
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.github.record import matches


@dataclass(frozen=True)
class Answer:
    """Answer this. `after_commit`: the request takes effect first."""

    name: str
    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    after_commit: bool = False

    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()

    @property
    def content_type(self) -> str:
        return "text/html" if isinstance(self.body, str) else "application/json; charset=utf-8"


@dataclass(frozen=True)
class Wait:
    """Answer as always, `seconds` later."""

    seconds: float
    name: str = "slow"


@dataclass(frozen=True)
class Hang:
    """Never answer; the connection stays open until the fault is cleared."""

    name: str = "hang"


@dataclass(frozen=True)
class Cut:
    """Close the connection without an answer. `after_commit`: the request takes effect first."""

    after_commit: bool = False
    name: str = "cut"


Fault = Answer | Wait | Hang | Cut


def bad_gateway(*, after_commit: bool, status: int = 502) -> Answer:
    return Answer(
        f"{status} {'after' if after_commit else 'before'} commit",
        status,
        "<html><h1>502 Bad Gateway</h1></html>",
        after_commit=after_commit,
    )


def secondary_limit(*, status: int = 403, retry_after: int | None = None, remaining: int = 4321, as_text: bool = False) -> Answer:
    """The three documented forms: with Retry-After, without it, and one whose body is not JSON."""
    said = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    headers = {"x-ratelimit-remaining": str(remaining)} | ({} if retry_after is None else {"retry-after": str(retry_after)})
    body = (
        said
        if as_text
        else {"message": said, "documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}
    )
    return Answer("secondary limit", status, body, headers)


def primary_limit(*, status: int = 403, resets_in: float = 60) -> Answer:
    headers = {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-used": "5000",
        "x-ratelimit-reset": str(int(time.time() + resets_in) + 1),
    }
    return Answer(
        "primary limit",
        status,
        {"message": "API rate limit exceeded for installation ID 1.", "documentation_url": "https://docs.github.com/rest"},
        headers,
    )


def not_found() -> Answer:
    return Answer("404", 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"})


def bad_credentials() -> Answer:
    return Answer(
        "401", 401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}
    )


def permission_missing(grant: str = "checks=write") -> Answer:
    body = {
        "message": "Resource not accessible by integration",
        "documentation_url": "https://docs.github.com/rest",
        "status": "403",
    }
    return Answer("permission missing", 403, body, {"X-Accepted-GitHub-Permissions": grant})


def server_error(status: int = 500) -> Answer:
    return Answer(str(status), status, {"message": "Server Error"})


def slow(seconds: float) -> Wait:
    return Wait(seconds)


def hang() -> Hang:
    return Hang()


def cut(*, after_commit: bool = False) -> Cut:
    return Cut(after_commit)


@dataclass
class Planned:
    """A fault that waits for its requests. `skip` of them pass first."""

    pattern: str
    fault: Fault
    left: int
    skip: int
    when: Callable[[Any], bool] | None
    is_cleared: bool = False
    hits: int = 0


class Faults:
    """The faults that are planned, the oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: list[Planned] = []
        self.contents_per_minute: int | None = None
        """GitHub's own limit is 80: writes beyond it meet the secondary limit, without Retry-After. None: no limit."""

    def add(
        self, pattern: str, fault: Fault, *, times: int = 1, skip: int = 0, when: Callable[[Any], bool] | None = None
    ) -> Planned:
        """Let `skip` matching requests pass, then do it `times` times. `when` looks at the request's body."""
        planned = Planned(pattern, fault, times, skip, when)
        with self._lock:
            self._planned.append(planned)
        return planned

    def clear(self) -> None:
        """End them all; what hangs is let go with a closed connection."""
        with self._lock:
            for planned in self._planned:
                planned.is_cleared = True
            self._planned.clear()

    def take(self, method: str, path: str, body: Any) -> Planned | None:
        with self._lock:
            for planned in self._planned:
                if not matches(planned.pattern, method, path) or (planned.when is not None and not planned.when(body)):
                    continue
                if planned.skip:
                    planned.skip -= 1
                    continue
                if planned.left:
                    planned.left -= 1
                    planned.hits += 1
                    return planned
        return None
