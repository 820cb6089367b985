"""A tiny production in memory, behind the Provider port: for tests of whatever reads production facts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from context_graph.graph import MemoryGraph
from context_graph.normal_form import normal_attributes
from gonogo.context import Alarm, Database, Deploy, Gap, Index, LogLine, Series, Table
from gonogo.resource import Edge, Origin, Relation, Resource
from gonogo.word import Instant, Json, ResourceId

START = datetime(2026, 5, 4, tzinfo=UTC)
STEP_S = 300.0


@dataclass
class MemoryProduction:
    """Build it up, then hand it over as a Provider.

    production = MemoryProduction("github:acme/shop")
    queue = production.resource("arn:aws:sqs:eu-west-1:1:orders", "aws.sqs.queue", "orders", visibility_timeout_s=30)
    production.series(queue, "NumberOfMessagesSent", "Count", [300.0] * 12)
    """

    repository: str = "github:acme/shop"
    name: str = "memory"
    found: dict[str, Resource] = field(default_factory=dict)
    links: list[Edge] = field(default_factory=list)
    readings: list[Series] = field(default_factory=list)
    lines: list[LogLine] = field(default_factory=list)
    servers: list[Database] = field(default_factory=list)
    rung: list[Alarm] = field(default_factory=list)
    rolled: list[Deploy] = field(default_factory=list)
    said: list[Gap] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    """Names of the questions that raise: 'series', 'logs' …"""

    def __post_init__(self) -> None:
        self.resource(self.repository, "github.repository", self.repository.removeprefix("github:"))

    def resource(self, resource: str, kind: str, name: str, *, is_deployed: bool = False, **attributes: Json) -> str:
        """Add a resource; with `is_deployed`, the repository deploys to it."""
        self.found[resource] = Resource(
            id=ResourceId(resource), kind=kind, name=name, attributes=normal_attributes(kind, attributes)
        )
        if is_deployed:
            self.edge(self.repository, resource, "deploys_to")
        return resource

    def edge(self, source: str, target: str, relation: str, *, origin: Origin = Origin.LIVE) -> None:
        """Add an edge."""
        self.links.append(Edge(source=ResourceId(source), target=ResourceId(target), relation=Relation(relation), origin=origin))

    def metric(self, resource: str, metric: str, unit: str, values: Sequence[float | None] | float) -> None:
        """Add a series from START on a grid of five minutes; a single number is held for a day."""
        listed = [float(values)] * 288 if isinstance(values, int | float) else list(values)
        self.readings.append(
            Series(resource=ResourceId(resource), metric=metric, unit=unit, start=START, step_s=STEP_S, values=tuple(listed))
        )

    def log(self, resource: str, *messages: str, severity: str = "INFO") -> None:
        """Add log lines, a minute apart."""
        for message in messages:
            at = START + timedelta(minutes=len(self.lines))
            self.lines.append(LogLine(timestamp=at, resource=ResourceId(resource), severity=severity, message=message))

    def database(
        self,
        resource: str,
        *,
        engine: str = "postgres",
        version: str = "15.5",
        tables: Sequence[Mapping[str, Any]] = (),
        indexes: Sequence[Mapping[str, Any]] = (),
        **more: Json,
    ) -> None:
        """Add statistics of a server; tables and indexes are rows of the snapshot format."""
        known = {k: v for k, v in more.items() if k in Database.model_fields}
        self.servers.append(
            Database(
                resource=ResourceId(resource),
                engine=engine,
                version=version,
                tables=tuple(Table.model_validate(t) for t in tables),
                indexes=tuple(Index.model_validate(i) for i in indexes),
                more={k: v for k, v in more.items() if k not in known},
                **known,
            )
        )

    # -- the port --------------------------------------------------------------------------

    def now(self) -> Instant | None:
        """A week after START."""
        return START + timedelta(days=7)

    def gaps(self) -> Sequence[Gap]:
        """The gaps it was told to have."""
        return self.said

    def graph(self) -> MemoryGraph:
        """All resources and edges."""
        return MemoryGraph(self.links, {r.id: (r.kind, r.name) for r in self.found.values()})

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """Those resources."""
        self._may_fail("resources")
        return [r for r in self.found.values() if r.id in ids]

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """Series of those resources."""
        self._may_fail("series")
        return [s for s in self.readings if s.resource in ids]

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """Log lines of those resources."""
        self._may_fail("logs")
        return [line for line in self.lines if line.resource in ids]

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """Statistics of those servers."""
        self._may_fail("databases")
        return [d for d in self.servers if d.resource in ids]

    def tables(self) -> Mapping[ResourceId, Sequence[str]]:
        """Database → names of its tables."""
        return {d.resource: [t.name for t in d.tables] for d in self.servers}

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """Deploys of those resources."""
        return [d for d in self.rolled if d.resource in ids]

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """Alarms of those resources."""
        return [a for a in self.rung if a.resource in ids]

    def _may_fail(self, question: str) -> None:
        if question in self.failing:
            raise ConnectionError(f"{question} timed out after 5 s")
