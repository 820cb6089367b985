"""Writes what collectors read. Every change stays inside the scope that answered: an error retires nothing, elsewhere nothing changes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import batched
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bot.storage.tables import ALIAS, EDGE, NODE, SCOPE
from context_graph.collecting import Collected, ScopeStatus
from gonogo.resource import Edge
from gonogo.word import Instant

_BATCH = 200
_LOCK = 0x67726170  # any number that nothing else in this database locks


def write(engine: sa.Engine, collected: Collected) -> bool:
    """Bring the scope's part of the graph up to date, in one transaction; False when something newer is there already."""
    with engine.begin() as connection:
        _take_turns(connection)
        number = _scope(connection, collected)
        if number is None:
            return False
        numbers = _nodes(connection, collected, number)
        changed = _edges(connection, collected, number, numbers)
        _aliases(connection, collected, number, numbers)
        if collected.status is ScopeStatus.OK:
            changed |= _withdraw(connection, number, collected.read_at)
        _count_again(connection, changed)
    return True


def _take_turns(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _scope(connection: sa.Connection, collected: Collected) -> int | None:
    """The scope's number, with its state written; None when a later reading is there."""
    scope = collected.scope
    same = sa.and_(
        SCOPE.c.provider == scope.provider,
        SCOPE.c.account == scope.account,
        SCOPE.c.region == scope.region,
        SCOPE.c.service == scope.service,
    )
    values: dict[str, Any] = {"status": collected.status, "why": collected.why, "asked_at": collected.read_at}
    if collected.status is ScopeStatus.OK:
        values["answered_at"] = collected.read_at
    known = connection.execute(sa.select(SCOPE.c.number, SCOPE.c.asked_at).where(same)).first()
    if known is None:
        identity = {"provider": scope.provider, "account": scope.account, "region": scope.region, "service": scope.service}
        return connection.execute(sa.insert(SCOPE).values(identity | values).returning(SCOPE.c.number)).scalar_one()
    if known.asked_at > collected.read_at:
        return None
    connection.execute(sa.update(SCOPE).where(SCOPE.c.number == known.number).values(values))
    return known.number


def _nodes(connection: sa.Connection, collected: Collected, scope: int) -> Mapping[str, int]:
    """Upsert what was listed, and a place for every end of an edge; id → number."""
    seen = {"scope": scope, "first_seen": collected.read_at, "last_seen": collected.read_at, "retired_at": None}
    listed = {
        r.id: {
            "id": r.id, "kind": r.kind, "name": r.name, "account": r.account, "region": r.region,
            "attributes": dict(r.attributes), **seen,
        }
        for r in collected.resources
    }  # fmt: skip
    ends = {end for edge in collected.edges for end in (edge.source, edge.target)} | {*collected.aliases.values()}
    ends -= listed.keys()
    named: list[dict[str, Any]] = [
        {"id": at, "kind": "unknown", "name": at, "account": "", "region": "", "attributes": {}} for at in sorted(ends)
    ]
    fresh = ("kind", "name", "account", "region", "attributes", "scope", "last_seen", "retired_at")
    _upsert(connection, NODE, [listed[at] for at in sorted(listed)], key=("id",), update=fresh)
    _upsert(connection, NODE, named, key=("id",), update=())
    return _numbers(connection, {*listed, *ends})


def _numbers(connection: sa.Connection, ids: Collection[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for some in batched(sorted(ids), _BATCH):
        found |= {
            row.id: row.number for row in connection.execute(sa.select(NODE.c.id, NODE.c.number).where(NODE.c.id.in_(some)))
        }
    return found


def _edges(connection: sa.Connection, collected: Collected, scope: int, numbers: Mapping[str, int]) -> set[int]:
    """Upsert the edges; the numbers of the nodes at which one arrives."""
    rows = {
        (numbers[e.source], e.relation.value, numbers[e.target]): _edge_row(e, numbers, scope, collected.read_at)
        for e in collected.edges
    }
    key = ("source", "relation", "target", "scope")
    _upsert(connection, EDGE, [rows[at] for at in sorted(rows)], key=key, update=("origin", "evidence", "seen_at"))
    return {target for _, _, target in rows}


def _edge_row(edge: Edge, numbers: Mapping[str, int], scope: int, seen_at: Instant) -> dict[str, Any]:
    return {
        "source": numbers[edge.source], "relation": edge.relation.value, "target": numbers[edge.target], "scope": scope,
        "origin": edge.origin.value, "evidence": edge.evidence, "seen_at": seen_at,
    }  # fmt: skip


def _aliases(connection: sa.Connection, collected: Collected, scope: int, numbers: Mapping[str, int]) -> None:
    rows = [
        {"value": value, "node": numbers[at], "scope": scope, "seen_at": collected.read_at}
        for value, at in sorted(collected.aliases.items())
    ]
    _upsert(connection, ALIAS, rows, key=("value", "node", "scope"), update=("seen_at",))


def _withdraw(connection: sa.Connection, scope: int, read_at: Instant) -> set[int]:
    """The scope answered in full: what it no longer lists is retired, its edges and aliases that were not seen again go."""
    connection.execute(
        sa.update(NODE)
        .where(NODE.c.scope == scope, NODE.c.last_seen < read_at, NODE.c.retired_at.is_(None))
        .values(retired_at=read_at)
    )
    connection.execute(sa.delete(ALIAS).where(ALIAS.c.scope == scope, ALIAS.c.seen_at < read_at))
    gone = sa.delete(EDGE).where(EDGE.c.scope == scope, EDGE.c.seen_at < read_at).returning(EDGE.c.target)
    return set(connection.execute(gone).scalars())


def _count_again(connection: sa.Connection, targets: Iterable[int]) -> None:
    arriving = sa.select(sa.func.count()).select_from(EDGE).where(EDGE.c.target == NODE.c.number).scalar_subquery()
    for some in batched(sorted(targets), _BATCH):
        connection.execute(sa.update(NODE).where(NODE.c.number.in_(some)).values(in_degree=arriving))


def _upsert(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], *, key: Sequence[str], update: Sequence[str]
) -> None:
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table)
    statement = (
        statement.on_conflict_do_update(index_elements=key, set_={name: statement.excluded[name] for name in update})
        if update
        else statement.on_conflict_do_nothing(index_elements=key)
    )
    for some in batched(rows, _BATCH):
        connection.execute(statement, [dict(row) for row in some])
