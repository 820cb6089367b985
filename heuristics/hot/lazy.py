"""Relations that a loop touches from now on, so that each round asks the database again."""

import re
from collections.abc import Iterator

from heuristics.code import language_of
from heuristics.code.calls import is_in_loop
from heuristics.code.syntax import Node, parse
from heuristics.hot.relations import Relation, is_loaded_before, relations_of
from heuristics.hot.spots import function_at
from heuristics.rule import RuleContext

Touch = tuple[int, str, str, Relation]
"""Line, function, what is written, and the relation."""


def lazy_touches(context: RuleContext, path: str, base: str, head: str) -> Iterator[Touch]:
    """Each relation that an added line of a loop touches, and that no code loads beforehand; once a function."""
    language = language_of(path) or ""
    file = context.changes.file(path)
    lines = head.split("\n")
    added = [n for n in (file.added_lines() if file is not None else ()) if n <= len(lines)]
    if not any(re.search(r"\w(?:\.|->|\?\.)\w", lines[n - 1]) for n in added):
        return
    known = relations_of(context.head, "typescript" if language == "tsx" else language)
    accessors = {r.accessor: r for r in known}
    touched = [(n, name) for n in added for name in re.findall(r"(?:\.|->)(\w+)", lines[n - 1][:1000]) if name in accessors]
    root = parse(head, language) if touched and len(head) < 300_000 else None
    if root is None:
        return
    seen: set[tuple[str, str]] = set()
    for number, name in touched:
        spot = function_at(context.head, path, number)
        start, end, function = (spot.start, spot.end, spot.scope) if spot is not None else (max(1, number - 12), number + 3, "")
        body = "\n".join(lines[start - 1 : end])
        if (function, name) in seen or _counts(body, name) <= _counts(base, name):
            continue
        for relation in (r for r in known if r.accessor == name):
            written = _touch(root, lines[number - 1], number, relation, body)
            if written and not is_loaded_before(context.head, relation):
                seen.add((function, name))
                yield number, spot.name if spot is not None else "", written, relation
                break


def _counts(text: str, name: str) -> int:
    return len(re.findall(rf"(?:\.|->){re.escape(name)}(?!\w)", text))


def _touch(root: Node, line: str, number: int, relation: Relation, body: str) -> str:
    """`order.customer.name`, when `order` is a record of the relation's owner inside of a loop."""
    name = re.escape(relation.accessor)
    for found in re.finditer(
        rf"(?<![\w.>$])\$?(\w+)(?:\.|->|\?\.|&\.|!!\.){name}(?![\w:=]|\s*=[^=~>])(?:(?:\.|->)\w+)?", line[:1000]
    ):
        variable = found[1]
        if variable in ("self", "this", "cls", "super") or not _is_record(variable, relation.owner, body):
            continue
        if relation.is_awaited and not re.search(rf"(?:await\s+|yield\s+){re.escape(found[0][:60])}", line):
            continue
        if any(is_in_loop(n) for n in _nodes(root, number, found[0].partition("(")[0][:200])):
            return found[0]
    return ""


def _nodes(root: Node, number: int, written: str) -> list[Node]:
    return [n for n in root.walk() if n.line == number and n.text.startswith(written) and n.end_line <= number + 3][-1:]


def _is_record(variable: str, owner: str, body: str) -> bool:
    """Whether the variable is called like the model, or the function names the model."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner).lower()
    plain = variable.lower().replace("_", "")
    return plain == snake.replace("_", "") or re.search(rf"(?<!\w){re.escape(owner)}(?!\w)", body) is not None
