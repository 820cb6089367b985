"""Identity of a cluster's objects: cluster, namespace, kind and name, which the API keeps unique."""

from context_graph.manifests.node import Draft
from gonogo.word import ResourceId


def id_of(cluster: str, draft: Draft, *, is_namespaced: bool = True) -> ResourceId:
    """`kubernetes:<cluster>/<namespace>/<kind>/<name>`; without a namespace for what stands outside of them."""
    kind, namespace, name = draft.address.split("/", 2)
    return ResourceId(
        f"kubernetes:{cluster}/{namespace}/{kind}/{name}" if is_namespaced else f"kubernetes:{cluster}/{kind}/{name}"
    )


def id_at(cluster: str, address: str) -> ResourceId:
    """The same for an address `kind/namespace/name`."""
    kind, namespace, name = address.split("/", 2)
    return ResourceId(f"kubernetes:{cluster}/{namespace}/{kind}/{name}")
