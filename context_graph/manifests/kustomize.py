"""kustomization.yaml: an overlay's own settings (replicas, images, generated configuration) as resources of their environment."""

import posixpath
from collections.abc import Callable, Iterable, Iterator

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.kustomize_patches import written_patches
from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.overlays import PATCH_OF


def is_kustomization(root: Node, file: str) -> bool:
    """True for a kustomization, by its kind or its name."""
    kind = root.entries().get("kind")
    named = posixpath.basename(file) in ("kustomization.yaml", "kustomization.yml", "Kustomization")
    return (kind is not None and kind.string() in ("Kustomization", "Component")) or (
        named and bool({"resources", "bases", "patches", "images", "patchesStrategicMerge"} & root.entries().keys())
    )


def read_kustomization(
    root: Node, file: str, *, environment: str | None, text_of: Callable[[str], str | None] = lambda _: None
) -> Reading:
    """What the overlay sets itself; the objects that it lists are read from their own files."""
    draft = Draft("kustomize.overlay", f"kustomization/{posixpath.dirname(file) or '.'}", file, root.line, max(root.line, root.end_line),
                  root, environment=environment, scope=posixpath.dirname(file))  # fmt: skip
    for item in _items(root, "replicas"):
        name, count = item.get("name"), item.get("count")
        if name is not None and count is not None:
            draft.extra[f"replicas.{name.string()}"] = count
    for item in _items(root, "images"):
        name, tag = item.get("name"), item.get("newTag") or item.get("digest") or item.get("newName")
        if name is not None and tag is not None:
            draft.extra[f"image.{name.string()}"] = tag
    reading = Reading(drafts=[draft, *written_patches(root, file, text_of, environment=environment)])
    for key in ("configMapGenerator", "secretGenerator"):
        for item in _items(root, key):
            reading.drafts += _generated(root, item, key, draft)
            literals = item.get("literals")
            variables = variables_of(literals)
            name = item.get("name")
            label = name.string() if name is not None else "?"
            settings = environment_settings(variables, line=literals.line if literals is not None else item.line)
            if key == "secretGenerator":
                settings = {k: v if k == "environment_keys" else Node("(withheld)", v.line) for k, v in settings.items()}
            draft.extra |= {f"{label}.{k}": v for k, v in settings.items()}
    draft.ready = ("replicas", "images", "configMapGenerator", "secretGenerator", "apiVersion", "kind")
    draft.part_of = draft.address
    return reading


def _generated(root: Node, item: Node, key: str, overlay: Draft) -> list[Draft]:
    """The object that a generator makes; one that only adds to another's (`behavior: merge`) is not made here."""
    name_node, behavior = item.get("name"), item.get("behavior")
    name = name_node.string() if name_node is not None else None
    if name is None or (behavior is not None and behavior.string() == "merge"):
        return []
    kind = "configmap" if key == "configMapGenerator" else "secret"
    address = f"{kind}/{namespace_of(root) or 'default'}/{name}"
    made = Draft(f"kubernetes.{kind}", address, overlay.file, item.line, max(item.line, item.end_line), Node({}, item.line), name)
    made.scope, made.environment = overlay.file, overlay.environment
    return [made]


def mark_patches(drafts: Iterable[Draft]) -> None:
    """Objects in files that a kustomization lists as patches only change an object that stands elsewhere."""
    members = list(drafts)
    patches = {
        posixpath.normpath(posixpath.join(posixpath.dirname(overlay.file), path))
        for overlay in members
        if overlay.kind == "kustomize.overlay"
        for path in _patch_paths(overlay.node)
    }
    for draft in members:
        if draft.kind.startswith("kubernetes.") and (draft.file in patches or PATCH_OF in draft.extra):
            draft.part_of = draft.address


def _patch_paths(root: Node) -> Iterator[str]:
    for key in ("patches", "patchesStrategicMerge", "patchesJson6902"):
        for item in _items(root, key):
            path = item.get("path") if item.entries() else item
            written = path.string() if path is not None else None
            if written is not None and "\n" not in written:
                yield written


def namespace_of(root: Node) -> str | None:
    """The namespace that the kustomization gives to everything it lists."""
    found = root.get("namespace")
    return found.string() if found is not None else None


def _items(root: Node, key: str) -> list[Node]:
    found = root.get(key)
    return found.items() if found is not None else []
