"""Resources and edges in memory: the graph of a snapshot, and of a neighbourhood that was read from a store."""

from collections.abc import Collection, Mapping, Sequence

from gonogo.ports import Graph
from gonogo.resource import Edge
from gonogo.word import ResourceId

REPOSITORY_KIND = "github.repository"


class MemoryGraph:
    """Implements gonogo.ports.Graph over edges and `{id: (kind, name)}`, indexed once.

    A neighbourhood of a larger graph says with `in_degrees` how many edges arrive where it holds fewer, and with `repositories`
    which it knows without listing them.
    """

    def __init__(
        self,
        edges: Sequence[Edge],
        kinds: Mapping[ResourceId, tuple[str, str]],
        *,
        in_degrees: Mapping[ResourceId, int] | None = None,
        repositories: Sequence[ResourceId] = (),
    ) -> None:
        self._kinds = kinds
        self._in_degrees = in_degrees or {}
        self._repositories = repositories
        self._outgoing: dict[ResourceId, list[Edge]] = {}
        self._incoming: dict[ResourceId, list[Edge]] = {}
        for edge in edges:
            self._outgoing.setdefault(edge.source, []).append(edge)
            self._incoming.setdefault(edge.target, []).append(edge)

    def is_empty(self) -> bool:
        """True when there is neither a resource nor an edge."""
        return not self._kinds and not self._outgoing

    def edges_from(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that leave these resources."""
        return [edge for at in ids for edge in self._outgoing.get(at, ())]

    def edges_to(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that arrive at these resources."""
        return [edge for at in ids for edge in self._incoming.get(at, ())]

    def in_degrees(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, int]:
        """How many edges arrive at each."""
        return {at: max(len(self._incoming.get(at, ())), self._in_degrees.get(at, 0)) for at in ids}

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of those that are listed."""
        return {at: self._kinds[at] for at in ids if at in self._kinds}

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[ResourceId, tuple[str, str]]:
        """Those of these kinds and names."""
        return {at: found for at, found in self._kinds.items() if found[0] in kinds and found[1] in names}

    def repositories(self) -> Sequence[ResourceId]:
        """The listed repositories; without any, those that edges leave."""
        listed = [at for at, (kind, _) in self._kinds.items() if kind == REPOSITORY_KIND]
        if self._repositories:
            return sorted({*listed, *self._repositories})
        return listed or sorted(source for source in self._outgoing if source.startswith("github:"))


def path_between(graph: Graph, source: ResourceId, target: ResourceId, *, at_most: int = 20_000) -> tuple[Edge, ...] | None:
    """A shortest chain of edges from one resource to another; None when there is none among the first `at_most` reached."""
    came_by: dict[ResourceId, Edge | None] = {source: None}
    level: list[ResourceId] = [source]
    while level and target not in came_by and len(came_by) <= at_most:
        following: list[ResourceId] = []
        for edge in sorted(graph.edges_from(level), key=lambda e: (e.source, e.target, e.relation)):
            if edge.target not in came_by:
                came_by[edge.target] = edge
                following.append(edge.target)
        level = following
    if target not in came_by:
        return None
    chain: list[Edge] = []
    at = target
    while (edge := came_by[at]) is not None:
        chain.append(edge)
        at = edge.source
    return tuple(reversed(chain))
