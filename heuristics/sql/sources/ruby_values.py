"""Values and calls of Ruby source."""

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from gonogo.record import Record
from heuristics.sql.sources.syntax import MISSING, MOST_DEPTH, Missing, end_line_of, everywhere, first, line_of, named

if TYPE_CHECKING:
    from ast_grep_py import SgNode


type RubyValue = str | int | float | bool | tuple[RubyValue, ...] | dict[str, RubyValue] | Sql | Missing | None
"""What an expression of a migration comes to."""


class RubyCall(Record):
    """One call: receiver, method, arguments, options, and its block."""

    receiver: str
    method: str
    args: tuple[RubyValue, ...]
    options: Mapping[str, RubyValue]
    block: "SgNode | None"
    block_names: tuple[str, ...]
    line: int
    end_line: int
    sql_line: int | None = None
    """The line its heredoc's first line stands on."""

    def text(self, place: int) -> str | None:
        """The positional argument as text."""
        value = self.args[place] if place < len(self.args) else None
        return value if isinstance(value, str) else None

    def option(self, name: str) -> str | None:
        """The option as text."""
        value = self.options.get(name)
        return value if isinstance(value, str) else None


class Ruby(Record, frozen=False):
    """Reads values; knows the heredocs of its file and the constants that were set."""

    root: "SgNode"
    names: dict[str, RubyValue] = field(default_factory=dict[str, RubyValue])
    heredocs: dict[tuple[int, int], "SgNode"] = field(default_factory=dict[tuple[int, int], "SgNode"])

    def __post_init__(self) -> None:
        opened = list(everywhere(self.root, "heredoc_beginning"))
        bodies = list(everywhere(self.root, "heredoc_body"))
        for begin, body in zip(opened, bodies, strict=False):
            at = begin.range().start
            self.heredocs[(at.line, at.column)] = body

    def value(self, node: "SgNode", depth: int = 0) -> RubyValue:
        """Symbols and strings as text, numbers, booleans, nil as None, arrays, hashes; else MISSING."""
        if depth > MOST_DEPTH:
            return MISSING
        kind = node.kind()
        match kind:
            case "simple_symbol":
                return node.text().removeprefix(":")
            case "hash_key_symbol":
                return node.text()
            case "string" | "bare_string" | "bare_symbol" | "delimited_symbol" | "chained_string" | "subshell":
                return self._text(node, depth)
            case "heredoc_beginning":
                at = node.range().start
                body = self.heredocs.get((at.line, at.column))
                return self._text(body, depth) if body is not None else MISSING
            case "integer":
                digits = node.text().replace("_", "")
                return int(digits) if digits.isdigit() and len(digits) < 20 else MISSING
            case "float":
                return float(node.text().replace("_", ""))
            case "true" | "false":
                return kind == "true"
            case "nil":
                return None
            case "array" | "string_array" | "symbol_array":
                return tuple(self.value(c, depth + 1) for c in named(node))
            case "hash":
                return self.pairs(node, depth)
            case "parenthesized_statements":
                inside = named(node)
                return self.value(inside[0], depth + 1) if len(inside) == 1 else MISSING
            case "constant" | "identifier" | "scope_resolution":
                return self.names.get(node.text(), MISSING)
            case "lambda":
                strings = [self.value(s, depth + 1) for s in everywhere(node, "string")]
                return Sql(strings[0]) if len(strings) == 1 and isinstance(strings[0], str) else MISSING
            case "call":
                return self._called(node, depth)
            case _:
                return MISSING

    def pairs(self, node: "SgNode", depth: int = 0) -> dict[str, RubyValue]:
        """The pairs directly in a node as options."""
        found: dict[str, RubyValue] = {}
        for pair in node.children():
            if pair.kind() == "pair":
                parts = named(pair)
                key = self.value(parts[0], depth + 1) if parts else MISSING
                if isinstance(key, str):
                    found[key] = self.value(parts[1], depth + 1) if len(parts) > 1 else self.names.get(key, MISSING)
        return found

    def call(self, node: "SgNode") -> RubyCall:
        """A call node, or a bare identifier that is one."""
        if node.kind() == "identifier":
            return RubyCall("", node.text(), (), {}, None, (), line_of(node), end_line_of(node))
        receiver, method = node.field("receiver"), node.field("method")
        arguments = first(node, "argument_list")
        block = first(node, "do_block", "block")
        values = [c for c in named(arguments) if c.kind() != "pair"] if arguments is not None else []
        parameters = first(block, "block_parameters") if block is not None else None
        end = block.range().start.line + 1 if block is not None else end_line_of(node)
        heredoc = next((b for b in everywhere(arguments, "heredoc_beginning")), None) if arguments is not None else None
        sql_line = None
        if heredoc is not None:
            at = heredoc.range().start
            body = self.heredocs.get((at.line, at.column))
            sql_line = line_of(body) if body is not None else None
            end = end_line_of(body) if body is not None else end
        return RubyCall(
            receiver.text() if receiver is not None else "",
            method.text() if method is not None else "",
            tuple(self.value(v) for v in values),
            self.pairs(arguments) if arguments is not None else {},
            block,
            tuple(p.text() for p in named(parameters)) if parameters is not None else (),
            line_of(node),
            end,
            sql_line,
        )

    def _text(self, node: "SgNode", depth: int) -> RubyValue:
        if node.kind() == "chained_string":
            parts = [self.value(c, depth + 1) for c in named(node)]
            return "".join(p for p in parts if isinstance(p, str)) if all(isinstance(p, str) for p in parts) else MISSING
        written: list[str] = []
        for child in node.children():
            match child.kind():
                case "string_content" | "heredoc_content":
                    written.append(child.text())
                case "escape_sequence":
                    written.append(_ESCAPES.get(child.text(), child.text()[1:]))
                case "interpolation":
                    inner = named(child)
                    value = self.value(inner[0], depth + 1) if inner else MISSING
                    written.append(str(value) if isinstance(value, str | int) else child.text().replace("\n", " "))
                case _:
                    pass
        return "".join(written)

    def _called(self, node: "SgNode", depth: int) -> RubyValue:
        """`-> { "now()" }`, `x.freeze`, `<<~SQL.squish`, `quote(...)`, `Date.new` ..."""
        method, receiver = node.field("method"), node.field("receiver")
        name = method.text() if method is not None else ""
        if receiver is not None and name in ("freeze", "squish", "strip", "strip_heredoc", "to_s", "to_sym", "chomp"):
            return self.value(receiver, depth + 1)
        if name == "lambda":
            strings = [self.value(s, depth + 1) for s in everywhere(node, "string")]
            return Sql(strings[0]) if len(strings) == 1 and isinstance(strings[0], str) else MISSING
        return MISSING


class Sql(Record):
    """A value that is SQL already: `default: -> { "now()" }`."""

    sql: str


_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", '\\"': '"', "\\'": "'"}
