"""kustomization.yaml: an overlay's own settings (replicas, images, generated configuration) as resources of their environment."""

import posixpath

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.node import Draft, Node, Reading


def is_kustomization(root: Node, file: str) -> bool:
    """True for a kustomization, by its kind or its name."""
    kind = root.entries().get("kind")
    named = posixpath.basename(file) in ("kustomization.yaml", "kustomization.yml", "Kustomization")
    return (kind is not None and kind.string() in ("Kustomization", "Component")) or (
        named and bool({"resources", "bases", "patches", "images", "patchesStrategicMerge"} & root.entries().keys())
    )


def read_kustomization(root: Node, file: str, *, environment: str | None) -> Reading:
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
    for key in ("configMapGenerator", "secretGenerator"):
        for item in _items(root, key):
            literals = item.get("literals")
            variables = variables_of(literals)
            name = item.get("name")
            label = name.string() if name is not None else "?"
            settings = environment_settings(variables, line=literals.line if literals is not None else item.line)
            if key == "secretGenerator":
                settings = {k: v if k == "environment_keys" else Node("(withheld)", v.line) for k, v in settings.items()}
            draft.extra |= {f"{label}.{k}": v for k, v in settings.items()}
    draft.ready = ("replicas", "images", "configMapGenerator", "secretGenerator", "apiVersion", "kind")
    return Reading(drafts=[draft])


def namespace_of(root: Node) -> str | None:
    """The namespace that the kustomization gives to everything it lists."""
    found = root.get("namespace")
    return found.string() if found is not None else None


def _items(root: Node, key: str) -> list[Node]:
    found = root.get(key)
    return found.items() if found is not None else []
