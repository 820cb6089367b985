"""The same view of calls, strings and definitions in every language."""

import re
from collections.abc import Iterator

from gonogo.record import Record
from heuristics.code.syntax import Node
from heuristics.code.word_sets import words

CALL_KINDS = words(
    "call call_expression new_expression method_invocation object_creation_expression annotation constructor_invocation "
    "function_call_expression member_call_expression scoped_call_expression nullsafe_member_call_expression invocation_expression "
    "macro_invocation attribute marker_annotation implicit_object_creation_expression"
)
_ARGUMENT_LISTS = words(
    "argument_list arguments value_arguments annotation_argument_list attribute_argument_list call_suffix token_tree template_string"
)
STRING_KINDS = words(
    "string string_literal template_string interpreted_string_literal raw_string_literal encapsed_string concatenated_string "
    "simple_symbol hash_key_symbol character_literal verbatim_string_literal atom keyword interpolated_string_expression "
    "line_string_literal multi_line_string_literal char_literal raw_string heredoc chained_string"
)
_PIECES = words(
    "string_content string_fragment interpreted_string_literal_content raw_string_literal_content string_literal_content quoted_content "
    "escape_sequence multiline_string_fragment line_str_text raw_text"
)
_FUNCTIONS = words(
    "function_definition function_declaration method_declaration method_definition method singleton_method function_item constructor_declaration "
    "function_expression generator_function_declaration local_function_statement secondary_constructor"
)
_CLASSES = words(
    "class_definition class_declaration class module interface_declaration struct_declaration record_declaration impl_item trait_item "
    "object_declaration companion_object enum_declaration abstract_class_declaration type_spec trait_declaration struct_item mod_item"
)
_LAMBDAS = words("arrow_function lambda function_expression func_literal lambda_expression closure_expression anonymous_function")


class Argument(Record):
    """One argument: `name` is set when it is passed by keyword, option or annotation element."""

    name: str | None
    value: Node
    position: int


class Call(Record):
    """A call, construction, macro or annotation. `callee` is compact text: `requests.post`, `axios.create().get`."""

    node: Node
    callee: str
    arguments: tuple[Argument, ...]

    @property
    def name(self) -> str:
        """The last word of the callee."""
        return re.split(r"[.:>!?]+", self.callee.rstrip("!?"))[-1]

    @property
    def line(self) -> int:
        """Where the call starts."""
        return self.node.line

    def argument(self, name: str) -> Node | None:
        """The value passed under that name."""
        return next((a.value for a in self.arguments if a.name == name), None)

    def positional(self, position: int) -> Node | None:
        """The value at that place among the arguments without a name."""
        found = [a.value for a in self.arguments if a.name is None]
        return found[position] if position < len(found) else None

    def first_string(self) -> str | None:
        """The first argument, when it is text (`{}` where something is put in)."""
        first = self.positional(0)
        return None if first is None else string_of(first, holes=True)


def call_of(node: Node) -> Call | None:
    """The call that this node is, or None."""
    if node.kind not in CALL_KINDS:
        return None
    if node.view is None:
        node.view = _call_of(node) or _NO_CALL
    return node.view if isinstance(node.view, Call) else None


_NO_CALL = object()


def _call_of(node: Node) -> Call | None:
    lists = [child for child in node.children if child.kind in _ARGUMENT_LISTS]
    if node.kind == "annotation" and node.child("constructor_invocation") is not None:
        return None  # Kotlin: the construction inside says it all
    callee_parts = [c for c in node.children if c.kind not in _ARGUMENT_LISTS and c.kind not in _NOT_CALLEE]
    arguments = tuple(argument for found in lists for argument in _arguments(found))
    if node.kind == "attribute" and not lists and node.parent is not None and node.parent.kind != "attribute_list":
        return None  # Python: `a.b` is an attribute too
    return Call(
        node,
        compact("".join(part.source[max(part.start, part.end - _CALLEE_LIMIT) : part.end] for part in callee_parts)),
        arguments,
    )


_NOT_CALLEE = frozenset(
    (
        "block",
        "do_block",
        "initializer_expression",
        "annotated_lambda",
        "new",
        "@",
        "class_body",
        "comment",
        "&",
        "?.",
        "type_arguments",
    )
)


def calls_in(node: Node) -> Iterator[Call]:
    """Every call in it, in the order of the text."""
    return (call for found in node.find(*CALL_KINDS) if (call := call_of(found)) is not None)


def _arguments(found: Node) -> Iterator[Argument]:
    position = 0
    for child in _flat(found):
        name, value = _named_value(child)
        if value is None:
            continue
        yield Argument(name, value, position)
        position += name is None


def _flat(found: Node) -> Iterator[Node]:
    for child in found.named:
        if child.kind in ("value_arguments", "keywords"):
            yield from child.named
        elif found.kind != "call_suffix" or child.kind != "annotated_lambda":
            yield child


def _named_value(child: Node) -> tuple[str | None, Node | None]:
    parts = child.named
    if child.kind in ("argument", "value_argument", "attribute_argument"):
        if not parts:
            return None, None
        has_name = len(parts) > 1 and any(c.kind in (":", "=", "name_colon", "name_equals") for c in child.children)
        return (key_text(parts[0]) if has_name else None), parts[-1]
    if (
        child.kind in ("keyword_argument", "pair", "element_value_pair", "keyed_element", "array_element_initializer")
        and len(parts) > 1
    ):
        return key_text(parts[0]), parts[-1]
    return None, child


def key_text(node: Node) -> str:
    """A key as a plain word: without quotes, colons and sigils."""
    text = string_of(node) if node.kind in STRING_KINDS else node.text
    return (text or node.text).strip().strip(":\"'$ ")


_CALLEE_LIMIT = 4_000


def compact(text: str) -> str:
    """A callee without blank space and without what stands inside brackets; of a very long one, the end."""
    found: list[str] = []
    depth = 0
    for character in reversed(text):
        if character in ")]}":
            if depth == 0 and character != "}":
                found.append(character)
            depth += 1
        elif character in "([{":
            depth = max(0, depth - 1)
            if depth == 0 and character != "{":
                found.append(character)
        elif depth == 0 and not character.isspace():
            found.append(character)
        if len(found) >= 160:
            break
    return "".join(reversed(found))


def string_of(node: Node, *, holes: bool = False) -> str | None:
    """The text of a literal; with `holes`, interpolated text too, with `{}` for each thing put in. Else None."""
    if node.kind in ("parenthesized_expression", "literal_element", "argument", "value_argument") and len(node.named) == 1:
        return string_of(node.named[0], holes=holes)
    if (
        node.kind in ("binary_expression", "binary_operator", "binary", "additive_expression")
        and holes
        and any(c.kind == "+" for c in node.children)
    ):
        parts = [string_of(part, holes=True) for part in node.named[:2]] if len(node.named) == 2 and _depth(node) < 40 else [None]
        return None if all(part is None for part in parts) else "".join("{}" if part is None else part for part in parts)
    if node.kind not in STRING_KINDS:
        return None
    if node.kind in ("simple_symbol", "atom", "hash_key_symbol", "keyword"):
        return node.text.strip(": \"'")
    if node.kind in ("concatenated_string", "chained_string"):
        pieces = [string_of(part, holes=holes) for part in node.named]
        return None if any(piece is None for piece in pieces) else "".join(piece or "" for piece in pieces)
    if node.kind == "raw_string" or (not node.children and node.kind != "heredoc"):
        return node.text.strip("'\"`")
    texts: list[str] = []
    for part in node.named:
        if part.kind in _PIECES:
            texts.append(_unescaped(part.text))
        elif part.kind in ("string_start", "string_end", "interpolation_start"):
            continue
        elif holes:
            texts.append("{}")
        else:
            return None
    return "".join(texts)


def _depth(node: Node) -> int:
    depth = 0
    while depth < 50 and node.named and node.named[0].kind == node.kind:
        node, depth = node.named[0], depth + 1
    return depth


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), text) if "\\" in text else text


def scope_of(node: Node, known: dict[int, str] | None = None) -> str:
    """The classes and functions around a node, outermost first: `Client.fetch`.

    With `known` (start empty, one for a tree) every node around is looked at once however often it is asked for.
    """
    known = {} if known is None else known
    chain: list[Node] = []
    around = node.parent
    while around is not None and id(around) not in known:
        chain.append(around)
        around = around.parent
    scope = known[id(around)] if around is not None else ""
    for step in reversed(chain):
        name = definition_name(step)
        scope = scope if name is None else f"{scope}.{name}"[-_SCOPE_LIMIT:].lstrip(".")
        known[id(step)] = scope
    return scope


_SCOPE_LIMIT = 300


def definition_name(node: Node) -> str | None:
    """The name of a class or function; a function expression is called after the variable or key it is given to."""
    if node.kind in _FUNCTIONS or node.kind in _CLASSES:
        named = node.field("name") or node.field("type") or node.child(*_NAMES)
        return named.text if named is not None else None
    if (
        node.kind in _LAMBDAS
        and node.parent is not None
        and node.parent.kind in ("variable_declarator", "pair", "public_field_definition", "assignment")
    ):
        first = next(iter(node.parent.named), None)
        return key_text(first) if first is not None and first is not node else None
    if node.kind == "call" and node.children and node.children[0].text in ("def", "defp", "defmodule"):
        first = next((c for c in node.named if c.kind == "arguments"), None)
        return compact(first.text).split("(")[0].split("when")[0] if first is not None else None
    return None


_NAMES = ("identifier", "name", "simple_identifier", "type_identifier", "property_identifier", "constant", "field_identifier")


def is_function(node: Node) -> bool:
    """Whether this node is a function, method or function expression."""
    return (
        node.kind in _FUNCTIONS
        or node.kind in _LAMBDAS
        or (node.kind == "call" and bool(node.children) and node.children[0].text in ("def", "defp"))
    )
