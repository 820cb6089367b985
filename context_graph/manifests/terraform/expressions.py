"""Evaluates HCL expressions into value trees; what the text does not settle becomes an unknown with its references."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from tree_sitter import Node as Syntax

from context_graph.manifests.node import Node, Reference, Scalar
from context_graph.manifests.terraform.functions import MAX_TEXT, Call, called
from context_graph.manifests.terraform.operators import BINARY, whole
from context_graph.manifests.terraform.syntax import written

MAX_DEPTH = 80
MAX_ITEMS = 500
_TRANSPARENT = ("var", "local", "module")
"""A value stands where these are set; of another resource's attribute it is the use that counts."""
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\", "\\r": "\r"}


class Scope(Protocol):
    """What names mean where an expression stands."""

    def named(self, path: tuple[str, ...], line: int) -> Node:
        """The value of a traversal such as `var.size`, `local.tags.team` or `aws_sqs_queue.orders.arn`."""
        ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An expression's surroundings: the names, the file, and the values of loop variables."""

    scope: Scope
    file: str
    loop: Mapping[str, Node]
    room: int = 5_000
    """Elements that loops may still make here, all nested ones multiplied."""

    def value(self, expression: Syntax, depth: int = 0) -> Node:
        """The expression's value. `line` and `file` of the result say where the value stands."""
        return _value(self, expression, depth)


def _value(at: Evaluation, node: Syntax, depth: int) -> Node:
    children = node.children
    if not children:
        return _unknown(at, node, ())
    if node.type != "expression":
        return _primary(at, [node], depth)
    return _primary(at, children, depth)


def _primary(at: Evaluation, parts: list[Syntax], depth: int) -> Node:
    """One operand: its first part, and the attributes and indices after it."""
    first = parts[0]
    if depth > MAX_DEPTH:
        return Node(None, first.start_point[0] + 1, text="(nested too deep)", is_known=False, file=at.file)
    if first.type == "variable_expr":
        return _traversal(at, parts, depth)
    handler = _HANDLERS.get(first.type)
    if first.type == "(" and len(parts) >= 3:
        value = _value(at, parts[1], depth + 1)
        rest = parts[3:]
    elif handler is not None:
        value = handler(at, first, depth + 1)
        rest = parts[1:]
    else:
        value = _unknown(at, first, ())
        rest = []
    for step in rest:
        value = _step(at, value, step, depth)
    return value


def _traversal(at: Evaluation, parts: list[Syntax], depth: int) -> Node:
    """`a.b["c"].d[0]`: the names as far as they are literal, then steps into the value."""
    path = [written(parts[0])]
    inner: list[Reference] = []
    literal = True
    for step in parts[1:]:
        if step.type == "get_attr":
            path.append(written(step.children[-1]))
        elif step.type == "index" and literal:
            key = _index_key(at, step, depth)
            inner += key.references
            name = key.string()
            path.append(f"[{name}]" if name is not None else "[*]")
        elif step.type == "splat":
            path.append("[*]")
            path += [written(s.children[-1]) for s in step.children[0].children if s.type == "get_attr"]
    if path[0] in at.loop:
        value = at.loop[path[0]]
        for name in path[1:]:
            value = _member(at, value, name, parts[0])
        return value
    line = parts[0].start_point[0] + 1
    value = at.scope.named(tuple(path), line)
    if not value.is_known:
        text = "".join(written(part) for part in parts)
        return replace(value, line=line, text=text[:400], references=(*value.references, *inner), file=at.file)
    if path[0] not in _TRANSPARENT:
        return replace(value, line=line, text="".join(written(part) for part in parts)[:400], file=at.file)
    return value


def _index_key(at: Evaluation, step: Syntax, depth: int) -> Node:
    inside = step.children[0]
    if inside.type == "legacy_index":
        return Node(written(inside)[1:], step.start_point[0] + 1)
    expression = next((child for child in inside.children if child.type == "expression"), None)
    return _value(at, expression, depth + 1) if expression is not None else _unknown(at, step, ())


def _step(at: Evaluation, value: Node, step: Syntax, depth: int) -> Node:
    if step.type == "get_attr":
        return _member(at, value, written(step.children[-1]), step)
    if step.type == "index":
        name = _index_key(at, step, depth).string()
        return _member(at, value, f"[{name}]" if name is not None else "[*]", step)
    if step.type == "splat":
        names = [written(s.children[-1]) for s in step.children[0].children if s.type == "get_attr"]
        items: list[Node] = []
        for item in value.items()[:MAX_ITEMS]:
            for name in names:
                item = _member(at, item, name, step)  # noqa: PLW2901
            items.append(item)
        return replace(value, value=items) if value.is_known else value
    return value


def _member(at: Evaluation, value: Node, name: str, where: Syntax) -> Node:
    bare = name[1:-1] if name.startswith("[") else name
    found: Node | None = None
    if isinstance(value.value, dict):
        found = value.value.get(bare)
    elif isinstance(value.value, list) and bare.isdigit() and int(bare) < len(value.value):
        found = value.value[int(bare)]
    if found is not None:
        return found
    return Node(None, where.start_point[0] + 1, text=value.text, is_known=False, references=value.references, file=at.file)


def _literal(at: Evaluation, node: Syntax, _depth: int) -> Node:
    child = node.children[0] if node.children else node
    text = written(child)
    value: Scalar
    if child.type == "string_lit":
        value = _unescaped(text[1:-1])
    elif child.type == "numeric_lit":
        value = _number(text)
    elif child.type == "bool_lit":
        value = text == "true"
    else:
        value = None
    return Node(value, node.start_point[0] + 1, text=text[:400], file=at.file)


def _template(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.type == "template_expr" and node.children else node
    line = node.start_point[0] + 1
    parts: list[str] = []
    references: list[Reference] = []
    is_known = True
    if inner.type == "heredoc_template":
        return _heredoc(at, inner, depth)
    for child in inner.children:
        if child.type == "template_literal":
            parts.append(_unescaped(written(child)))
        elif child.type == "template_interpolation":
            value = _interpolated(at, child, depth)
            references += value.references
            string = value.string()
            is_known = is_known and string is not None
            parts.append(string if string is not None else written(child))
        elif child.type == "template_directive":
            is_known = False
            parts.append(written(child))
    text = written(inner)[1:-1] if inner.type == "quoted_template" else written(inner)
    if is_known:
        return Node("".join(parts)[:MAX_TEXT], line, text=text[:400], references=tuple(references), file=at.file)
    return Node(None, line, text="".join(parts)[:MAX_TEXT], is_known=False, references=tuple(references), file=at.file)


def _interpolated(at: Evaluation, node: Syntax, depth: int) -> Node:
    expression = next((child for child in node.children if child.type == "expression"), None)
    return _value(at, expression, depth + 1) if expression is not None else _unknown(at, node, ())


def _heredoc(at: Evaluation, node: Syntax, depth: int) -> Node:
    """The text is taken whole, since the grammar drops white space between its parts."""
    whole = written(node)
    rest = whole.partition("\n")[2]
    body = rest.rpartition("\n")[0] if "\n" in rest else ""
    references: list[Reference] = []
    is_known = True
    for child in node.children:
        if child.type == "template_interpolation":
            value = _interpolated(at, child, depth)
            references += value.references
            string = value.string()
            if string is None:
                is_known = False
            else:
                body = body.replace(written(child), string, 1)
        elif child.type == "template_directive":
            is_known = False
    line = node.start_point[0] + 2
    shown = body[:MAX_TEXT]
    value = shown if is_known else None
    return Node(value, line, text=shown, is_known=is_known, references=tuple(references), file=at.file)


def _collection(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.children else node
    line, end = node.start_point[0] + 1, node.end_point[0] + 1
    if inner.type == "tuple":
        items = [_value(at, child, depth + 1) for child in inner.children if child.type == "expression"]
        return Node(items, line, text=written(node)[:400], end_line=end, file=at.file)
    entries: dict[str, Node] = {}
    for element in inner.children:
        if element.type == "object_elem":
            key, value = element.children[0], element.children[-1]
            entries[_object_key(at, key, depth)] = _value(at, value, depth + 1)
    return Node(entries, line, text=written(node)[:400], end_line=end, file=at.file)


def _object_key(at: Evaluation, key: Syntax, depth: int) -> str:
    if len(key.children) == 1 and key.children[0].type == "variable_expr":
        return written(key)
    return _value(at, key, depth + 1).string() or written(key)


def _call(at: Evaluation, node: Syntax, depth: int) -> Node:
    line = node.start_point[0] + 1
    name = written(node.children[0])
    listed = next((child for child in node.children if child.type == "function_arguments"), None)
    expressions = [child for child in listed.children if child.type == "expression"] if listed is not None else []
    arguments = [_value(at, expression, depth + 1) for expression in expressions[:MAX_ITEMS]]
    if listed is not None and any(child.type == "ellipsis" or written(child) == "..." for child in listed.children):
        arguments = [*arguments[:-1], *arguments[-1].items()]
    found = called(name, Call(arguments, line, written(node)[:400])) if arguments else None
    if found is not None:
        return found if found.file is not None else replace(found, file=at.file)
    return _unknown(at, node, arguments)


def _conditional(at: Evaluation, node: Syntax, depth: int) -> Node:
    parts = [child for child in node.children if child.type == "expression"]
    if len(parts) != 3:
        return _unknown(at, node, ())
    condition = _value(at, parts[0], depth + 1)
    chosen = {"true": 1, "false": 2}.get(condition.string() or "")
    if chosen is not None:
        return _value(at, parts[chosen], depth + 1)
    return _unknown(at, node, [_value(at, part, depth + 1) for part in parts[1:]])


def _operation(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.children else node
    if inner.type == "unary_operation" and len(inner.children) >= 2:
        value = _primary(at, inner.children[1:], depth + 1)
        number = value.number()
        sign = written(inner.children[0])
        if sign == "-" and number is not None:
            return replace(value, value=whole(-number), text=written(node))
        if sign == "!" and value.string() in ("true", "false"):
            return replace(value, value=value.string() == "false", text=written(node))
        return _unknown(at, node, (value,))
    place = next((i for i, child in enumerate(inner.children) if written(child) in BINARY and i > 0), None)
    if inner.type != "binary_operation" or place is None:
        return _unknown(at, node, ())
    left = _primary(at, inner.children[:place], depth + 1)
    right = _primary(at, inner.children[place + 1 :], depth + 1)
    found = BINARY[written(inner.children[place])](left, right)
    return (
        Node(found, node.start_point[0] + 1, text=written(node)[:400], file=at.file)
        if found is not None
        else _unknown(at, node, (left, right))
    )


def _for(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.children else node
    intro = next((child for child in inner.children if child.type == "for_intro"), None)
    condition = next((child for child in inner.children if child.type == "for_cond"), None)
    bodies = [child for child in inner.children if child.type == "expression"]
    if intro is None or not bodies:
        return _unknown(at, node, ())
    names = [written(child) for child in intro.children if child.type == "identifier"]
    source = next((child for child in intro.children if child.type == "expression"), None)
    collection = _value(at, source, depth + 1) if source is not None else _unknown(at, node, ())
    items = pairs(collection)
    if items is None or not names or len(items) > at.room:
        return _unknown(at, node, (collection,))
    is_object = inner.type == "for_object_expr"
    found: list[tuple[str, Node]] = []
    for key, value in items:
        loop = dict(at.loop) | ({names[0]: key, names[1]: value} if len(names) > 1 else {names[0]: value})
        inside = replace(at, loop=loop, room=at.room // len(items))
        if condition is not None:
            test = next((child for child in condition.children if child.type == "expression"), None)
            kept = _value(inside, test, depth + 1).string() if test is not None else "true"
            if kept == "false":
                continue
            if kept is None:
                return _unknown(at, node, (collection,))
        name = _value(inside, bodies[0], depth + 1).string() if is_object else ""
        if name is None:
            return _unknown(at, node, (collection,))
        found.append((name, _value(inside, bodies[-1], depth + 1)))
    line, text = node.start_point[0] + 1, written(node)[:400]
    return Node(dict(found) if is_object else [value for _, value in found], line, text=text, file=at.file)


def pairs(collection: Node) -> list[tuple[Node, Node]] | None:
    """The keys and values that a loop over the collection sees; None when they are unknown."""
    if not collection.is_known:
        return None
    if isinstance(collection.value, dict):
        return [(Node(key, node.line, text=key, file=node.file), node) for key, node in sorted(collection.value.items())]
    if isinstance(collection.value, list):
        return [(Node(i, node.line, text=str(i), file=node.file), node) for i, node in enumerate(collection.value)]
    return None


def _unknown(at: Evaluation, node: Syntax, parts: "list[Node] | tuple[Node, ...]") -> Node:
    references = [reference for part in parts for _, below in part.walk() for reference in below.references]
    unique = tuple(dict.fromkeys(references))
    return Node(None, node.start_point[0] + 1, text=written(node)[:400], is_known=False, references=unique, file=at.file)


def _number(text: str) -> int | float | str:
    try:
        return int(text) if text.isdigit() else whole(float(text))
    except (ValueError, OverflowError):
        return text


def _unescaped(text: str) -> str:
    if "\\" in text:
        for sign, meant in _ESCAPES.items():
            text = text.replace(sign, meant)
    return text.replace("$${", "${").replace("%%{", "%{") if "{" in text else text


_HANDLERS: dict[str, Callable[[Evaluation, Syntax, int], Node]] = {
    "literal_value": _literal,
    "template_expr": _template,
    "collection_value": _collection,
    "function_call": _call,
    "conditional": _conditional,
    "operation": _operation,
    "for_expr": _for,
    "expression": _value,
}
