"""What a repository deploys by its own manifests: its part of the graph, beside what providers list."""

from collections.abc import Iterator, Mapping, Sequence

from context_graph.collecting import Collected, Scope, ScopeStatus
from context_graph.graph import REPOSITORY_KIND
from context_graph.joining import join_live
from context_graph.manifests import Manifests
from gonogo.ports import Graph
from gonogo.resource import Declared, Edge, Origin, Relation, Resource
from gonogo.word import Instant, ResourceId

SERVICE = "manifests"


def declared_deploys(repository: ResourceId, declared: Sequence[Declared], live: Mapping[str, ResourceId]) -> tuple[Edge, ...]:
    """An edge to each live resource that a declaration was joined to; a file that only refers to it deploys nothing.

    A graph that was synced from a provider has none of them. They are of the manifests, so they prove nothing in production.
    """
    found: dict[ResourceId, Edge] = {}
    for one in declared:
        if (target := live.get(one.key)) is not None and "is_reference" not in one.settings:
            found.setdefault(target, _edge(repository, target, Relation.DEPLOYS_TO, said=f"{_at(one)} declares {one.address}"))
    return tuple(found.values())


def repository_scope(
    repository: ResourceId, manifests: Manifests, graph: Graph, *, commit: str, read_at: Instant
) -> tuple[Collected, Mapping[str, ResourceId]]:
    """The repository with what it deploys, and what its manifests say of edges between live resources; key → live id.

    Partial where a manifest was not read: what it declared before is then not taken back. A repository of which nothing was
    found live stays unknown to the graph, so that a change of it is evaluated from the diff and not waved through.
    """
    provider, _, name = repository.partition(":")
    live = join_live(manifests.resources, graph, ())
    itself = Resource(id=repository, kind=REPOSITORY_KIND, name=name, account="", region="", attributes={"commit": commit})
    edges = (*declared_deploys(repository, manifests.resources, live), *_between(manifests, live))
    unread = [f"{one.file}: {one.why}" for one in manifests.not_read]
    status = ScopeStatus.PARTIAL if unread else ScopeStatus.OK
    scope = Scope(provider=provider, account=name, region="", service=SERVICE)
    return Collected(scope, status, read_at, resources=(itself,) if edges else (), edges=edges, why="; ".join(unread[:3])), live


def _between(manifests: Manifests, live: Mapping[str, ResourceId]) -> Iterator[Edge]:
    at: dict[str, set[ResourceId]] = {}
    for one in manifests.resources:
        if one.key in live:
            at.setdefault(one.address, set()).add(live[one.key])
    for edge in manifests.edges:
        for source in sorted(at.get(edge.source, ())):
            for target in sorted(at.get(edge.target, ())):
                if len(at[edge.source]) == len(at[edge.target]) == 1 and source != target:
                    yield _edge(source, target, edge.relation, said=f"{edge.file} line {edge.line}")


def _edge(source: ResourceId, target: ResourceId, relation: Relation, *, said: str) -> Edge:
    return Edge(source=source, target=target, relation=relation, origin=Origin.MANIFEST, evidence=said)


def _at(declared: Declared) -> str:
    return f"{declared.file} line {declared.line}"
