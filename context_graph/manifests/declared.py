"""The graph that a repository's manifests declare, as `gonogo graph export` gives it: one node a resource, no parts."""

from context_graph.manifests.assemble import bare_address
from context_graph.manifests.owners import with_owners
from context_graph.manifests.read import Manifests, read_manifests
from gonogo.ports import SourceTree
from gonogo.resource import Declared


def declared_graph(tree: SourceTree) -> Manifests:
    """Resources and the edges between them; both ends of an edge are among the resources. Settings are left out.

    Parts (an event of a function, an index of a table, a patch, a values file) are not resources; what they join is an
    edge.
    """
    return with_owners(without_parts(read_manifests(tree, with_settings=False)), tree)


def without_parts(manifests: Manifests) -> Manifests:
    """The same without parts, and without edges that end in one."""
    resources = tuple(declared for declared in manifests.resources if declared.part_of is None)
    known = {declared.address for declared in resources}
    edges = tuple(edge for edge in manifests.edges if edge.source in known and edge.target in known)
    return Manifests(resources=resources, edges=edges, not_read=manifests.not_read)


def logical_name(declared: Declared) -> str:
    """The physical name, else what the manifest calls it: the logical id, the block's label, the object's name."""
    if declared.name is not None:
        return declared.name
    bare = bare_address(declared.address).partition("[")[0]
    return bare.rpartition("/")[2] if "/" in bare else bare.rpartition(".")[2]
