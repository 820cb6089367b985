"""Members that an enumeration of the code loses while other code makes it out of stored or received values.

`State("escalated")` raises ValueError in Python, `valueOf` throws in Java and Kotlin, `Enum.Parse` in C#, serde and zod refuse the value.
"""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.rule import RuleContext

_DECLARED = {
    "python": pattern(r"^class\s+(\w+)\([^)]*(?:Enum|TextChoices|IntegerChoices)\b[^)]*\)\s*:"),
    "java": pattern(r"^\s*(?:public\s+|private\s+|static\s+)*enum\s+(\w+)"),
    "kotlin": pattern(r"^\s*(?:public\s+|internal\s+)*enum\s+class\s+(\w+)"),
    "csharp": pattern(r"^\s*(?:public\s+|internal\s+)*enum\s+(\w+)"),
    "rust": pattern(r"^\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+(\w+)"),
    "typescript": pattern(r"^\s*(?:export\s+)?(?:(?:const\s+)?enum\s+(\w+)|const\s+(\w+)\s*=\s*z\.enum\()"),
    "ruby": pattern(r"^\s*enum\s+:?(\w+)"),
}
_MEMBER = {
    "python": pattern(r"^\s+([A-Za-z_]\w*)\s*=\s*\(?\s*(?:[\"']([^\"']+)[\"']|(\d+))"),
    "java": pattern(r"^\s*([A-Z][A-Z0-9_]*)\s*(?:\(\s*\"([^\"]+)\"[^)]*\))?\s*[,;]?\s*$"),
    "csharp": pattern(r"^\s*([A-Z]\w*)\s*(?:=\s*\d+)?\s*,?\s*$"),
    "rust": pattern(r"^\s*([A-Z]\w*)\s*,?\s*$"),
    "typescript": pattern(r"^\s*(?:([A-Za-z_]\w*)\s*=\s*)?[\"']([^\"']+)[\"']\s*,?\s*$"),
    "ruby": pattern(r"^\s*:?([a-z_]\w*)(?::|\s*=>)\s*[\"']?(\w+)[\"']?\s*,?\s*\}?$"),
}
_MOST_LINES = 200


class LostValue(Record):
    """A member that goes, and the line that makes the enumeration out of a value from outside."""

    enumeration: str
    member: str
    value: str
    place: Place
    """The removed line, at base."""
    head: Place
    maker: Place
    column: str
    """What the stored value may be called: the name that the maker gives it, else the last word of the enumeration."""


def lost_values(context: RuleContext) -> tuple[LostValue, ...]:
    """Every member that goes and that nothing at head maps or handles any more."""
    return tuple(found for file in context.changes.files for found in _of_file(context, file))


def _of_file(context: RuleContext, file: ChangedFile) -> Iterator[LostValue]:
    path = file.head_path
    if (
        path is None
        or not file.base_path
        or not file.hunks
        or not is_production_code(path)
        or language_of(path) not in CODE_LANGUAGES
    ):
        return
    language = {"tsx": "typescript", "javascript": "typescript", "kotlin": "kotlin"}.get(
        language_of(path) or "", language_of(path) or ""
    )
    declared, member = _DECLARED.get(language), _MEMBER.get({"kotlin": "java"}.get(language, language))
    if declared is None or member is None:
        return
    before, after = context.base.text(file.base_path) or "", context.head.text(path) or ""
    for number, line in file.removed_lines().items():
        match = member.match(line[:300])
        name = _owner(before.split("\n"), number, declared) if match is not None else None
        if match is None or name is None or not re.search(rf"\b{re.escape(name)}\b", after):
            continue
        groups = [g for g in match.groups() if g]
        value = groups[-1]
        if re.search(rf"[\"']{re.escape(value)}[\"']|\b{re.escape(groups[0])}\b", after):
            continue  # it stays under another name, or is mapped
        maker = _maker(context, name, language)
        if maker is None or _is_handled(context, maker[0], value):
            continue
        head = Place(file=path, line=file.head_line_after_which(number))
        yield LostValue(name, groups[0], value, Place(file=file.base_path, line=number, side="base"), head, maker[0], maker[1])


def _owner(lines: list[str], number: int, declared: re.Pattern[str]) -> str | None:
    for at in range(number - 1, max(0, number - _MOST_LINES), -1):
        found = declared.match(lines[at - 1][:300])
        if found is not None:
            return next((g for g in found.groups() if g), None)
        if lines[at - 1][:1] not in ("", " ", "\t", "#", "/", "@", "}", ")"):
            return None
    return None


def _maker(context: RuleContext, name: str, language: str) -> tuple[Place, str] | None:
    """The first line of production code that makes a member out of a value."""
    word = re.escape(name)
    made = {
        "python": rf"(?<![\w.])(?<!class ){word}\(\s*(?![\"')])\w|(?:Enum|SAEnum|SQLEnum)\(\s*{word}\b|Mapped\[\s*{word}\b|choices\s*=\s*{word}\.choices",
        "java": rf"\b{word}\.(?:valueOf|fromValue|fromString|of|parse)\(\s*(?!\")\w|@Enumerated\b.*\b{word}\b|\b{word}\s+\w+;",
        "kotlin": rf"\b{word}\.valueOf\(\s*(?!\")\w|enumValueOf<{word}>",
        "csharp": rf"Enum\.Parse(?:<{word}>|\(typeof\({word}\))",
        "rust": rf"\b{word}::(?:from_str|try_from)\(|parse::<{word}>",
        "typescript": rf"\b{word}\.(?:parse|safeParse)\(|z\.nativeEnum\({word}\)|\bas\s+{word}\b",
    }.get(language)
    if made is None:
        return None
    for place in (p for listed in context.head.search({name}).values() for p in listed):
        text = (context.head.text(place.file) or "").split("\n")
        line = text[place.line - 1][:400] if place.line <= len(text) else ""
        if is_production_code(place.file) and language_of(place.file) in CODE_LANGUAGES and re.search(made, line):
            key = re.search(rf"[\"']?(\w+)[\"']?\s*[:=]\s*[^:=]*\b{word}\b", line)
            return place, (key[1] if key is not None else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().rpartition("_")[2])
    return None


def _is_handled(context: RuleContext, maker: Place, value: str) -> bool:
    """Whether the code that makes the member copes with a value that is none, or maps the one that goes."""
    lines = (context.head.text(maker.file) or "").split("\n")
    around = "\n".join(lines[max(0, maker.line - 6) : maker.line + 6])
    copes = r"\bexcept\s+(?:\(?[\w, ]*)?(?:ValueError|KeyError|Exception)|\bcatch\b|_missing_|safeParse|\.catch\(|unwrap_or|\.ok\(\)|TryParse|OrNull|#\[serde\(other\)"
    return re.search(copes, around) is not None or re.search(rf"[\"']{re.escape(value)}[\"']", around) is not None
