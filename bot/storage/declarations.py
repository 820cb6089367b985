"""What repositories declare, as it was read last, and which live resource each declaration is."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

import sqlalchemy as sa

from bot.storage.tables import DECLARED, NODE, REALISES
from gonogo.resource import Declared
from gonogo.word import ResourceId

_BATCH = 200


@dataclass(frozen=True)
class Declaration:
    """One declaration that was joined to a live resource."""

    repository: str
    kind: str
    address: str
    environment: str
    file: str
    line: int
    commit: str
    evidence: str


def write_declarations(
    engine: sa.Engine, repository: ResourceId, declared: Sequence[Declared], live: Mapping[str, ResourceId], *, commit: str
) -> None:
    """Put what a repository declares at a commit in the place of what it declared before, in one transaction.

    `live` is the key of a declaration → the live resource that it is; one that the graph has no node for stays unjoined.
    """
    whole = {one.key: one for one in declared if one.part_of is None}
    with engine.begin() as connection:
        old = sa.select(DECLARED.c.number).where(DECLARED.c.repository == repository)
        connection.execute(sa.delete(REALISES).where(REALISES.c.declared.in_(old)))
        connection.execute(sa.delete(DECLARED).where(DECLARED.c.repository == repository))
        nodes = _nodes(connection, {live[key] for key in whole if key in live})
        for key, one in whole.items():
            number = connection.execute(
                sa.insert(DECLARED).values(_row(repository, one, commit)).returning(DECLARED.c.number)
            ).scalar_one()
            if (node := nodes.get(live.get(key, ResourceId("")))) is not None:
                said = f"by the name {one.name}" if one.name else f"the only {one.kind} that it deploys"
                connection.execute(sa.insert(REALISES).values(declared=number, node=node, evidence=said))


def declarations_of(engine: sa.Engine, resource: ResourceId) -> list[Declaration]:
    """Where a live resource is declared, by repository, file and line."""
    query = (
        sa.select(
            DECLARED.c.repository, DECLARED.c.kind, DECLARED.c.address, DECLARED.c.environment, DECLARED.c.file, DECLARED.c.line,
            DECLARED.c.commit, REALISES.c.evidence,
        )
        .join(REALISES, REALISES.c.declared == DECLARED.c.number)
        .join(NODE, NODE.c.number == REALISES.c.node)
        .where(NODE.c.id == resource)
        .order_by(DECLARED.c.repository, DECLARED.c.file, DECLARED.c.line)
    )  # fmt: skip
    with engine.connect() as connection:
        return [Declaration(*row) for row in connection.execute(query)]


def _nodes(connection: sa.Connection, ids: Collection[ResourceId]) -> dict[ResourceId, int]:
    found: dict[ResourceId, int] = {}
    for some in batched(sorted(ids), _BATCH):
        rows = connection.execute(sa.select(NODE.c.id, NODE.c.number).where(NODE.c.id.in_(some)))
        found |= {ResourceId(row.id): row.number for row in rows}
    return found


def _row(repository: ResourceId, one: Declared, commit: str) -> dict[str, object]:
    return {
        "repository": repository, "root": one.file.rpartition("/")[0], "address": one.address, "environment": one.environment or "",
        "kind": one.kind, "name": one.name, "file": one.file, "line": one.line, "is_conditional": one.is_conditional, "commit": commit,
    }  # fmt: skip
