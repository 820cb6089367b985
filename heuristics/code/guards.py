"""Whether code copes with an absent value: a default, a test, or a failure on purpose."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.constants import Constant, constant_of
from heuristics.code.syntax import Node
from heuristics.code.value_sites import known_constants
from heuristics.code.views import CALL_KINDS, call_of, is_function
from heuristics.code.word_sets import words

Requirement = Literal["required", "optional", "default"]


class Coping(Record):
    """What happens without the value. `is_deliberate`: the code tests for absence and fails on purpose."""

    requirement: Requirement
    default: str | None = None
    is_deliberate: bool = False


_UNGUARDED = Coping("required")
_TESTED = Coping("optional")
_FAILS = Coping("required", is_deliberate=True)


def coping_with(node: Node, *, follow: bool = True) -> Coping:
    """How the code around an expression that may be empty copes with that; follows the variable it is put in."""
    child = node
    for parent in node.ancestors():
        found = _step(child, parent, follow=follow)
        if found is not None:
            return found
        if is_function(parent) or parent.kind in _BOUNDARIES:
            break
        child = parent
    return _UNGUARDED


def coping_of_name(variable: Node) -> Coping:
    """How the code after a declaration copes with that variable being empty."""
    return _of_uses(_scope_of_name(variable, variable.text), [variable.text], variable.end)


def is_guarded_by(node: Node, words: Sequence[str]) -> bool:
    """Whether the node stands in a branch whose condition mentions one of the words."""
    child = node
    for parent in node.ancestors():
        if parent.kind in _IFS:
            condition = _condition(parent)
            inside = condition is not None and condition.start <= child.start and child.end <= condition.end
            if (
                condition is not None
                and not inside
                and any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", condition.text) for word in words)
            ):
                return True
        child = parent
    return False


def default_text(node: Node) -> str | None:
    """A default as text, when it is a constant."""
    constant = constant_of(node, _known(_root(node)))
    if constant is None or constant.value is None:
        return None
    return str(constant.value).lower() if isinstance(constant.value, bool) else str(constant.value)


_BOUNDARIES = frozenset(("program", "module", "source_file", "compilation_unit", "class_body"))
_IFS = words(
    "if_statement if_expression if unless if_modifier unless_modifier conditional_expression ternary_expression conditional while_statement "
    "elif_clause elsif match_statement case when_expression switch_statement switch_expression match_expression expression_switch_statement"
)
_DEFAULTS = frozenset(("??", "||", "or", "?:", "||=", "??="))
_TESTS = words("== != === !== < > <= >= in && and is not ! =~ <> instanceof")
_PASSING = pattern(
    r"(?i)(^|[.:>])(bool(ean)?|len|str(ing)?|int|float|number|parse\w*|trim\w*|strip|lower\w*|upper\w*|to_?(s|sym|i|f|r|h|c|a|ary|set|list|array|str(ing)?|int(eger)?|long|double|float|num(ber)?|bool(ean)?|lower\w*|upper\w*|owned|uri|url|path|json|bytes|vec|option)|split\w*|atoi|atof|replace\w*|ofnullable"
    r"|presence|new url|url|path|pathlib|cast|array|list|set|tuple|filter|map|json\w*|decode|encode|secretstr|fields|loads|ok|as_\w+|value_?of|from_?str|isset|empty"
    r"|is_?(nil|null|blank|empty|set|none|nullorempty|nullorwhitespace)\??)$"
)
_FAILURE_KINDS = frozenset(("raise_statement", "throw_statement", "throw_expression", "raise"))
_FAILURE_WORDS = pattern(
    r"(?<!\w)(raise|throw|panic!?|os\.Exit|sys\.exit|process\.exit|System\.exit|exit|exitProcess|abort|die|log\.Fatal\w*|logger\.Fatal\w*|Fatal\w*|bail!"
    r"|errors\.New|fmt\.Errorf|Err\(|halt|error\(|System\.halt|orElseThrow|requireNonNull|return\b[^\n]{0,80}\berr|checkNotNull|invariant|assert\w*)(?!\w)"
)
_DEFAULT_METHODS = pattern(
    r"(?:unwrap_or(?:_else|_default)?|or_?[eE]lse(?:Get)?|getOrElse|ifEmpty|ifBlank|or|orDefault|map_or|default)$"
)
_FAIL_METHODS = pattern(r"(expect|unwrap|orElseThrow|required|requireNotNull|asString!)$")
_COPE_METHODS = pattern(
    r"(ok|is_ok|is_err|is_some|isPresent|ifPresent|is_none|present\?|blank\?|nil\?|empty\?|unwrap_or_default)$"
)
_NEGATED = pattern(
    r"^[\s(]*(!(?!=)|not\b)|(?<!err\s)={2,3}\s*(null|nil|undefined|None|false|\"\"|'')|\bnot\s+in\b|\bis\s+None|\bis\s+null|!\s*(ok|found|exists|isset)\b|err\s*!=\s*nil|\|\|\s*!|\bor\s+not\b"
    r"|isEmpty|isBlank|IsNullOr\w+|\bempty\(|is_null|\.nil\?|\.blank\?|\.empty\?|is_err|len\([^)]*\)\s*==\s*0|(?<!\w)-z\b"
)


def _step(child: Node, parent: Node, *, follow: bool) -> Coping | None:
    kind, parts = parent.kind, parent.named
    tokens = {c.kind for c in parent.children if not c.is_named}
    if parts and parts[0] is child and tokens & _DEFAULTS and len(parts) > 1 and ("binary" in kind or kind in _TWO_SIDED):
        return _FAILS if fails(parts[1]) else Coping("default", default_text(parts[1]))
    if kind == "conditional_expression" and len(parts) == 2 and parts[0] is child:
        return Coping("default", default_text(parts[1]))  # PHP: a ?: b
    if kind in _IFS:
        return _branch(child, parent)
    if kind == "call" and parts and parts[0].text in ("if", "unless", "case", "cond") and parts[0] is not child:
        return _FAILS if parts[0].text == "unless" and fails(parent) else _TESTED  # Elixir
    if ("binary" in kind or kind in _TWO_SIDED or "unary" in kind or kind == "not_operator") and tokens & _TESTS:
        return _outcome_of_test(parent)
    if "?." in child.text[-1:] or "?." in tokens or "&." in tokens or parent.child("optional_chain") is not None:
        return _TESTED if parts and parts[0] is child else None
    if kind in ("let_condition", "let_chain", "assert_statement"):
        return _FAILS if kind == "assert_statement" else _TESTED
    if kind == "try_expression" or (kind == "postfix_expression" and "!!" in tokens):
        return _FAILS
    if kind in CALL_KINDS or kind in ("field_expression", "navigation_expression"):
        return _through_call(child, parent)
    if kind in _ASSIGNMENTS and parts and parts[0] is not child and follow:
        return _uses_of_target(parent, child)
    if kind == "catch_clause":
        return _TESTED
    return None


_TWO_SIDED = words(
    "boolean_operator comparison_operator elvis_expression equality_expression conjunction_expression disjunction_expression operator_assignment "
    "augmented_assignment_expression comparison_expression infix_expression augmented_assignment"
)
_ASSIGNMENTS = words(
    "assignment variable_declarator short_var_declaration var_spec const_spec let_declaration assignment_expression property_declaration "
    "assignment_statement variable_assignment const_element property_element named_expression public_field_definition binary_operator const_item "
    "static_item field_definition"
)


def _branch(child: Node, parent: Node) -> Coping | None:
    condition = _condition(parent)
    start = parent.field("initializer")
    in_start = start is not None and start.start <= child.start and child.end <= start.end
    if condition is None or not (in_start or (condition.start <= child.start and child.end <= condition.end)):
        return None
    is_negated = (_NEGATED.search(condition.text) is not None) != parent.kind.startswith("unless")
    bodies = [part for part in parent.named if part not in (condition, start)]
    wrong = bodies[:1] if is_negated else bodies[1:]
    if any(fails(body) for body in wrong):
        return _FAILS
    return Coping("default", _fallback(bodies[:1], parent)) if in_start and not is_negated else _TESTED


def _condition(parent: Node) -> Node | None:
    found = parent.field("condition") or parent.field("value") or parent.field("subject")
    if found is not None:
        return found
    parts = parent.named
    if parent.kind == "conditional_expression" and len(parts) == 3 and any(c.kind == "if" for c in parent.children):
        return parts[1]  # Python: a if b else c
    return parts[0] if parts else None


def _outcome_of_test(test: Node) -> Coping:
    """A value that is compared or negated: what the branch around the test does."""
    child = test
    for parent in test.ancestors():
        if parent.kind in _IFS:
            return _branch(child, parent) or _TESTED
        if parent.kind == "assert_statement" or ((call := call_of(parent)) is not None and _FAILURE_WORDS.search(call.callee)):
            return _FAILS
        if parent.kind.endswith(("_statement", "block")):
            break
        child = parent
    return _TESTED


def _through_call(child: Node, parent: Node) -> Coping | None:
    call = call_of(parent)
    parts = parent.named
    is_receiver = bool(parts) and parts[0] is child
    if call is None:
        return None
    if is_receiver:
        name = call.name
        if _COPE_METHODS.search(name):
            return _TESTED
        if _DEFAULT_METHODS.search(name):
            instead = call.positional(0)
            if instead is not None and fails(instead):
                return _FAILS
            return Coping("default", _first_default(call.positional(0)))
        if _FAIL_METHODS.search(name):
            return _FAILS
        return None
    if _FAILURE_WORDS.search(call.callee) or re.search(r"(?i)require|must|^throwif", call.name):
        return _FAILS
    first = call.positional(0)
    if call.callee.lower().endswith(("coalesce", "firstnonempty", "cmp.or")) or (
        len(call.arguments) > 1 and re.search(r"(?i)default|fallback", call.name)
    ):
        second = call.positional(1)
        return Coping("default", default_text(second) if second is not None else None) if first is not None else None
    return None if _PASSING.search(call.callee) or child.kind not in ("argument_list", "arguments", "call_suffix") else _UNGUARDED


def _first_default(node: Node | None) -> str | None:
    return next((text for found in node.walk() if (text := default_text(found)) is not None), None) if node is not None else None


def _uses_of_target(parent: Node, child: Node) -> Coping | None:
    target = parent.named[0]
    if parent.kind == "binary_operator" and not any(c.kind == "=" for c in parent.children):
        return None
    around = parent.parent if parent.parent is not None and parent.parent.kind in _IFS else None
    if around is not None and parent.kind == "short_var_declaration":
        return _branch(parent, around)
    declared = parent.field("name") or parent.child("variable_declaration") or target
    names = [
        n.text
        for n in (declared.named if declared.kind in ("expression_list", "variable_declaration", "tuple_pattern") else [declared])
    ]
    scope = _scope_of_name(parent, names[0] if names else "")
    return _of_uses(scope, names, child.end)


def _of_uses(scope: Node, names: Sequence[str], after: int) -> Coping:
    verdicts: list[Coping] = []
    for name in names[:2]:
        for use in _occurrences(scope).get(name, ())[:40]:
            if use.start < after:
                continue
            found = coping_with(use, follow=False)
            if found.is_deliberate:
                return found
            verdicts.append(found)
    return next((v for v in verdicts if v.requirement != "required"), _UNGUARDED)


def _scope_of_name(node: Node, name: str) -> Node:
    if re.match(r"(self|this)\.|@|[A-Z][A-Z0-9_]*$", name):
        return _root(node)
    return next((around for around in node.ancestors() if is_function(around)), _root(node))


@lru_cache(maxsize=64)
def _occurrences(scope: Node) -> Mapping[str, Sequence[Node]]:
    found: dict[str, list[Node]] = {}
    for node in scope.walk():
        if node.kind in _OCCURRENCES:
            found.setdefault(node.text if len(node.children) < 6 else "", []).append(node)
    return found


_OCCURRENCES = words(
    "identifier constant simple_identifier variable_name instance_variable attribute member_expression field_expression selector_expression field_access"
)


@lru_cache(maxsize=16)
def _known(root: Node) -> Mapping[str, Constant]:
    return known_constants(root)


def _root(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def fails(node: Node) -> bool:
    """Whether a branch ends in a failure on purpose (raise, throw, exit, an error returned), and not only in some case of its own."""
    if node.end - node.start > 20_000:
        return False
    pieces: list[str] = []
    at = node.start
    pending = [node]
    while pending:
        found = pending.pop()
        if found.kind in _FAILURE_KINDS:
            return True
        if found is not node and (found.kind in _IFS or is_function(found)):
            pieces.append(node.source[at : max(at, found.start)])
            at = max(at, found.end)
            continue
        pending.extend(reversed(found.children))
    pieces.append(node.source[at : node.end])
    return _FAILURE_WORDS.search(" ".join(pieces)[:4_000]) is not None


def _fallback(bodies: Sequence[Node], branch: Node) -> str | None:
    """`x := 25; if v, err := parse(...); err == nil { x = v }`: the value that stays without it."""
    for body in bodies:
        for node in body.find("assignment_statement", "assignment_expression", "assignment"):
            target = node.named[0].text if node.named else ""
            before = [
                n
                for n in _root(branch).find("short_var_declaration", "var_spec", "assignment_statement")
                if n.end < branch.start and n.named and n.named[0].text == target
            ]
            if before and (found := default_text(before[-1].named[-1])) is not None:
                return found
    return None
