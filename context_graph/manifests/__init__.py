"""Infrastructure manifests: what one side of a change declares, and what differs between the sides."""

from context_graph.manifests.compare import setting_changes
from context_graph.manifests.declared import declared_graph, logical_name
from context_graph.manifests.read import Manifests, NotRead, could_be_manifest, read_manifests, touches_manifests

__all__ = [
    "Manifests",
    "NotRead",
    "could_be_manifest",
    "declared_graph",
    "logical_name",
    "read_manifests",
    "setting_changes",
    "touches_manifests",
]
