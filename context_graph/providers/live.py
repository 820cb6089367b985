"""Production as it is now: the stored graph for what runs and how it hangs together, telemetry sources for how it does."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Protocol

from context_graph.providers.parallel import IN_PARALLEL, Running
from context_graph.telemetry import Answer, Call, Fact, TelemetrySource, grid
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.ports import Graph
from gonogo.resource import Resource
from gonogo.word import Instant, ResourceId

OLD_AFTER = timedelta(hours=24)
"""Configuration that was read longer ago is named as old in the report."""

WITHIN_S = 45.0
"""All calls of one question together; the evaluation's own deadline is 150 s."""


class Scoped(Protocol):
    """How a scope of the sync answers."""

    @property
    def scope(self) -> object:
        """Its name."""
        ...

    @property
    def status(self) -> str:
        """`ok`, or what kept it from answering in full."""
        ...

    @property
    def why(self) -> str:
        """What it could not read."""
        ...


class Seen(Protocol):
    """When a resource was listed last, and by which scope."""

    @property
    def last_seen(self) -> Instant:
        """When it was listed last."""
        ...

    @property
    def scope(self) -> Scoped:
        """By whom."""
        ...


class Inventory(Graph, Protocol):
    """The stored graph, with the configuration of its resources and the age of both."""

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """These resources with the configuration that was read last."""
        ...

    def sightings(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, Seen]:
        """Where and when each was seen last."""
        ...


class LiveProvider:
    """Implements gonogo.ports.Provider.

    The first question for configuration starts the calls of all questions about the same resources, so that an evaluation
    waits as long as its slowest source and not for one after the other. A question that is asked again is read again.
    """

    def __init__(
        self,
        inventory: Inventory,
        sources: Sequence[TelemetrySource],
        *,
        clock: Callable[[], datetime],
        held_tables: Callable[[], tuple[Mapping[ResourceId, Collection[str]], Sequence[Gap]]] | None = None,
        within_s: float = WITHIN_S,
        in_parallel: int = IN_PARALLEL,
    ) -> None:
        self.name = "live"
        self._inventory, self._sources, self._held_tables = inventory, tuple(sources), held_tables
        self._within_s, self._in_parallel = within_s, in_parallel
        self._now = clock()
        self._gaps: dict[Gap, None] = {}
        self._started: dict[tuple[Fact, frozenset[str]], Running] = {}
        self._is_begun = False
        self._one_at_a_time = Lock()

    def now(self) -> Instant | None:
        """When this provider was made: one instant for a whole evaluation."""
        return self._now

    def gaps(self) -> Sequence[Gap]:
        """What could not be read so far."""
        return list(self._gaps)

    def graph(self) -> Graph:
        """The stored graph."""
        return self._inventory

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """Configuration as the last sync read it; old or partly read configuration is a gap."""
        self._begin(ids)
        found = self._inventory.resources(ids)
        for at, seen in sorted(self._inventory.sightings(ids).items()):
            age = self._now - seen.last_seen
            if age > OLD_AFTER:
                why = f"its configuration was read {_span(age)} ago; run: gonogo graph sync"
                self._note(Gap(stage="context", what=at, why=why))
            if seen.scope.status != "ok":
                why = f"the last sync of {seen.scope.scope} ended {seen.scope.status} ({seen.scope.why})".replace(" ()", "")
                self._note(Gap(stage="context", what=at, why=why))
        return found

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """Series on one grid of five minutes over the last week."""
        return self._ask(Fact.SERIES, ids)

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """A sample of log lines, oldest first."""
        return sorted(self._ask(Fact.LOGS, ids), key=lambda line: line.timestamp)

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """Statistics of the database servers that a role was given for."""
        return self._ask(Fact.DATABASES, ids)

    def tables(self) -> Mapping[ResourceId, Collection[str]]:
        """Tables of every database that a role was given for."""
        if self._held_tables is None:
            return {}
        held, gaps = self._held_tables()
        for gap in gaps:
            self._note(gap)
        return held

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """Recent deploys, oldest first."""
        return sorted(self._ask(Fact.DEPLOYS, ids), key=lambda d: d.timestamp)

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """Alarms on these resources and their states."""
        return self._ask(Fact.ALARMS, ids)

    def _begin(self, ids: Collection[ResourceId]) -> None:
        """Start everything about the first resources that are asked for; later questions are second readings of a few."""
        asked = frozenset[str](ids)
        with self._one_at_a_time:
            if self._is_begun or not asked:
                return
            self._is_begun = True
            for fact in Fact:
                self._started[fact, asked] = self._start(fact, ids)

    def _start(self, fact: Fact, ids: Collection[ResourceId]) -> Running:
        resources = sorted(self._inventory.resources(ids), key=lambda r: r.id)
        window = grid(self._now)
        calls: list[Call] = []
        for source in self._sources:
            try:
                calls += source.calls(fact, resources, window)
            except Exception as error:  # noqa: BLE001  whatever a source does, it is a gap
                self._note(Gap(stage="context", what=f"{type(source).__name__}: {fact.value}", why=f"{error}"))
        return Running(calls, within_s=self._within_s, in_parallel=self._in_parallel)

    def _ask(self, fact: Fact, ids: Collection[ResourceId]) -> list[Any]:
        asked = frozenset[str](ids)
        with self._one_at_a_time:
            running = self._started.pop((fact, asked), None)
        answers: Sequence[Answer] = (running or self._start(fact, ids)).answers()
        for answer in answers:
            for gap in answer.gaps:
                self._note(gap)
        return [one for answer in answers for one in answer.facts if one.resource in asked]

    def _note(self, gap: Gap) -> None:
        self._gaps.setdefault(gap)


def _span(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.0f} hours"
