"""Stands between any provider and an evaluation, and remembers every answer, so that the evaluation can be repeated exactly."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from context_graph.redaction import redacted
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.ports import Graph, Provider
from gonogo.resource import Edge, Resource
from gonogo.word import Instant, ResourceId

QUESTIONS: tuple[str, ...] = ("resources", "series", "logs", "databases", "deploys", "alarms")
"""Questions of gonogo.ports.Provider that name resources."""


@dataclass(frozen=True)
class Failure:
    """A question that raised: which, the how manyth time it was asked (from 0), and what was raised."""

    question: str
    call: int
    type: str
    message: str


@dataclass
class Recorded:
    """Everything that was answered, in the order of the answers. A resource that was asked about twice has two readings."""

    source: str
    now: Instant | None = None
    gaps: dict[Gap, None] = field(default_factory=dict[Gap, None])
    readings: dict[str, dict[ResourceId, list[tuple[tuple[int, Any], ...]]]] = field(
        default_factory=lambda: {q: {} for q in QUESTIONS}
    )
    """Question → resource → its readings; each a row of `(place in the answers, fact)`."""
    failures: list[Failure] = field(default_factory=list[Failure])
    held_tables: dict[ResourceId, list[str]] = field(default_factory=dict[ResourceId, list[str]])
    edges: dict[Edge, None] = field(default_factory=dict[Edge, None])
    kinds: dict[ResourceId, tuple[str, str]] = field(default_factory=dict[ResourceId, tuple[str, str]])
    in_degrees: dict[ResourceId, int] = field(default_factory=dict[ResourceId, int])
    repositories: list[ResourceId] = field(default_factory=list[ResourceId])

    def rounds(self) -> int:
        """The most readings that a resource has."""
        return max((len(r) for of in self.readings.values() for r in of.values()), default=0)

    def facts(self, question: str, reading: int) -> list[Any]:
        """The facts of that reading, in the order of the answers; of a later one only what differs from the one before."""
        rows = [
            row
            for readings in self.readings[question].values()
            if len(readings) > reading and (reading == 0 or _plain(readings[reading]) != _plain(readings[reading - 1]))
            for row in readings[reading]
        ]
        return [fact for _, fact in sorted(rows, key=lambda row: row[0])]

    def read_again(self, question: str, reading: int) -> list[ResourceId]:
        """The resources whose reading of that round differs from the one before."""
        return [
            at
            for at, readings in self.readings[question].items()
            if len(readings) > reading > 0 and _plain(readings[reading]) != _plain(readings[reading - 1])
        ]


def _plain(rows: Sequence[tuple[int, Any]]) -> list[Any]:
    return [fact for _, fact in rows]


class RecordingProvider:
    """Implements gonogo.ports.Provider by asking another. Secrets are taken out here, before anybody sees or keeps them."""

    def __init__(self, inner: Provider) -> None:
        self.name = inner.name
        self._inner = inner
        self.recorded = Recorded(source=inner.name)
        self._calls = dict.fromkeys(QUESTIONS, 0)
        self._place = 0

    def now(self) -> Instant | None:
        """As the inner one says."""
        self.recorded.now = self._inner.now()
        return self.recorded.now

    def gaps(self) -> Sequence[Gap]:
        """As the inner one says."""
        found = self._inner.gaps()
        self.recorded.gaps |= dict.fromkeys(found)
        return found

    def graph(self) -> Graph:
        """The inner graph; what is asked of it is remembered."""
        return RecordingGraph(self._inner.graph(), self.recorded)

    def tables(self) -> Mapping[ResourceId, Collection[str]]:
        """As the inner one says."""
        found = self._inner.tables()
        self.recorded.held_tables |= {at: sorted(names) for at, names in found.items()}
        return found

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """As the inner one says, without secrets."""
        return self._ask("resources", self._inner.resources, ids, lambda r: r.id)

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """As the inner one says; a series without any reading is left out, a snapshot has no row for it."""
        return self._ask("series", self._inner.series, ids, lambda s: s.resource)

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """As the inner one says, without secrets."""
        return self._ask("logs", self._inner.logs, ids, lambda line: line.resource)

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """As the inner one says."""
        return self._ask("databases", self._inner.databases, ids, lambda d: d.resource)

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """As the inner one says."""
        return self._ask("deploys", self._inner.deploys, ids, lambda d: d.resource)

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """As the inner one says."""
        return self._ask("alarms", self._inner.alarms, ids, lambda a: a.resource)

    def _ask[F](
        self,
        question: str,
        ask: Callable[[Collection[ResourceId]], Sequence[F]],
        ids: Collection[ResourceId],
        of: Callable[[F], ResourceId],
    ) -> Sequence[F]:
        call = self._calls[question]
        self._calls[question] += 1
        try:
            answered = ask(ids)
        except Exception as error:
            self.recorded.failures.append(Failure(question, call, type(error).__name__, str(error)))
            raise
        facts = [kept for fact in answered if (kept := _as_kept(redacted(fact))) is not None]
        rows: dict[ResourceId, list[tuple[int, Any]]] = {at: [] for at in sorted(ids)}
        for fact in facts:
            rows.setdefault(of(fact), []).append((self._place, fact))
            self._place += 1
        for at, found in rows.items():
            self.recorded.readings[question].setdefault(at, []).append(tuple(found))
        return facts


def _as_kept[F](fact: F) -> F | None:
    """The fact as a snapshot gives it back: a series has a reading, and a single one names its step by the gap after it."""
    if not isinstance(fact, Series):
        return fact
    if all(value is None for value in fact.values):
        return None
    return fact.model_copy(update={"values": (*fact.values, None)}) if len(fact.values) == 1 else fact


class RecordingGraph:
    """Implements gonogo.ports.Graph by asking another, and remembers the neighbourhood that was seen."""

    def __init__(self, inner: Graph, recorded: Recorded) -> None:
        self._inner, self._recorded = inner, recorded

    def is_empty(self) -> bool:
        """As the inner one says."""
        return self._inner.is_empty()

    def edges_from(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """As the inner one says."""
        return self._edges(self._inner.edges_from(ids))

    def edges_to(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """As the inner one says."""
        return self._edges(self._inner.edges_to(ids))

    def in_degrees(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, int]:
        """As the inner one says."""
        found = self._inner.in_degrees(ids)
        self._recorded.in_degrees |= found
        return found

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """As the inner one says."""
        return self._kinds(self._inner.kinds_of(ids))

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[ResourceId, tuple[str, str]]:
        """As the inner one says."""
        return self._kinds(self._inner.named(kinds, names))

    def repositories(self) -> Sequence[ResourceId]:
        """As the inner one says."""
        found = self._inner.repositories()
        self._recorded.repositories = list(found)
        self._kinds(self._inner.kinds_of(found))
        return found

    def _edges(self, found: Sequence[Edge]) -> Sequence[Edge]:
        self._recorded.edges |= dict.fromkeys(found)
        return found

    def _kinds(self, found: Mapping[ResourceId, tuple[str, str]]) -> Mapping[ResourceId, tuple[str, str]]:
        self._recorded.kinds |= found
        return found
