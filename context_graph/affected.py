"""ChangeSet + graph → ranked AffectedResources, each with the path that says why.

Start: what the repository deploys to, what a changed manifest names, the database that alone holds a migrated
table. From there downstream (what it calls, writes to, triggers), and upstream to triggers and callers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gonogo.context import Gap
from gonogo.resource import AffectedResource, Edge, Relation
from gonogo.word import ResourceId

DOWNSTREAM_STEPS = 4
UPSTREAM_STEPS = 2
HUB_IN_DEGREE = 200
MAX_AFFECTED = 2000

_DOWNSTREAM = frozenset(Relation) - {Relation.OWNED_BY, Relation.DEPLOYS_TO}
_UPSTREAM = _DOWNSTREAM


@dataclass(frozen=True)
class Start:
    """A resource that the change touches by itself, with the reason."""

    resource: ResourceId
    why: str
    is_named: bool


@dataclass
class Neighbourhood:
    """Edges both ways, indexed once; an unknown resource has none."""

    edges: Sequence[Edge]
    outgoing: dict[str, list[Edge]] = field(default_factory=dict)
    incoming: dict[str, list[Edge]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for edge in self.edges:
            self.outgoing.setdefault(edge.source, []).append(edge)
            self.incoming.setdefault(edge.target, []).append(edge)


def affected_resources(
    repository: ResourceId, starts: Iterable[Start], graph: Neighbourhood, kinds: Mapping[ResourceId, tuple[str, str]]
) -> tuple[tuple[AffectedResource, ...], tuple[Gap, ...]]:
    """Ranked: what the change names, then by distance, then by id; with a gap for every walk that was cut."""
    found: dict[ResourceId, AffectedResource] = {}
    gaps: list[Gap] = []

    def kind_of(resource: ResourceId) -> str:
        return kinds.get(resource, ("unknown", ""))[0]

    for edge in graph.outgoing.get(repository, ()):
        if edge.relation is Relation.DEPLOYS_TO and edge.target not in found:
            found[edge.target] = AffectedResource(
                resource=edge.target,
                kind=kind_of(edge.target),
                path=(repository, edge.target),
                why="this repository deploys to it",
                distance=1,
            )
    for start in starts:
        known = found.get(start.resource)
        if known is None:
            found[start.resource] = AffectedResource(
                resource=start.resource, kind=kind_of(start.resource), path=(repository, start.resource),
                why=start.why, distance=1, is_named=start.is_named,
            )  # fmt: skip
        elif start.is_named and not known.is_named:
            found[start.resource] = known.model_copy(update={"is_named": True, "why": start.why})

    first = list(found)
    _walk(first, DOWNSTREAM_STEPS, graph.outgoing, graph, found, kind_of, gaps, is_upstream=False)
    _walk(first, UPSTREAM_STEPS, graph.incoming, graph, found, kind_of, gaps, is_upstream=True)
    ranked = sorted(found.values(), key=lambda a: (not a.is_named, a.distance, a.resource))
    return tuple(ranked), tuple(gaps)


def _walk(
    starts: Collection[ResourceId],
    steps: int,
    adjacent: Mapping[str, list[Edge]],
    graph: Neighbourhood,
    found: dict[ResourceId, AffectedResource],
    kind_of: Callable[[ResourceId], str],
    gaps: list[Gap],
    *,
    is_upstream: bool,
) -> None:
    """Level by level with a seen set. A hub is reached and not expanded; the cap is checked inside a level."""
    relations = _UPSTREAM if is_upstream else _DOWNSTREAM
    level = sorted(starts)
    seen = set(level)
    for _ in range(steps):
        following: list[ResourceId] = []
        for at in level:
            if len(graph.incoming.get(at, ())) > HUB_IN_DEGREE:
                gaps.append(
                    Gap(
                        stage="affected",
                        what=at,
                        why=f"reached and not expanded: {len(graph.incoming[at]):,} others depend on it",
                    )
                )
                continue
            for edge in sorted(adjacent.get(at, ()), key=lambda e: (e.source, e.target, e.relation)):
                other = edge.source if is_upstream else edge.target
                if edge.relation not in relations or other in seen:
                    continue
                if len(found) >= MAX_AFFECTED:
                    gaps.append(Gap(stage="affected", what=at, why=f"the walk was cut at {MAX_AFFECTED:,} resources"))
                    return
                seen.add(other)
                following.append(other)
                if other not in found:
                    known = found[at]
                    arrow = f"{edge.source} {edge.relation.value} {edge.target}"
                    found[other] = AffectedResource(
                        resource=other, kind=kind_of(other), path=(*known.path, other), why=arrow, distance=known.distance + 1
                    )
        level = sorted(following)
