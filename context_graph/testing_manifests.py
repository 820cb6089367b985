"""The graph that a small tree in memory declares, as sets that a test can compare."""

from collections.abc import Mapping

from context_graph.manifests import Manifests, declared_graph
from context_graph.testing import MemoryTree


def graph_of(files: Mapping[str, str]) -> Manifests:
    """What `gonogo graph export` would give."""
    return declared_graph(MemoryTree(files))


def edges_of(files: Mapping[str, str]) -> set[tuple[str, str, str]]:
    """Source, relation, target; roots are left out of the addresses."""
    return {(_bare(e.source), str(e.relation), _bare(e.target)) for e in graph_of(files).edges}


def kinds_of(files: Mapping[str, str]) -> set[tuple[str, str]]:
    """Address and kind of every resource."""
    return {(_bare(d.address), d.kind) for d in graph_of(files).resources}


def _bare(address: str) -> str:
    return address.rpartition("//")[2].removeprefix("Resources.")
