"""Fluent calls (`table.string("a").notNullable()`) as a root and its links, for JavaScript and PHP."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gonogo.record import Record
from heuristics.sql.sources.syntax import MISSING, MOST_DEPTH, Missing, end_line_of, everywhere, first, line_of, named

if TYPE_CHECKING:
    from ast_grep_py import SgNode

type Value = str | int | float | bool | tuple[Value, ...] | Mapping[str, Value] | Chain | Function | Missing | None


class Function(Record):
    """A function that is an argument: its parameters and its body."""

    names: tuple[str, ...]
    body: "SgNode"


class Link(Record):
    """One call of a chain."""

    method: str
    args: tuple[Value, ...] = ()
    options: Mapping[str, Value] | None = None
    """Named arguments of the language itself (PHP)."""

    def text(self, place: int) -> str | None:
        """The argument as text."""
        value = self.args[place] if place < len(self.args) else None
        return value if isinstance(value, str) else None

    def mapping(self, place: int) -> Mapping[str, Value]:
        """The argument as an object; empty when it is none."""
        value = self.args[place] if place < len(self.args) else None
        return value if isinstance(value, Mapping) else {}

    def names(self, place: int) -> list[str]:
        """The argument as a list of texts; one text is a list of one."""
        return texts(self.args[place]) if place < len(self.args) else []

    @property
    def function(self) -> Function | None:
        """The function among its arguments."""
        return next((a for a in self.args if isinstance(a, Function)), None)


def texts(value: Value) -> list[str]:
    """A text, or the texts of a list."""
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


class Chain(Record):
    """`root.link().link()`; a plain call has its name as the only link."""

    root: str
    links: tuple[Link, ...]
    line: int
    end_line: int
    text_line: int | None = None
    """The line its first text argument starts on."""

    @property
    def first(self) -> Link:
        """The first call."""
        return self.links[0]

    def has(self, method: str) -> bool:
        """True when a link of that name is in it."""
        return any(x.method == method for x in self.links)

    def link(self, *methods: str) -> Link | None:
        """The first link of one of these names."""
        return next((x for x in self.links if x.method in methods), None)


class Script:
    """Reads JavaScript or TypeScript values."""

    def __init__(self) -> None:
        self.names: dict[str, Value] = {}

    def value(self, node: "SgNode", depth: int = 0) -> Value:
        """Literals, arrays, objects, functions, chains; else MISSING."""
        if depth > MOST_DEPTH:
            return MISSING
        kind = node.kind()
        match kind:
            case "string":
                return "".join(
                    _unescaped(c.text()) for c in node.children() if c.kind() in ("string_fragment", "escape_sequence")
                )
            case "template_string":
                return self._template(node, depth)
            case "number":
                text = node.text().replace("_", "")
                return int(text) if text.isdigit() and len(text) < 20 else MISSING
            case "true" | "false":
                return kind == "true"
            case "null" | "undefined":
                return None
            case "array":
                return tuple(self.value(c, depth + 1) for c in named(node))
            case "object":
                return self._object(node, depth)
            case "arrow_function" | "function_expression" | "function":
                body = node.field("body")
                parameters = node.field("parameters")
                names = [p.text().split(":")[0].strip() for p in named(parameters)] if parameters is not None else []
                single = node.field("parameter")
                return Function(
                    tuple(names or ([single.text()] if single is not None else [])), body if body is not None else node
                )
            case "identifier":
                return self.names.get(node.text(), Chain(node.text(), (), line_of(node), end_line_of(node)))
            case "member_expression":
                return Chain(node.text(), (), line_of(node), end_line_of(node))
            case "call_expression" | "new_expression":
                return self.chain(node, depth + 1)
            case "binary_expression":
                return self._joined(node, depth)
            case (
                "await_expression" | "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression"
            ):
                inner = named(node)
                return self.value(inner[0], depth + 1) if inner else MISSING
            case _:
                return MISSING

    def chain(self, node: "SgNode", depth: int = 0) -> Chain:
        """A call as a chain, innermost first."""
        links: list[Link] = []
        end = end_line_of(node)
        text_line: int | None = None
        root = ""
        for _ in range(MOST_DEPTH):
            if node.kind() == "new_expression":
                called = node.field("constructor")
                links.append(Link(called.text() if called is not None else "", self._arguments(node, depth)))
                break
            if node.kind() != "call_expression":
                root = node.text()
                break
            called = node.field("function")
            if called is None:
                break
            arguments = node.field("arguments")
            text_line = _text_line(arguments) if arguments is not None else text_line
            if arguments is not None and arguments.kind() == "template_string":
                links.append(Link(called.text().rpartition(".")[2], (self.value(arguments, depth + 1),)))
                root = called.text()
                break
            if called.kind() == "member_expression":
                field, owner = called.field("property"), called.field("object")
                links.append(Link(field.text() if field is not None else "", self._arguments(node, depth)))
                if owner is None:
                    break
                node = owner
                if owner.kind() == "await_expression" or owner.kind() == "parenthesized_expression":
                    root = owner.text()
                    break
            else:
                links.append(Link(called.text(), self._arguments(node, depth)))
                break
        links.reverse()
        return Chain(root, tuple(links), line_of(node), end, text_line)

    def _arguments(self, node: "SgNode", depth: int) -> tuple[Value, ...]:
        arguments = node.field("arguments")
        if arguments is None or depth > MOST_DEPTH:
            return ()
        return tuple(self.value(a, depth + 1) for a in named(arguments))

    def _template(self, node: "SgNode", depth: int) -> Value:
        written: list[str] = []
        for child in node.children():
            if child.kind() == "template_substitution":
                inner = named(child)
                value = self.value(inner[0], depth + 1) if inner else MISSING
                written.append(str(value) if isinstance(value, str | int) else child.text().replace("\n", " "))
            elif child.kind() in ("string_fragment", "escape_sequence"):
                written.append(_unescaped(child.text()))
        return "".join(written)

    def _object(self, node: "SgNode", depth: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for pair in node.children():
            if pair.kind() == "pair":
                key, value = pair.field("key"), pair.field("value")
                if key is not None and value is not None:
                    found[key.text().strip("'\"")] = self.value(value, depth + 1)
            elif pair.kind() == "shorthand_property_identifier":
                found[pair.text()] = self.names.get(pair.text(), MISSING)
        return found

    def _joined(self, node: "SgNode", depth: int) -> Value:
        parts = [self.value(c, depth + 1) for c in named(node)]
        return "".join(p for p in parts if isinstance(p, str)) if parts and all(isinstance(p, str) for p in parts) else MISSING

    def remember(self, root: "SgNode") -> None:
        """Constants with literal values."""
        for declared in everywhere(root, "variable_declarator"):
            name, value = declared.field("name"), declared.field("value")
            if name is not None and value is not None and value.kind() in ("string", "template_string", "number", "array"):
                self.names[name.text()] = self.value(value)


def _text_line(arguments: "SgNode") -> int | None:
    text = first(arguments, "template_string", "string") if arguments.kind() == "arguments" else arguments
    return line_of(text) if text is not None else None


def _unescaped(text: str) -> str:
    return {"\\n": "\n", "\\t": "\t", "\\'": "'", '\\"': '"', "\\`": "`", "\\\\": "\\", "\\$": "$"}.get(text, text)


class Php:
    """Reads PHP values."""

    def value(self, node: "SgNode", depth: int = 0) -> Value:
        """Literals, arrays, closures, chains; else MISSING."""
        if depth > MOST_DEPTH:
            return MISSING
        kind = node.kind()
        match kind:
            case "string" | "encapsed_string" | "heredoc" | "nowdoc":
                return self._text(node)
            case "integer":
                return int(node.text()) if node.text().isdigit() and len(node.text()) < 20 else MISSING
            case "boolean":
                return node.text().lower() == "true"
            case "null":
                return None
            case "array_creation_expression":
                return self._array(node, depth)
            case "anonymous_function" | "anonymous_function_creation_expression" | "arrow_function":
                body = node.field("body")
                parameters = [v.text() for v in everywhere(node, "variable_name")][:1]
                return Function(tuple(parameters), body if body is not None else node)
            case "member_call_expression" | "scoped_call_expression" | "function_call_expression":
                return self.chain(node, depth + 1)
            case "argument":
                inner = named(node)
                return self.value(inner[-1], depth + 1) if inner else MISSING
            case _:
                return MISSING

    def chain(self, node: "SgNode", depth: int = 0) -> Chain:
        """A call as a chain, innermost first."""
        links: list[Link] = []
        end, root, text_line = end_line_of(node), "", None
        for _ in range(MOST_DEPTH):
            kind = node.kind()
            if kind not in ("member_call_expression", "scoped_call_expression", "function_call_expression"):
                root = node.text()
                break
            method = node.field("name") or node.field("function")
            arguments = node.field("arguments")
            values, options = self._arguments(arguments, depth)
            text_line = _php_text_line(arguments) or text_line
            links.append(Link(method.text() if method is not None else "", values, options))
            owner = node.field("object") or node.field("scope")
            if owner is None:
                break
            node = owner
        links.reverse()
        return Chain(root, tuple(links), line_of(node), end, text_line)

    def _arguments(self, arguments: "SgNode | None", depth: int) -> tuple[tuple[Value, ...], dict[str, Value]]:
        values: list[Value] = []
        options: dict[str, Value] = {}
        for argument in named(arguments) if arguments is not None else []:
            inner = named(argument)
            if len(inner) == 2 and inner[0].kind() == "name":
                options[inner[0].text()] = self.value(inner[1], depth + 1)
            elif inner:
                values.append(self.value(inner[-1], depth + 1))
        return tuple(values), options

    def _array(self, node: "SgNode", depth: int) -> Value:
        values: list[Value] = []
        pairs: dict[str, Value] = {}
        for element in named(node):
            inner = named(element)
            if len(inner) == 2:
                pairs[str(self.value(inner[0], depth + 1))] = self.value(inner[1], depth + 1)
            elif inner:
                values.append(self.value(inner[0], depth + 1))
        return pairs or tuple(values)

    def _text(self, node: "SgNode") -> Value:
        written: list[str] = []
        stack = list(reversed(node.children()))
        while stack:
            child = stack.pop()
            match child.kind():
                case "string_content" | "string_value" | "nowdoc_string":
                    written.append(child.text())
                case "escape_sequence":
                    written.append(_unescaped(child.text()))
                case "variable_name" | "member_access_expression" | "dynamic_variable_name":
                    written.append("{{" + child.text() + "}}")
                case "heredoc_body" | "nowdoc_body":
                    stack.extend(reversed(child.children()))
                case _:
                    pass
        return "".join(written)


def _php_text_line(arguments: "SgNode | None") -> int | None:
    text = (
        next((s for s in everywhere(arguments, "string", "encapsed_string", "heredoc_body", "nowdoc_body")), None)
        if arguments
        else None
    )
    return line_of(text) if text is not None else None
