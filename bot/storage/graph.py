"""The persistent graph: what syncs wrote, asked a neighbourhood at a time."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

import sqlalchemy as sa

from bot.storage.tables import ALIAS, EDGE, NODE, SCOPE
from context_graph.collecting import Scope, ScopeStatus
from context_graph.graph import REPOSITORY_KIND
from gonogo.resource import Edge, Origin, Relation, Resource
from gonogo.word import Instant, ResourceId

MAX_EDGES_A_RESOURCE = 1000
"""More edges of one resource than this are not read; the walk stops at far fewer."""

_PARAMETERS = 900
"""Ids in one query: SQLite's oldest limit is 999 parameters."""

_SOURCE, _TARGET = NODE.alias("source_node"), NODE.alias("target_node")
_EDGES = (
    sa.select(_SOURCE.c.id, _TARGET.c.id, EDGE.c.relation, EDGE.c.origin, EDGE.c.evidence)
    .select_from(_SOURCE)
    .join(EDGE, EDGE.c.source == _SOURCE.c.number)
    .join(_TARGET, EDGE.c.target == _TARGET.c.number)
)


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


def _state(
    provider: str, account: str, region: str, service: str, status: str, why: str, asked_at: Instant, answered_at: Instant | None
) -> ScopeState:
    scope = Scope(provider=provider, account=account, region=region, service=service)
    return ScopeState(scope=scope, status=ScopeStatus(status), why=why, asked_at=asked_at, answered_at=answered_at)


class StoredGraph:
    """Implements gonogo.ports.Graph over the tables. Retired resources are not part of it; each call reads what is there now."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def is_empty(self) -> bool:
        """True before the first sync that found anything."""
        return not self._rows(sa.select(NODE.c.number).limit(1))

    def edges_from(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that leave these resources."""
        return self._edges(_SOURCE.c.id, ids)

    def edges_to(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that arrive at these resources; of one with more than MAX_EDGES_A_RESOURCE, none."""
        degrees = self.in_degrees(ids)
        return self._edges(_TARGET.c.id, [at for at in ids if degrees.get(at, 0) <= MAX_EDGES_A_RESOURCE])

    def in_degrees(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, int]:
        """How many edges arrive at each: counters that are kept when edges are written."""
        return {ResourceId(at): count for at, count in self._of(sa.select(NODE.c.id, NODE.c.in_degree), NODE.c.id, ids)}

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of those that a sync listed and that are still there."""
        listed = sa.select(NODE.c.id, NODE.c.kind, NODE.c.name).where(NODE.c.scope.is_not(None), NODE.c.retired_at.is_(None))
        return {ResourceId(at): (kind, name) for at, kind, name in self._of(listed, NODE.c.id, ids)}

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

    def read_at(self) -> Instant | None:
        """When the oldest of the scopes that answer last answered in full: nothing here is known to be newer."""
        oldest = sa.select(SCOPE.c.answered_at).where(SCOPE.c.answered_at.is_not(None)).order_by(SCOPE.c.answered_at).limit(1)
        return next((row[0] for row in self._rows(oldest)), None)

    def _edges(self, end: sa.ColumnElement[str], ids: Collection[ResourceId]) -> list[Edge]:
        found: dict[tuple[str, str, str], Edge] = {}
        for source, target, relation, origin, evidence in self._of(_EDGES, end, ids):
            key = (source, target, relation)
            if key not in found or origin == Origin.LIVE:  # seen by several collectors: a live reading counts
                found[key] = Edge.model_construct(
                    source=ResourceId(source),
                    target=ResourceId(target),
                    relation=Relation(relation),
                    origin=Origin(origin),
                    evidence=evidence,
                )
        return list(found.values())

    def _of(
        self, query: sa.Select[*tuple[Any, ...]], column: sa.ColumnElement[str], values: Collection[str]
    ) -> Iterator[Sequence[Any]]:
        for some in batched(sorted(set(values)), _PARAMETERS):
            yield from self._rows(query.where(column.in_(some)))

    def _rows(self, query: sa.Select[*tuple[Any, ...]]) -> Sequence[Sequence[Any]]:
        with self._engine.connect() as connection:
            return connection.execute(query).all()
