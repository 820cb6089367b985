"""Evaluates HCL expressions into value trees; what the text does not settle becomes an unknown with its references."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from context_graph.manifests.node import Node, Reference, Scalar
from context_graph.manifests.terraform.call import MAX_TEXT, Call
from context_graph.manifests.terraform.functions import called
from context_graph.manifests.terraform.json_text import json_tree, nested_references
from context_graph.manifests.terraform.operators import BINARY, whole
from context_graph.manifests.terraform.syntax import Syntax
from gonogo.record import Record

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


class Evaluation(Record):
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
        return Node(None, first.line, text="(nested too deep)", is_known=False, file=at.file)
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
    first = parts[0]
    inner: list[Reference] = []
    if first.path is None:
        path, text, is_fixed = _names(at, parts, depth, inner)
        if is_fixed:
            first.path = (path, text)
    else:
        path, text = first.path
    if path[0] in at.loop:
        value = at.loop[path[0]]
        for name in path[1:]:
            value = _member(at, value, name, first)
        return value
    value = at.scope.named(path, first.line)
    if not value.is_known:
        references = (*value.references, *inner) if inner else value.references
        return Node(None, first.line, text, is_known=False, references=references, file=at.file, tree=value.tree)
    if path[0] not in _TRANSPARENT:
        return replace(value, line=first.line, text=text, file=at.file)
    return value


def _names(at: Evaluation, parts: list[Syntax], depth: int, inner: list[Reference]) -> tuple[tuple[str, ...], str, bool]:
    """The names, the text, and whether the names are the same wherever the traversal is evaluated."""
    path = [parts[0].text]
    is_fixed = True
    for step in parts[1:]:
        if step.type == "get_attr":
            path.append(step.children[-1].text)
        elif step.type == "index":
            is_fixed = is_fixed and _is_literal(step)
            key = _index_key(at, step, depth)
            inner += key.references
            name = key.string()
            path.append(f"[{name}]" if name is not None else "[*]")
        elif step.type == "splat":
            path.append("[*]")
            path += [s.children[-1].text for s in step.children[0].children if s.type == "get_attr"]
    return tuple(path), "".join(part.text for part in parts)[:400], is_fixed


def _is_literal(step: Syntax) -> bool:
    """True for `[0]`, `["key"]` and `.0`."""
    inside = step.children[0]
    if inside.type == "legacy_index":
        return True
    expression = next((child for child in inside.children if child.type == "expression"), None)
    return expression is not None and len(expression.children) == 1 and expression.children[0].type == "literal_value"


def _index_key(at: Evaluation, step: Syntax, depth: int) -> Node:
    inside = step.children[0]
    if inside.type == "legacy_index":
        return Node(inside.text[1:], step.line)
    expression = next((child for child in inside.children if child.type == "expression"), None)
    return _value(at, expression, depth + 1) if expression is not None else _unknown(at, step, ())


def _step(at: Evaluation, value: Node, step: Syntax, depth: int) -> Node:
    if step.type == "get_attr":
        return _member(at, value, step.children[-1].text, step)
    if step.type == "index":
        name = _index_key(at, step, depth).string()
        return _member(at, value, f"[{name}]" if name is not None else "[*]", step)
    if step.type == "splat":
        names = [s.children[-1].text for s in step.children[0].children if s.type == "get_attr"]
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
    return Node(None, where.line, text=value.text, is_known=False, references=value.references, file=at.file)


def _literal(at: Evaluation, node: Syntax, _depth: int) -> Node:
    child = node.children[0] if node.children else node
    text = child.text
    value: Scalar
    if child.type == "string_lit":
        value = _unescaped(text[1:-1])
    elif child.type == "numeric_lit":
        value = _number(text)
    elif child.type == "bool_lit":
        value = text == "true"
    else:
        value = None
    return Node(value, node.line, text=text[:400], file=at.file)


def _template(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.type == "template_expr" and node.children else node
    line = node.line
    parts: list[str] = []
    pieces: list[str | Node] = []
    references: list[Reference] = []
    is_known, has_directive = True, False
    if inner.type == "heredoc_template":
        return _heredoc(at, inner, depth)
    for child in inner.children:
        if child.type == "template_literal":
            parts.append(_unescaped(child.text))
            pieces.append(parts[-1])
        elif child.type == "template_interpolation":
            value = _interpolated(at, child, depth)
            references += nested_references(value)
            string = value.string()
            is_known = is_known and string is not None
            parts.append(string if string is not None else child.text)
            pieces.append(value)
        elif child.type == "template_directive":
            is_known, has_directive = False, True
            parts.append(child.text)
    text = inner.text[1:-1] if inner.type == "quoted_template" else inner.text
    shown, tree = "".join(parts)[:MAX_TEXT], None if has_directive else json_tree(pieces, line)
    if is_known:
        return Node(shown, line, text=text[:400], references=tuple(references), file=at.file, tree=tree)
    return Node(None, line, text=shown, is_known=False, references=tuple(references), file=at.file, tree=tree)


def _interpolated(at: Evaluation, node: Syntax, depth: int) -> Node:
    expression = next((child for child in node.children if child.type == "expression"), None)
    return _value(at, expression, depth + 1) if expression is not None else _unknown(at, node, ())


def _heredoc(at: Evaluation, node: Syntax, depth: int) -> Node:
    """The text is taken whole, since the grammar drops white space between its parts."""
    whole = node.text
    rest = whole.partition("\n")[2]
    body = rest.rpartition("\n")[0] if "\n" in rest else ""
    parts: list[str] = []
    pieces: list[str | Node] = []
    references: list[Reference] = []
    is_known, has_directive, left = True, False, body
    for child in node.children:
        if child.type == "template_interpolation":
            value = _interpolated(at, child, depth)
            references += nested_references(value)
            before, _, left = left.partition(child.text)
            string = value.string()
            is_known = is_known and string is not None
            parts += [before, string if string is not None else child.text]
            pieces += [before, value]
        elif child.type == "template_directive":
            is_known, has_directive = False, True
    line = node.line + 1
    shown = "".join([*parts, left])[:MAX_TEXT]
    tree = None if has_directive else json_tree([*pieces, left], line)
    value = shown if is_known else None
    return Node(value, line, text=shown, is_known=is_known, references=tuple(references), file=at.file, tree=tree)


def _collection(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.children else node
    line, end = node.line, node.end_line
    if inner.type == "tuple":
        items = [_value(at, child, depth + 1) for child in inner.children if child.type == "expression"]
        return Node(items, line, text=node.text[:400], end_line=end, file=at.file)
    entries: dict[str, Node] = {}
    for element in inner.children:
        if element.type == "object_elem":
            key, value = element.children[0], element.children[-1]
            entries[_object_key(at, key, depth)] = _value(at, value, depth + 1)
    return Node(entries, line, text=node.text[:400], end_line=end, file=at.file)


def _object_key(at: Evaluation, key: Syntax, depth: int) -> str:
    if len(key.children) == 1 and key.children[0].type == "variable_expr":
        return key.text
    return _value(at, key, depth + 1).string() or key.text


def _call(at: Evaluation, node: Syntax, depth: int) -> Node:
    if node.call is None:
        listed = next((child for child in node.children if child.type == "function_arguments"), None)
        below = listed.children if listed is not None else []
        expressions = [child for child in below if child.type == "expression"][:MAX_ITEMS]
        node.call = (node.children[0].text, expressions, any(c.type == "ellipsis" or c.text == "..." for c in below))
    name, expressions, is_spread = node.call
    arguments = [_value(at, expression, depth + 1) for expression in expressions]
    if is_spread and arguments:
        arguments = [*arguments[:-1], *arguments[-1].items()]
    found = called(name, Call(arguments, node.line, node.text[:400])) if arguments else None
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
        sign = inner.children[0].text
        if sign == "-" and number is not None:
            return replace(value, value=whole(-number), text=node.text)
        if sign == "!" and value.string() in ("true", "false"):
            return replace(value, value=value.string() == "false", text=node.text)
        return _unknown(at, node, (value,))
    place = next((i for i, child in enumerate(inner.children) if child.text in BINARY and i > 0), None)
    if inner.type != "binary_operation" or place is None:
        return _unknown(at, node, ())
    left = _primary(at, inner.children[:place], depth + 1)
    right = _primary(at, inner.children[place + 1 :], depth + 1)
    found = BINARY[inner.children[place].text](left, right)
    return Node(found, node.line, text=node.text[:400], file=at.file) if found is not None else _unknown(at, node, (left, right))


def _for(at: Evaluation, node: Syntax, depth: int) -> Node:
    inner = node.children[0] if node.children else node
    intro = next((child for child in inner.children if child.type == "for_intro"), None)
    condition = next((child for child in inner.children if child.type == "for_cond"), None)
    bodies = [child for child in inner.children if child.type == "expression"]
    if intro is None or not bodies:
        return _unknown(at, node, ())
    names = [child.text for child in intro.children if child.type == "identifier"]
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
    line, text = node.line, node.text[:400]
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
    references = [reference for part in parts for _, below in part.mentions() for reference in below.references]
    unique = tuple(dict.fromkeys(references)) if len(references) > 1 else tuple(references)
    return Node(None, node.line, text=node.text[:400], is_known=False, references=unique, file=at.file)


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
