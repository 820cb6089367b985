"""Every literal or constant expression of a program, with what names it."""

import re
from collections.abc import Mapping

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.constants import NAME_KINDS, SECONDS, Constant, Value, constant_of
from heuristics.code.syntax import Node, parse
from heuristics.code.units import unit_of
from heuristics.code.views import STRING_KINDS, Call, call_of, definition_name, is_function, key_text, scope_of, string_of
from heuristics.code.word_sets import words


class ValueSite(Record):
    """One value in a file. `path` is the full key inside nested objects (`retry.attempts`); `name` its last word."""

    name: str
    path: str
    scope: str
    call: str
    position: int
    value: Value | None
    text: str
    line: int
    unit: str
    seconds: float | None


_SITES_LIMIT = 20_000
_STEPS = 40
_MANY = 200


def sites_in_code(text: str, language: str) -> tuple[ValueSite, ...] | None:
    """The values of a program in the order of the text; None when it can't be parsed."""
    root = parse(text, language)
    if root is None:
        return None
    known = known_constants(root)
    found: list[ValueSite] = []
    scopes: dict[int, str] = {}
    pending = [root]
    while pending and len(found) < _SITES_LIMIT:
        node = pending.pop()
        if node.kind in _SKIPPED or _is_docstring(node):
            continue
        constant = _constant_here(node, known)
        if constant is None:
            pending.extend(reversed(node.children))
        elif not _is_key(node):
            found.append(_site(node, constant, language, scopes))
    return tuple(found)


def known_constants(root: Node) -> Mapping[str, Constant]:
    """Names that a file gives a constant exactly once."""
    found: dict[str, Constant] = {}
    again: set[str] = set()
    for node in root.find(*_DECLARATORS):
        parts = node.named
        if len(parts) < 2:
            continue
        name = parts[0].text
        if name in found or name in again:
            again.add(name)
            found.pop(name, None)
        elif (constant := constant_of(parts[-1], found)) is not None:
            found[name] = constant
    return found


_SKIPPED = words(
    "import_statement import_from_statement import_declaration import_header use_declaration namespace_use_declaration using_directive "
    "package_clause package_declaration comment line_comment block_comment future_import_statement import_spec"
)
_DECLARATORS = words(
    "assignment variable_declarator const_spec var_spec const_item static_item let_declaration const_element property_element "
    "property_declaration short_var_declaration variable_assignment public_field_definition field_definition assignment_expression assignment_statement "
    "operator_assignment augmented_assignment"
)
_PAIRS = words(
    "pair keyword_argument element_value_pair keyed_element array_element_initializer field_initializer attribute_argument keyword_pattern"
)
_PARAMETERS = words(
    "default_parameter typed_default_parameter required_parameter optional_parameter assignment_pattern keyword_parameter simple_parameter parameter "
    "class_parameter object_assignment_pattern"
)
_COMPARISONS = pattern(r"^(<|>|<=|>=|==|===|!=|!==|<=>|eq|in|not in|is|is not)$")
_DEFAULTS = pattern(r"^(\?\?|\|\||or|\?:|\?\?=|\|\|=)$")
_TRANSPARENT = words(
    "Field field default Default Number parseInt parseFloat int float str bool Integer Float unwrap_or orElse getOrElse String toString "
    "Boolean trim min max Number.parseInt positive catch to_i Duration SecretStr mapped_column Column Value Some Ok json dumps stringify "
    "IntegerField DurationField option ref readonly freeze"
)
_KEYED = pattern(
    r"(?i)(^|[.:>_])(getenv|env|fetch|default|set_?default|set_?header|header|with_?header|add_argument|get_?or_?default|get_?property"
    r"|int|str|bool|float|duration|\w*var|parameter|flag|variable|int64|uint|get_?(int|string|bool|float|duration|long|double|integer|number))$"
    r"|(header|config|setting|option|pref|response|\bres\b|\bapp\b|environ|\benv\b|cookie|argv|args|params)\w*\(?\)?[.:>-]+(get|set|add|append|put|dig|setdefault|pop)$"
)


def _constant_here(node: Node, known: Mapping[str, Constant]) -> Constant | None:
    if not node.is_named and node.kind not in ("true", "false", "null", "nil"):
        return None
    constant = constant_of(node, known)
    if constant is None:
        return None
    if constant.seconds is not None and re.fullmatch(r"time\.[A-Z]\w+", node.text):
        return constant  # Go: a bare `time.Second` is one of it
    if node.kind in NAME_KINDS and not (constant.value is None or isinstance(constant.value, bool) or node.text[:1].isdigit()):
        return None  # a use of a constant is no literal
    if node.kind in NAME_KINDS and node.text in known:
        return None
    is_plain = node.kind in STRING_KINDS or constant.value is None or isinstance(constant.value, bool | str)
    return constant if is_plain or any(character.isdigit() for character in node.text) else None


def _is_docstring(node: Node) -> bool:
    return node.kind == "expression_statement" and [c.kind for c in node.named] == ["string"]


def _is_key(node: Node) -> bool:
    parent = node.parent
    if parent is not None and parent.kind in ("literal_element", "argument"):
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if node.kind in ("hash_key_symbol", "keyword"):
        return True
    first = next(iter(parent.named), None)
    return parent.kind in _PAIRS and first is node and len(parent.named) > 1


def _site(node: Node, constant: Constant, language: str, scopes: dict[int, str]) -> ValueSite:
    naming = _Naming()
    naming.climb(node)
    path = ".".join(reversed([part for part in naming.path if part]))
    name, call = naming.name, naming.call
    unit, seconds = constant.unit, constant.seconds
    value = constant.value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 and unit:
        value = int(value)
    if seconds is None and isinstance(value, int | float) and not isinstance(value, bool):
        unit = naming.unit or unit_of(language, name, call)
        seconds = value * SECONDS[unit] if unit else None
    if isinstance(value, str) and (age := re.search(r"(?i)\b(?:s-maxage|max-age)\s*=\s*(\d{1,12})", value)):
        unit, seconds = "s", float(age[1])
    return ValueSite(
        name, path or name, scope_of(node, scopes), call, naming.position, value, node.text, node.line, unit, seconds
    )


class _Naming:
    """Climbs from a value to what names it: key, argument, variable, default, comparison."""

    def __init__(self) -> None:
        self.name = ""
        self.call = ""
        self.unit = ""
        self.position = 0
        self.path: list[str] = []
        self._origin: Node | None = None

    def climb(self, node: Node) -> None:
        child = self._origin = node
        for parent, _ in zip(node.ancestors(), range(_STEPS), strict=False):
            if self._take(child, parent):
                return
            child = parent

    def _called(self, word: str) -> None:
        self.name = self.name or word[:200]
        self.path.append(word[:200])

    def _take(self, child: Node, parent: Node) -> bool:
        """Look at one step up; true when nothing further up names the value."""
        parts = parent.named
        kind = parent.kind
        if "binary" in kind and len(parent.children) == 3 and parent.children[1].kind in "+-*/%":
            return False
        if kind in _PAIRS and len(parts) > 1 and parts[0] is not child:
            self._called(key_text(parts[0]))
        elif kind in _PARAMETERS and len(parts) > 1 and parts[0] is not child:
            self._called(_last_word(parts[0].text))
            return True
        elif kind in _DECLARATORS and parts and parts[0] is not child:
            self._called(_last_word(_declared(parent, child).text))
            return True
        elif kind == "command":
            self._command(child, parent)
            return True
        elif (
            kind in ("composite_literal", "struct_expression", "initializer_expression", "object_creation_expression")
            and not self.call
            and self.name
        ):
            first = next(iter(parent.named), None)
            self.call = key_text(first) if first is not None and first is not child else self.call
        elif (call := call_of(parent)) is not None and child not in _callee_side(parent, child):
            return self._argument(call, child)
        elif _is_operation(parent, _COMPARISONS) and len(parts) == 2:
            self._called(_last_word(parts[0 if parts[1] is child else 1].text))
            return True
        elif _is_operation(parent, _DEFAULTS) and parts and parts[0] is not child and (word := _read_name(parts[0])):
            self._called(word)
        elif kind in ("return_statement", "jump_expression") and not self.name:
            self.name = "return"
        elif is_function(parent):
            if not self.path:
                self._called(definition_name(parent) or "return")
            return True
        return kind.endswith(("_statement", "block", "body")) and kind not in (
            "expression_statement",
            "return_statement",
            "block_body",
            "statement_list",
        )

    def _argument(self, call: Call, child: Node) -> bool:
        if len(call.arguments) > _MANY:
            self.name, self.call = self.name or call.name, self.call or call.callee
            return True
        origin = self._origin or child
        argument = next((a for a in call.arguments if a.value.start <= origin.start and origin.end <= a.value.end), None)
        self.call = self.call or call.callee
        if argument is None or self.name not in ("", "default", "default_value"):
            self._unit_beside(call)
            return bool(self.name) and self.name not in ("default", "default_value")
        self.position = argument.position
        self._unit_beside(call)
        before = next(
            (string_of(a.value) for a in call.arguments if a.position == argument.position - 1 and argument.position), None
        )
        if before in ("EX", "PX", "EXAT", "PXAT", "COUNT", "BLOCK"):
            self._called(before)
            return True
        key = call.first_string() if argument.position or self.name else None
        if key and _KEYED.search(call.callee) and re.fullmatch(r"[\w.\-/: ]{1,60}", key):
            self.name = key.lstrip("-")
            self.path.append(self.name)
            return True
        if argument.name and not self.name:
            self._called(argument.name)
            return argument.name not in ("default", "default_value")
        if call.name in _TRANSPARENT:
            self.name = ""
            return False
        self._called(call.name)
        return True

    def _unit_beside(self, call: Call) -> None:
        for argument in call.arguments:
            if argument.value.kind in ("field_access", "navigation_expression", "identifier", "selector_expression"):
                beside = constant_of(argument.value)
                if beside is not None and beside.seconds is not None and beside.value == 1:
                    self.unit = self.unit or beside.unit

    def _command(self, child: Node, parent: Node) -> None:
        before = (
            None
            if len(parent.children) > _MANY
            else next((a for a, b in zip(parent.children, parent.children[1:], strict=False) if b is child), None)
        )
        first = next(iter(parent.named), None)
        self.call = first.text if first is not None and first is not child else ""
        self._called(before.text.lstrip("-") if before is not None and before.text.startswith("-") else self.call)


def _callee_side(parent: Node, child: Node) -> tuple[Node, ...]:
    first = next(iter(parent.named), None)
    return (child,) if first is child and child.kind not in ("argument_list", "arguments", "call_suffix") else ()


def _is_operation(node: Node, pattern: re.Pattern[str]) -> bool:
    if "binary" not in node.kind and node.kind not in (
        "comparison_operator",
        "comparison_expression",
        "boolean_operator",
        "elvis_expression",
        "equality_expression",
    ):
        return False
    return any(not c.is_named and pattern.match(c.kind) for c in node.children)


def _read_name(node: Node) -> str:
    strings = [string_of(found) for found in node.walk() if found.kind in STRING_KINDS]
    return next((s for s in reversed(strings) if s), None) or _last_word(node.text)


def _declared(parent: Node, child: Node) -> Node:
    """What a declaration or assignment names; of several targets, the first."""
    found = parent.field("name") or parent.child("variable_declaration")
    return found if found is not None and found is not child else parent.named[0]


def _last_word(text: str) -> str:
    words = re.findall(r"[\w-]+", text[-120:])
    return words[-1] if words else ""
