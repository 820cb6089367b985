"""The persistent graph: what syncs wrote, asked a neighbourhood at a time."""

import json
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched
from typing import Any, NamedTuple, cast

import sqlalchemy as sa
from pydantic import TypeAdapter

from bot.storage.declarations import Declaration, declarations_of
from bot.storage.tables import ALIAS, NODE, SCOPE
from context_graph.collecting import Scope, ScopeStatus
from context_graph.deploying import SERVICE as MANIFESTS
from context_graph.graph import REPOSITORY_KIND
from gonogo.resource import Edge, Resource
from gonogo.word import Instant, ResourceId

MAX_EDGES_A_RESOURCE = 1000
"""More edges of one resource than this are not read; the walk stops at far fewer."""

_PARAMETERS = 900
"""Ids in one query: SQLite's oldest limit is 999 parameters."""

_MEET = (
    "SELECT id, number, in_degree, kind, name, scope IS NOT NULL AND retired_at IS NULL FROM node"
    " WHERE id {many}"
)  # fmt: skip
_EDGE = (
    "SELECT e.source, e.target, e.relation, e.origin, e.evidence,"
    " far.id, far.number, far.in_degree, far.kind, far.name, far.scope IS NOT NULL AND far.retired_at IS NULL"
    " FROM edge e JOIN node far ON far.number = e."
)
_FROM = _EDGE + "target WHERE e.source {many}"
_TO = _EDGE + "source WHERE e.target {many}"
_MANY = {"postgresql": "= ANY(%s{type})", "sqlite": "IN (SELECT value FROM json_each(?))"}
"""A walk asks these at every level: the driver's own SQL, one parameter however many values, so that each is prepared once."""

_EDGES = TypeAdapter(list[Edge])

_SCOPE_COLUMNS = (
    SCOPE.c.provider, SCOPE.c.account, SCOPE.c.region, SCOPE.c.service,
    SCOPE.c.status, SCOPE.c.why, SCOPE.c.asked_at, SCOPE.c.answered_at,
)  # fmt: skip


@dataclass(frozen=True)
class ScopeState:
    """How a scope ended when it was asked last, and when it last answered in full."""

    scope: Scope
    status: ScopeStatus
    why: str
    asked_at: Instant
    answered_at: Instant | None


@dataclass(frozen=True)
class Sighting:
    """When a resource was listed last, and by which scope."""

    last_seen: Instant
    retired_at: Instant | None
    scope: ScopeState


class _Met(NamedTuple):
    """A node as a walk needs it."""

    number: int
    in_degree: int
    kind: str
    name: str
    is_listed: bool


def _state(
    provider: str, account: str, region: str, service: str, status: str, why: str, asked_at: Instant, answered_at: Instant | None
) -> ScopeState:
    scope = Scope(provider=provider, account=account, region=region, service=service)
    return ScopeState(scope=scope, status=ScopeStatus(status), why=why, asked_at=asked_at, answered_at=answered_at)


class StoredGraph:
    """Implements gonogo.ports.Graph over the tables. Retired resources are not part of it; each call reads what is there now.

    Many calls in a row are quicker inside `with stored.reading() as graph:`, which keeps one connection and whom it met.
    """

    def __init__(self, engine: sa.Engine, connection: sa.Connection | None = None) -> None:
        self._engine, self._connection = engine, connection
        self._met: dict[ResourceId, _Met] = {}
        self._ids: dict[int, ResourceId] = {}

    @contextmanager
    def reading(self) -> Generator["StoredGraph"]:
        """The same graph over one connection, for one thread."""
        with self._connected() as connection:
            yield StoredGraph(self._engine, connection)

    def is_empty(self) -> bool:
        """True before the first sync that found anything in production; repositories alone are none of it."""
        return not self._rows(sa.select(NODE.c.number).where(NODE.c.kind != REPOSITORY_KIND).limit(1))

    def edges_from(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that leave these resources."""
        return self._edges(_FROM, ids, most=None)

    def edges_to(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that arrive at these resources; of one with more than MAX_EDGES_A_RESOURCE, none."""
        return self._edges(_TO, ids, most=MAX_EDGES_A_RESOURCE)

    def in_degrees(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, int]:
        """How many edges arrive at each: counters that are kept when edges are written."""
        return {at: met.in_degree for at, met in self._meet(ids).items()}

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of those that a sync listed and that are still there."""
        return {at: (met.kind, met.name) for at, met in self._meet(ids).items() if met.is_listed}

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[ResourceId, tuple[str, str]]:
        """Those of these kinds and names."""
        listed = sa.select(NODE.c.id, NODE.c.kind, NODE.c.name).where(
            NODE.c.scope.is_not(None), NODE.c.retired_at.is_(None), NODE.c.kind.in_(sorted(kinds))
        )
        return {ResourceId(at): (kind, name) for at, kind, name in self._of(listed, NODE.c.name, names)}

    def called(self, values: Collection[str]) -> Mapping[str, Collection[ResourceId]]:
        """Another word for a resource (URL, host, endpoint; lower case) → the resources that answer to it."""
        query = sa.select(ALIAS.c.value, NODE.c.id).join(NODE, NODE.c.number == ALIAS.c.node).where(NODE.c.retired_at.is_(None))
        found: dict[str, set[ResourceId]] = {}
        for value, at in self._of(query, ALIAS.c.value, values):
            found.setdefault(value, set()).add(ResourceId(at))
        return found

    def repositories(self) -> Sequence[ResourceId]:
        """The code repositories that were synced."""
        found = self._rows(sa.select(NODE.c.id).where(NODE.c.kind == REPOSITORY_KIND, NODE.c.retired_at.is_(None)))
        return sorted(ResourceId(row[0]) for row in found)

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """These resources with the configuration that was read last."""
        query = sa.select(NODE.c.id, NODE.c.kind, NODE.c.name, NODE.c.account, NODE.c.region, NODE.c.attributes)
        return [
            Resource(id=ResourceId(at), kind=kind, name=name, account=account, region=region, attributes=attributes)
            for at, kind, name, account, region, attributes in self._of(
                query.where(NODE.c.scope.is_not(None), NODE.c.retired_at.is_(None)), NODE.c.id, ids
            )
        ]

    def sightings(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, Sighting]:
        """Where and when each was seen last, and how that scope answers today."""
        query = sa.select(NODE.c.id, NODE.c.last_seen, NODE.c.retired_at, *_SCOPE_COLUMNS).join(
            SCOPE, SCOPE.c.number == NODE.c.scope
        )
        return {
            ResourceId(at): Sighting(last_seen=seen, retired_at=retired, scope=_state(*scope))
            for at, seen, retired, *scope in self._of(query, NODE.c.id, ids)
        }

    def scopes(self) -> list[ScopeState]:
        """Every scope that was ever asked, and how it answers."""
        return [_state(*row) for row in self._rows(sa.select(*_SCOPE_COLUMNS).order_by(*_SCOPE_COLUMNS[:4]))]

    def declarations(self, resource: ResourceId) -> Sequence[Declaration]:
        """Where repositories declare it, by file and line."""
        return declarations_of(self._engine, resource)

    def read_at(self) -> Instant | None:
        """When the oldest of production's scopes that answer last answered in full: nothing here is known to be newer."""
        answered = sa.select(SCOPE.c.answered_at).where(SCOPE.c.answered_at.is_not(None), SCOPE.c.service != MANIFESTS)
        oldest = answered.order_by(SCOPE.c.answered_at).limit(1)
        return next((row[0] for row in self._rows(oldest)), None)

    def _meet(self, ids: Collection[ResourceId]) -> dict[ResourceId, _Met]:
        """Those of the resources that there are. Inside a reading, each is looked up once."""
        if self._connection is None:
            with self.reading() as graph:
                return graph._meet(ids)  # noqa: SLF001  the same class
        for at, *rest in self._driven(_MEET, [at for at in ids if at not in self._met]):
            self._meets(at, rest)
        return {at: self._met[at] for at in ids if at in self._met}

    def _meets(self, at: str, row: Sequence[Any]) -> ResourceId:
        met = _Met(*row)
        self._met[ResourceId(at)] = met
        return self._ids.setdefault(met.number, ResourceId(at))

    def _edges(self, query: str, ids: Collection[ResourceId], *, most: int | None) -> list[Edge]:
        if self._connection is None:
            with self.reading() as graph:
                return graph._edges(query, ids, most=most)  # noqa: SLF001  the same class
        near = [met.number for met in self._meet(ids).values() if most is None or met.in_degree <= most]
        names = self._ids
        found: dict[tuple[int, int, str], dict[str, str]] = {}
        for source, target, relation, origin, evidence, far, *rest in self._driven(query, near, kind="::bigint[]"):
            if rest[0] not in names:
                self._meets(far, rest)
            key = (source, target, relation)
            if key not in found or origin == "live":  # seen by several collectors: a live reading counts
                found[key] = {
                    "source": names[source], "target": names[target], "relation": relation, "origin": origin, "evidence": evidence,
                }  # fmt: skip
        return _EDGES.validate_python(list(found.values()))

    def _driven(self, query: str, values: Sequence[object], *, kind: str = "") -> Sequence[Any]:
        """The rows of a query in the driver's own words; `kind` is what PostgreSQL calls a list of such values."""
        if not values:
            return ()
        is_server = self._engine.dialect.name == "postgresql"
        text = query.format(many=_MANY[self._engine.dialect.name].format(type=kind))
        with self._connected() as connection:
            cursor = cast("Any", connection.connection.cursor())
            try:
                cursor.execute(text, (values if is_server else json.dumps(values),))
                return cursor.fetchall()
            finally:
                cursor.close()

    @contextmanager
    def _connected(self) -> Generator[sa.Connection]:
        if self._connection is not None:
            yield self._connection
        else:
            with self._engine.connect() as connection:
                yield connection

    def _of(
        self, query: sa.Select[*tuple[Any, ...]], column: sa.ColumnElement[str], values: Collection[str]
    ) -> Iterator[Sequence[Any]]:
        for some in batched(sorted(set(values)), _PARAMETERS):
            yield from self._rows(query.where(column.in_(some)))

    def _rows(self, query: sa.Select[*tuple[Any, ...]]) -> Sequence[Sequence[Any]]:
        with self._connected() as connection:
            return connection.execute(query).all()
