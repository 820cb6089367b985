"""Patches that are no files of objects: written into the kustomization, or as JSON 6902 operations (RFC 6902)."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import replace

from context_graph.manifests.kubernetes import is_object, read_object
from context_graph.manifests.node import Draft, Node
from context_graph.manifests.overlays import PATCH_OF
from context_graph.manifests.yaml_source import YamlError, read_yaml

_LISTS = ("patches", "patchesJson6902", "patchesStrategicMerge")


def written_patches(root: Node, file: str, text_of: Callable[[str], str | None], *, environment: str | None) -> Iterator[Draft]:
    """One draft a patch, as if it were an object that says nothing else; operations that remove are left out."""
    for key in _LISTS:
        listed = root.get(key)
        for number, item in enumerate(listed.items() if listed is not None else []):
            patch, path = (item.get("patch"), item.get("path")) if item.entries() else (item, None)
            text, where, shift = patch.string() if patch is not None else None, file, patch.line if patch is not None else 0
            if path is not None and (named := path.string()) is not None:
                where, shift = posixpath.normpath(posixpath.join(posixpath.dirname(file), named)), 0
                text = text_of(where)
            if text is None or "\n" not in text:
                continue
            for found in _parsed(text):
                yield from _drafts(_shifted(found, shift), item, where, is_own=path is None, place=f"{key}.{number}", file=file, environment=environment)  # fmt: skip


def _parsed(text: str) -> list[Node]:
    try:
        return read_yaml(text)
    except YamlError:
        return []


def _drafts(
    found: Node, item: Node, where: str, *, is_own: bool, place: str, file: str, environment: str | None
) -> Iterator[Draft]:
    if isinstance(found.value, list):
        found = _object_of(found, item)
    elif not is_own:
        return  # an object in a file of its own is read from there
    if not is_object(found):
        return
    for draft in read_object(found, where, environment=environment).drafts:
        draft.part_of, draft.scope = draft.address, f"{file}#{place}"
        draft.extra[PATCH_OF] = Node(place, item.line, text=place)
        if where != file:
            draft.extra = {k: n if n.file else replace(n, file=where) for k, n in draft.extra.items()}
            draft.file = file
        yield draft


def _object_of(operations: Node, item: Node) -> Node:
    """The object that has just what the operations put into it; list positions other than the first are left out."""
    kind, name = item.get("target", "kind"), item.get("target", "name")
    version = Node("v1", operations.line, text="v1")
    made: dict[str, Node] = {
        "apiVersion": version,
        "kind": kind or version,
        "metadata": Node({"name": name} if name is not None else {}, operations.line),
    }
    if kind is None:
        return operations
    for operation in operations.items():
        verb, path, value = operation.get("op"), operation.get("path"), operation.get("value")
        written = path.string() if path is not None else None
        if verb is None or verb.string() not in ("add", "replace") or written is None or value is None:
            continue
        keys = [part.replace("~1", "/").replace("~0", "~") for part in written.strip("/").split("/")]
        if keys[0] not in ("apiVersion", "kind") and not any(k.isdigit() and k != "0" for k in keys):
            _place(made, keys, value)
    return Node(made, operations.line, end_line=operations.end_line)


def _place(into: dict[str, Node], keys: list[str], value: Node) -> None:
    first, rest = keys[0], keys[1:]
    if not rest or rest == ["-"]:
        into[first] = value
        return
    if rest[0] == "0" and len(rest) > 1:
        held = into.setdefault(first, Node([Node({}, value.line)], value.line))
        inner = held.items()[0] if held.items() else Node({}, value.line)
        rest = rest[1:]
    else:
        inner = into.setdefault(first, Node({}, value.line))
    below = inner.value
    if isinstance(below, dict):
        _place(below, rest, value)


def _shifted(node: Node, lines: int) -> Node:
    if lines == 0:
        return node
    below = node.value
    if isinstance(below, dict):
        below = {key: _shifted(inner, lines) for key, inner in below.items()}
    elif isinstance(below, list):
        below = [_shifted(inner, lines) for inner in below]
    return replace(node, value=below, line=node.line + lines, end_line=node.end_line + lines if node.end_line else 0)
