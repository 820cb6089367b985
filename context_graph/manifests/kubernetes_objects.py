"""The Kubernetes objects of a tree by kind, namespace and name: which one a name means, and how an edge to it is written."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from context_graph.manifests.node import Draft, Link, Node
from gonogo.resource import Relation

MAX_COPIES = 100
"""Objects of one kind and name that the nearest one is chosen from."""
CLUSTER_WIDE = frozenset((
    "clusterrole", "clusterrolebinding", "storageclass", "persistentvolume", "priorityclass", "ingressclass", "gatewayclass",
    "clusterissuer", "clustersecretstore", "namespace",
))  # fmt: skip
"""Kinds that are in no namespace, whatever the one is that the objects around them are in."""


def kind_of(draft: Draft) -> str:
    """`kubernetes.deployment` → deployment."""
    return draft.kind.rpartition(".")[2]


def space_of(draft: Draft) -> str:
    """The namespace, from the address."""
    return draft.address.split("/")[1]


def called(draft: Draft) -> str:
    """The name, or the expression that stands for it in a template."""
    if draft.name is not None:
        return draft.name
    written = draft.node.get("metadata", "name") or draft.extra.get("name")
    return written.text if written is not None and written.text else draft.address


def is_hook_of_tests(draft: Draft) -> bool:
    """True for what Helm runs to test a release: it has the labels of what it tests, but serves nobody."""
    annotations = draft.node.get("metadata", "annotations")
    hook = annotations.entries().get("helm.sh/hook") if annotations is not None else None
    return hook is not None and (hook.string() or "").startswith("test")


def rank(source: Draft, target: Draft) -> int | None:
    """Lower is nearer: the same environment, what is for all of them, what only one of them adds; None is another one's."""
    if source.environment == target.environment:
        return 0
    if target.environment is None:
        return 1
    return 2 if source.environment is None else None


class Objects:
    """Every object of the tree that is no patch of another."""

    def __init__(self, drafts: Iterable[Draft]) -> None:
        self.members = [d for d in drafts if d.kind.startswith("kubernetes.") and d.address.count("/") == 2 and not d.part_of]
        named: dict[tuple[str, str, str], list[Draft]] = defaultdict(list)
        for draft in self.members:
            kind = kind_of(draft)
            same = named[kind, "" if kind in CLUSTER_WIDE else space_of(draft), called(draft)]
            if len(same) < MAX_COPIES:
                same.append(draft)
        self._named: Mapping[tuple[str, str, str], Sequence[Draft]] = named

    def has(self, source: Draft, kind: str, name: str) -> bool:
        """Whether an object of the source's namespace is called so."""
        return (kind, space_of(source), name) in self._named

    def meant(self, source: Draft, kind: str, name: str, space: str | None = None) -> list[Draft]:
        """What the name means to the source: the nearest copy; of what single environments add, the nearest of each."""
        where = "" if kind in CLUSTER_WIDE else space or space_of(source)
        ranked = [(r, other) for other in self._named.get((kind, where, name), ()) if (r := rank(source, other)) is not None]
        return nearest_of(source, ranked)


def nearest_of(source: Draft, ranked: Sequence[tuple[int, Draft]]) -> list[Draft]:
    """The nearest of those with the best rank; one for each environment where they are single environments'."""
    if len(ranked) == 1:
        return [ranked[0][1]]
    best = min((r for r, _ in ranked), default=0)
    groups: dict[str | None, list[Draft]] = defaultdict(list)
    for r, other in ranked:
        if r == best:
            groups[other.environment].append(other)
    return [min(group, key=lambda other: _distance(source, other)) for group in groups.values()]


def _distance(source: Draft, other: Draft) -> tuple[int, int, str]:
    """The same file, then the nearest folder."""
    if other.file == source.file:
        return (-1, abs(other.line - source.line), "")
    here, there = posixpath.dirname(source.file).split("/"), posixpath.dirname(other.file).split("/")
    shared = next((i for i, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), min(len(here), len(there)))
    return (len(here) + len(there) - 2 * shared, 0, other.file)


def link_to(source: Draft, target: Draft, relation: Relation, said: Node, evidence: str) -> Link:
    """An edge that stands where `said` does: in the source's file, or in the one that the value comes from."""
    return Link(
        source.address,
        target.address,
        relation,
        said.file or source.file,
        said.line,
        evidence[:200],
        source.scope,
        target_scope=target.scope,
    )
