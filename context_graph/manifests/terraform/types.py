"""`optional(type, default)` in the type of a variable: what a value lacks, at any depth of maps, lists and objects."""

from collections.abc import Callable
from dataclasses import replace

from context_graph.manifests.node import Node
from context_graph.manifests.terraform.syntax import Syntax

MAX_DEPTH = 12
_OF_MANY = ("map", "list", "set")


def completed(value: Node, wanted: Syntax, default_of: Callable[[Syntax], Node], depth: int = 0) -> Node:
    """The value with the defaults of its type. `default_of` gives the value of a default's expression."""
    name, argument = _constructor(wanted)
    if depth > MAX_DEPTH or argument is None:
        return value
    if name == "object" and isinstance(value.value, dict):
        return replace(value, value=_object(value.value, argument, default_of, depth))
    if name in _OF_MANY and isinstance(value.value, dict):
        return replace(value, value={k: completed(v, argument, default_of, depth + 1) for k, v in value.value.items()})
    if name in _OF_MANY and isinstance(value.value, list):
        return replace(value, value=[completed(item, argument, default_of, depth + 1) for item in value.value])
    return value


def _object(entries: dict[str, Node], attributes: Syntax, default_of: Callable[[Syntax], Node], depth: int) -> dict[str, Node]:
    found = dict(entries)
    for element in _elements(attributes):
        key, wanted = element.children[0].text, element.children[-1]
        parts = _optional(wanted)
        if parts and (key not in found or (found[key].is_known and found[key].value is None)):
            if len(parts) > 1:
                found[key] = completed(default_of(parts[1]), parts[0], default_of, depth + 1)
        elif key in found:
            found[key] = completed(found[key], parts[0] if parts else wanted, default_of, depth + 1)
    return found


def _elements(attributes: Syntax) -> list[Syntax]:
    """The attributes of `object({...})`."""
    collection = _inner(attributes)
    body = collection.children[0] if collection.type == "collection_value" and collection.children else collection
    return [child for child in body.children if child.type == "object_elem" and len(child.children) >= 2]


def _constructor(wanted: Syntax) -> tuple[str, Syntax | None]:
    """`map(...)` → its name and its argument."""
    call = _inner(wanted)
    if call.type != "function_call" or not call.children:
        return "", None
    parts = _arguments(call)
    return call.children[0].text, parts[0] if parts else None


def _optional(wanted: Syntax) -> list[Syntax]:
    """The type and, where there is one, the default of `optional(...)`; nothing of another type."""
    call = _inner(wanted)
    return _arguments(call) if call.type == "function_call" and call.children[0].text == "optional" else []


def _arguments(call: Syntax) -> list[Syntax]:
    listed = next((child for child in call.children if child.type == "function_arguments"), None)
    return [child for child in listed.children if child.type == "expression"] if listed is not None else []


def _inner(wanted: Syntax) -> Syntax:
    while wanted.type == "expression" and len(wanted.children) == 1:
        wanted = wanted.children[0]
    return wanted
