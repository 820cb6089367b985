"""ChangeSet + graph → ranked AffectedResources, each with the path that says why.

Start: what the repository deploys to, what a changed manifest names, the database that alone holds a migrated
table. From there downstream (what it calls, writes to, triggers), and upstream to triggers and callers.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from gonogo.context import Gap
from gonogo.ports import Graph
from gonogo.record import Record
from gonogo.resource import AffectedResource, Relation
from gonogo.word import ResourceId

DOWNSTREAM_STEPS = 4
UPSTREAM_STEPS = 2
HUB_IN_DEGREE = 200
MAX_AFFECTED = 2000

_WALKED = frozenset(Relation) - {Relation.OWNED_BY, Relation.DEPLOYS_TO}


class Start(Record):
    """A resource that the change touches by itself, with the reason."""

    resource: ResourceId
    why: str
    is_named: bool
    steps: int = 1
    """From the repository: 2 when what the change names is not its own."""


class _Reached(NamedTuple):
    """What becomes an AffectedResource when its kind is known: a walk makes hundreds."""

    path: tuple[ResourceId, ...]
    why: str
    distance: int
    is_named: bool = False


def affected_resources(
    repository: ResourceId, starts: Iterable[Start], graph: Graph
) -> tuple[tuple[AffectedResource, ...], tuple[Gap, ...]]:
    """Ranked: what the change names, then by distance, then by id; with a gap for every walk that was cut."""
    found: dict[ResourceId, _Reached] = {}
    gaps: list[Gap] = []
    for edge in graph.edges_from([repository]):
        if edge.relation is Relation.DEPLOYS_TO and edge.target not in found:
            found[edge.target] = _Reached((repository, edge.target), "this repository deploys to it", 1)
    for start in starts:
        known = found.get(start.resource)
        if known is None:
            found[start.resource] = _Reached((repository, start.resource), start.why, start.steps, start.is_named)
        elif start.is_named and not known.is_named:
            found[start.resource] = known._replace(is_named=True, why=start.why)

    first = list(found)
    _walk(first, DOWNSTREAM_STEPS, graph, found, gaps, is_upstream=False)
    _walk(first, UPSTREAM_STEPS, graph, found, gaps, is_upstream=True)
    kinds = graph.kinds_of(found)
    ranked = sorted(found.items(), key=lambda item: (not item[1].is_named, item[1].distance, item[0]))
    return tuple(_affected(at, one, kinds[at][0] if at in kinds else "unknown") for at, one in ranked), tuple(gaps)


def _affected(resource: ResourceId, reached: _Reached, kind: str) -> AffectedResource:
    return AffectedResource(
        resource=resource, kind=kind, path=reached.path, why=reached.why, distance=reached.distance, is_named=reached.is_named
    )


def _walk(
    starts: Collection[ResourceId],
    steps: int,
    graph: Graph,
    found: dict[ResourceId, _Reached],
    gaps: list[Gap],
    *,
    is_upstream: bool,
) -> None:
    """Level by level with a seen set. A hub is reached and not expanded; the cap is checked inside a level."""
    level = sorted(starts)
    seen = set(level)
    for _ in range(steps):
        degrees = graph.in_degrees(level)
        expanded = [at for at in level if degrees.get(at, 0) <= HUB_IN_DEGREE]
        for at in level:
            if degrees.get(at, 0) > HUB_IN_DEGREE:
                why = f"reached and not expanded: {degrees[at]:,} others depend on it"
                gaps.append(Gap(stage="affected", what=at, why=why))
        edges = graph.edges_to(expanded) if is_upstream else graph.edges_from(expanded)
        following: list[ResourceId] = []
        for edge in sorted(
            edges, key=lambda e: (e.target, e.source, e.relation) if is_upstream else (e.source, e.target, e.relation)
        ):
            at, other = (edge.target, edge.source) if is_upstream else (edge.source, edge.target)
            if edge.relation not in _WALKED or other in seen:
                continue
            if len(found) >= MAX_AFFECTED:
                gaps.append(Gap(stage="affected", what=at, why=f"the walk was cut at {MAX_AFFECTED:,} resources"))
                return
            seen.add(other)
            following.append(other)
            if other not in found:
                known = found[at]
                arrow = f"{edge.source} {edge.relation.value} {edge.target}"
                found[other] = _Reached((*known.path, other), arrow, known.distance + 1)
        level = sorted(following)
        if not level:
            return
