"""What the tools of one conversation work on: the case, more of production where it is asked for, and the drafts of claims."""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from bot.investigator.case import Case
from bot.investigator.drafts import Drafts
from gonogo.change import Side
from gonogo.context import Database, LogLine, Series
from gonogo.forecast import Forecast
from gonogo.record import Record
from gonogo.resource import Edge, Resource
from gonogo.shadow import Replay
from gonogo.word import ResourceId

_CLOSING_S = 1.0
"""How long a reading may still take when the evaluation goes on without it."""


class SourceFailed(Exception):
    """A source of production facts did not answer; the model is told so."""


class Desk(Record, frozen=False):
    """Read-only but for the drafts. What lies outside of the gathered facts is asked of the provider, once."""

    case: Case
    drafts: Drafts
    sources: "Sources | None" = None

    def __post_init__(self) -> None:
        self.sources = self.sources or Sources(self.case)

    @property
    def facts(self) -> "Sources":
        """Files and production facts."""
        assert self.sources is not None
        return self.sources


class Sources:
    """Facts for all conversations of an evaluation. Reading is one at a time: the process that reads git answers in turn."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], object] = {}
        self._is_closed = False

    def close(self) -> None:
        """Nothing is read from here on: threads that time has passed by must not read git beside those that go on."""
        is_free = self._lock.acquire(timeout=_CLOSING_S)
        self._is_closed = True
        if is_free:
            self._lock.release()

    @contextmanager
    def _alone(self) -> Generator[None]:
        with self._lock:
            if self._is_closed:
                raise SourceFailed("the evaluation is over")
            yield

    @property
    def source(self) -> str:
        """The name of production's source."""
        return self._case.production.source

    def text(self, side: Side, path: str) -> str | None:
        """A file of one side."""
        with self._alone():
            return self._case.diff.trees[side].text(path)

    def paths(self, side: Side) -> Sequence[str]:
        """Every path of one side."""
        with self._alone():
            return self._case.diff.trees[side].paths()

    def history(self, path: str) -> Sequence[str] | None:
        """Commits that changed a file, newest first, a line each; None where no history can be read."""
        if self._case.history is None:
            return None
        with self._alone():
            return self._case.history(path)

    def resource(self, resource: str) -> Resource | None:
        """A resource with its configuration."""
        found = self._case.production.resource(resource)
        if found is not None or self._case.provider is None:
            return found
        provider = self._case.provider
        return next(iter(self._once("configuration", resource, lambda: list(provider.resources([ResourceId(resource)])))), None)

    def series(self, resource: str) -> Sequence[Series]:
        """Its metrics."""
        found = self._case.production.series_of(resource)
        if found or self._case.provider is None:
            return found
        provider = self._case.provider
        return self._once("metrics", resource, lambda: list(provider.series([ResourceId(resource)])))

    def logs(self, resource: str) -> Sequence[LogLine]:
        """Its sampled log lines."""
        found = [line for line in self._case.production.logs if line.resource == resource]
        if found or self._case.provider is None:
            return found
        provider = self._case.provider
        return self._once("logs", resource, lambda: list(provider.logs([ResourceId(resource)])))

    def database(self, resource: str) -> Database | None:
        """Its statistics, of a database server."""
        found = self._case.production.database(resource)
        if found is not None or self._case.provider is None:
            return found
        provider = self._case.provider
        read = self._once("database statistics", resource, lambda: list(provider.databases([ResourceId(resource)])))
        return next(iter(read), None)

    def edges(self, resource: str) -> Sequence[Edge]:
        """Edges that leave it or arrive at it."""
        if self._case.provider is None:
            return [e for e in self._case.production.edges if resource in (e.source, e.target)]
        graph, at = self._case.provider.graph, [ResourceId(resource)]
        return self._once("graph", resource, lambda: [*graph().edges_from(at), *graph().edges_to(at)])

    def forecast(self, resource: str, metric: str) -> Forecast | None:
        """The recorded forecast of a series for the coming day."""
        with self._alone():
            return self._case.foresight.of(resource, metric) if self._case.foresight is not None else None

    def replay(self, statements: Sequence[str]) -> Replay | None:
        """What statements do on a throw-away database; None where none can be had. Raises ShadowUnavailable."""
        return self._case.shadow.replay(statements) if self._case.shadow is not None else None

    def knows(self, resource: str) -> bool:
        """Whether the change or production has such a resource."""
        if self._case.is_affected(resource) or resource == self._case.repository:
            return True
        try:
            return self.resource(resource) is not None or bool(self.edges(resource))
        except SourceFailed:
            return False

    def _once[T](self, kind: str, resource: str, read: Callable[[], list[T]]) -> list[T]:
        with self._alone():
            if (kind, resource) not in self._kept:
                try:
                    self._kept[kind, resource] = read()
                except Exception as error:
                    raise SourceFailed(f"{self.source}: {kind} of {resource}: {type(error).__name__}: {error}") from error
            return self._kept[kind, resource]  # pyright: ignore[reportReturnType]  kept under its own kind
