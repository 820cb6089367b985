"""What a switch lets through: the calls of the branch that runs from now on."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code import AddedCall, is_production_code, language_of
from heuristics.code.calls import is_in_loop, kind_of_call
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.syntax import Node, parse
from heuristics.code.views import calls_in, scope_of
from heuristics.code.word_sets import words
from heuristics.flags.turned import Turned
from heuristics.hot.loads import Load, items_of, outside_of
from heuristics.hot.spots import uses
from heuristics.rule import RuleContext

_BRANCHES = words(
    "if_statement ternary_expression conditional_expression if unless if_modifier unless_modifier conditional if_expression elif_clause elsif"
)
_SHORT_CIRCUITS = words("binary_expression boolean_operator binary conjunction_expression")
_ANDS = ("&&", "and")
_ASSIGNMENTS = words(
    "assignment assignment_expression variable_declarator short_var_declaration local_variable_declaration let_declaration property_declaration"
)
_NAME = pattern(r"[@$]?\w+")
_SHORTEST_NAME = 6
_ENDS = words("return_statement throw_statement raise_statement return throw raise continue_statement jump_expression")


def gated_loads(context: RuleContext, switch: Turned) -> tuple[Load, ...]:
    """The calls of services, databases and caches that the branches behind the switch make from now on."""
    found: dict[tuple[str, int], Load] = {}
    for file, line, name in _places(context, switch):
        language = language_of(file) or ""
        text = context.head.text(file) or ""
        root = parse(text, language) if len(text) < 300_000 else None
        if root is None:
            continue
        for branch, said in _branches(root, line, name):
            runs, rests = _sides(branch, said, is_on=switch.is_on)
            before = {c for node in rests for c in _callees(node)}
            for node in runs:
                for load in _loads(context, file, text, language, node):
                    if load.call.callee not in before:
                        found.setdefault((load.target.file, load.target.line), load)
    return tuple(found.values())


def _places(context: RuleContext, switch: Turned) -> Iterator[tuple[str, int, str]]:
    for name in switch.names:
        if switch.owner:
            found = dict.fromkeys(uses(context.head, switch.owner, name))
            found |= dict.fromkeys(_asked_by_name(context, switch.owner, name))
            for file, line in found:
                yield file, line, name
            continue
        for place in context.head.search({name}).get(name, ())[:100]:
            if language_of(place.file) in CODE_LANGUAGES and is_production_code(place.file):
                yield place.file, place.line, name


def _asked_by_name(context: RuleContext, owner: str, name: str) -> Iterator[tuple[str, int]]:
    """`Flags.on?(:name)`, `flags.enabled("name")`, `Feature.NAME`: code that asks for a key of the owner's table without importing it."""
    if len(name) < _SHORTEST_NAME:
        return
    asked = re.compile(rf"[\"'`:.]{re.escape(name)}(?!\w)")
    for place in context.head.search({name}).get(name, ())[:100]:
        if place.file == owner or language_of(place.file) not in CODE_LANGUAGES or not is_production_code(place.file):
            continue
        lines = (context.head.text(place.file) or "").split("\n")
        if place.line <= len(lines) and asked.search(lines[place.line - 1][:1000]):
            yield place.file, place.line


def _branches(root: Node, line: int, name: str) -> Iterator[tuple[Node, str]]:
    """The branches that the name decides at this line, and those that a variable decides which takes the answer there."""
    taken: Node | None = None
    for node in root.find(*_ASSIGNMENTS):
        if (
            node.line <= line <= node.end_line
            and _says(node, name)
            and len(node.named) > 1
            and _NAME.fullmatch(node.named[0].text)
        ):
            taken = node
    for node in root.find(*_BRANCHES, *_SHORT_CIRCUITS):
        condition = _condition(node)
        if condition is None or (node.kind in _SHORT_CIRCUITS and _operator(node) not in _ANDS):
            continue
        if condition.line <= line <= condition.end_line and _says(condition, name):
            yield node, name
        elif (
            taken is not None
            and node.start >= taken.end
            and scope_of(node) == scope_of(taken)
            and _says(condition, taken.named[0].text)
        ):
            yield node, taken.named[0].text


def _says(node: Node, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", node.text[:2000]) is not None


def _operator(node: Node) -> str:
    return next((c.text for c in node.children if not c.is_named), "")


def _condition(node: Node) -> Node | None:
    found = node.field("condition")
    if found is not None:
        return found
    parts = node.named
    if node.kind in _SHORT_CIRCUITS:
        return parts[0] if len(parts) > 1 else None
    if node.kind == "conditional_expression" and len(parts) == 3 and " if " in node.text:
        return parts[1]
    return parts[-1] if node.kind.endswith("_modifier") and parts else parts[0] if parts else None


def _sides(node: Node, name: str, *, is_on: bool) -> tuple[list[Node], list[Node]]:
    """The parts that run from now on, and those that no longer do."""
    condition = _condition(node)
    parts = [p for p in node.named if p is not condition]
    then = node.field("consequence") or node.field("body") or (parts[0] if parts else None)
    otherwise = [p for p in parts if p is not then]
    if not otherwise and then is not None and _leaves(then):
        otherwise = _following(node)
    is_negated = (
        condition is not None
        and re.search(
            rf"(?:!|\bnot\s+)\s*[\w.]*(?<!\w){re.escape(name)}(?!\w)|(?<!\w){re.escape(name)}(?:\(\))?\s*(?:===?|is)\s*(?:false|False)",
            condition.text[:2000],
        )
        is not None
    )
    if node.kind.startswith("unless"):
        is_negated = not is_negated
    first, second = ([then] if then is not None else []), otherwise
    return (first, second) if is_on != is_negated else (second, first)


def _leaves(node: Node) -> bool:
    last = node.named[-1] if node.named and node.kind not in _ENDS else node
    return last.kind in _ENDS or any(part.kind in _ENDS for part in last.named[:1])


def _following(node: Node) -> list[Node]:
    around = node.parent
    return [] if around is None else [n for n in around.named if n.start >= node.end]


def _callees(node: Node) -> set[str]:
    return {call.callee for call in calls_in(node)}


def _loads(context: RuleContext, file: str, text: str, language: str, node: Node) -> Iterator[Load]:
    for call in calls_in(node):
        loops = is_in_loop(call.node)
        made = AddedCall(
            file,
            call.line,
            scope_of(call.node),
            call.callee,
            kind_of_call(call, language),
            loops,
            is_awaited=False,
            first_string=None,
        )
        answer = outside_of(context, made)
        if answer is None:
            continue
        kind, place, callee, times = answer
        most, where = items_of(file, text, call.line, context) if loops else (None, None)
        yield Load(made, kind, place, callee, loops, is_concurrent=False, most_items=most, items_place=where, calls_each=times)
