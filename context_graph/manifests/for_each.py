"""`Fn::ForEach` of the AWS::LanguageExtensions transform, written out.

https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-foreach.html
"""

from collections.abc import Mapping
from dataclasses import replace

from context_graph.manifests.node import MAX_DEPTH, Node

_LOOP = "Fn::ForEach::"
MAX_MADE = 500
"""Entries that the loops of one section may make; loops past it are left out."""
_MAX_NESTING = 5


def written_out(entries: Mapping[str, Node], parameters: Mapping[str, Node | None], depth: int = 0) -> dict[str, Node]:
    """The entries with every loop replaced by what it makes; a loop over what the template does not settle makes none."""
    if not any(key.startswith(_LOOP) for key in entries):
        return dict(entries)
    found: dict[str, Node] = {}
    for key, entry in entries.items():
        if not key.startswith(_LOOP):
            found[key] = entry
            continue
        if not isinstance(entry.value, list) or len(entry.value) != 3 or depth >= _MAX_NESTING:
            continue
        name, collection, body = entry.value
        loop = name.string() or ""
        for word in _words(collection, parameters):
            made = {_put(k, loop, word): _filled(below, loop, word, 0) for k, below in body.entries().items()}
            found |= written_out(made, parameters, depth + 1)
            if len(found) > MAX_MADE:
                return found
    return found


def _words(collection: Node, parameters: Mapping[str, Node | None]) -> list[str]:
    name = _referred(collection)
    if name is not None:
        default = parameters.get(name)
        written = default.string() if default is not None else None
        return [word.strip() for word in written.split(",")] if written else []
    return [word for item in collection.items() if (word := item.string()) is not None]


def _referred(node: Node) -> str | None:
    """The name in `Ref`, in either spelling."""
    name, argument = next(iter(node.entries().items()), ("", node))
    return argument.string() if len(node.entries()) == 1 and name in ("Ref", "!Ref") else None


def _put(text: str, loop: str, word: str) -> str:
    plain = "".join(c for c in word if c.isalnum())
    return text.replace(f"${{{loop}}}", word).replace(f"&{{{loop}}}", plain)


def _filled(node: Node, loop: str, word: str, depth: int) -> Node:
    if depth > MAX_DEPTH:
        return node
    if isinstance(node.value, str):
        return replace(node, value=_put(node.value, loop, word), text=_put(node.text, loop, word))
    if isinstance(node.value, list):
        return replace(node, value=[_filled(item, loop, word, depth + 1) for item in node.value])
    if not isinstance(node.value, dict):
        return node
    if _referred(node) == loop:
        return Node(word, node.line, text=word)
    return replace(node, value={_put(k, loop, word): _filled(below, loop, word, depth + 1) for k, below in node.value.items()})
