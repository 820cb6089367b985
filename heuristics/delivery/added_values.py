"""Members that an enumeration gets and that a change sends to others in messages.

A reader that makes an enumeration of its own out of what it gets (`valueOf`, `Status(...)`, serde, zod, a JSON Schema) refuses
a value that it does not know.
"""

import re
from collections.abc import Iterator, Mapping

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES, is_test_path
from heuristics.delivery.messages import SENDS
from heuristics.rule import RuleContext

_BRACED = pattern(r"\benum\s+(?:class\s+|struct\s+)?(?P<name>\w+)[^{;\n]*\{(?P<body>[^{}]{0,4000})")
_CLASS = pattern(
    r"^class\s+(?P<name>\w+)\([^)]*(?:Enum|Choices)\b[^)]*\)\s*:\n(?P<body>(?:[ \t]+[^\n]*\n|\n){1,200})", re.MULTILINE
)
_UNION = pattern(
    r"\b(?:type\s+)?(?P<name>\w+)\s*(?::\s*\w+\s*)?=\s*(?:z\.enum\(|Literal|t\.union\(|\|)?\s*(?P<body>[\[(|]?\s*[\"'][\w.-]+[\"'](?:\s*[|,]\s*[\"'][\w.-]+[\"']){1,100})"
)
_LISTED = pattern(r"[\"']?(?P<name>\w+)[\"']?\s*:\s*\{[^{}]{0,200}?[\"']?enum[\"']?\s*:\s*\[(?P<body>[^\]]{1,4000})\]")
_MEMBER = pattern(r"^\s*(?P<name>[A-Za-z_]\w*)\s*(?:=|\(|,|;|$)(?:\s*\(?\s*[\"'](?P<value>[\w.-]+)[\"'])?")


class AddedValue(Record):
    """A member that is new, and the line of the change that sends it."""

    enumeration: str
    member: str
    known: tuple[str, ...]
    """The members that base has too."""
    place: Place
    sent: Place


def added_values(context: RuleContext) -> tuple[AddedValue, ...]:
    """Every new member that an added line of a sending file uses, each once."""
    found: dict[str, AddedValue] = {}
    for file in context.changes.files:
        path = file.head_path
        if path is None or file.base_path is None or not file.hunks or is_test_path(path) or not is_production_code(path):
            continue
        before, after = enumerations(context.base.text(file.base_path) or ""), enumerations(context.head.text(path) or "")
        for name, members in after.items():
            old = before.get(name, {})
            for member in members.keys() - old.keys() if len(old) >= 1 else ():
                place = Place(file=path, line=members[member])
                sent = next(_sent(context, name, member, place), None)
                if sent is not None:
                    found.setdefault(member, AddedValue(name, member, tuple(old), place, sent))
    return tuple(found.values())


def enumerations(text: str) -> Mapping[str, Mapping[str, int]]:
    """Name of an enumeration → its members with their lines, in any of the usual languages and schemas."""
    found: dict[str, dict[str, int]] = {}
    for shape in (_BRACED, _CLASS, _UNION, _LISTED):
        for match in shape.finditer(text[:200_000]):
            first = text.count("\n", 0, match.start("body")) + 1
            for member, line in _members(match["body"], first):
                found.setdefault(match["name"], {}).setdefault(member, line)
    return found


def _members(body: str, first: int) -> Iterator[tuple[str, int]]:
    for number, text in enumerate(body.partition(";")[0].split("\n"), start=first):
        quoted = re.findall(r"[\"']([\w.-]+)[\"']", text)
        if quoted:
            yield from ((one, number) for one in quoted)
            continue
        for part in text.partition("//")[0].split(","):
            match = _MEMBER.match(part + ",")
            if match is not None:
                yield match["name"], number


def _sent(context: RuleContext, enumeration: str, member: str, place: Place) -> Iterator[Place]:
    """Added lines that use the member in code which sends, or which hands it to what sends."""
    used = re.compile(
        rf"\b{re.escape(enumeration)}(?:\.|::){re.escape(member)}\b|[\"']{re.escape(member)}[\"']|(?<![\w.\"']){re.escape(member)}(?![\w\"'])"
    )
    for file in context.changes.files:
        if file.head_path is None or language_of(file.head_path) not in CODE_LANGUAGES or is_test_path(file.head_path):
            continue
        if SENDS.search(context.head.text(file.head_path) or "") is None:
            continue
        for number, text in file.added_lines().items():
            if used.search(text[:500]) and (file.head_path, number) != (place.file, place.line):
                yield Place(file=file.head_path, line=number)
