"""Whether words (columns, tables, bindings, variables, queues) are still used by what runs, and how."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.paths import CODE_LANGUAGES, is_docs_path, is_example_path, is_generated_path, is_test_path, language_of
from heuristics.code.syntax import PARSED, parse

How = Literal["read", "write", "definition", "string"]


class Use(Record):
    """One line that uses a word, in the spelling that stands there."""

    file: str
    line: int
    side: Side
    word: str
    how: How
    text: str

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(file=self.file, line=self.line, side=self.side)


def uses_of(
    tree: SourceTree, words: Collection[str], *, code_only: bool = True, spellings: bool = False
) -> Mapping[str, tuple[Use, ...]]:
    """Every use of each word as a whole word, outside comments, tests, examples, migrations, docs and generated files.

    With `code_only` configuration files don't count. With `spellings` the snake_case, camelCase and PascalCase
    forms count too: what an ORM makes of a column. A line that tells an ORM to ignore a column is no use.
    """
    asked = {spelling: word for word in words for spelling in ([*spellings_of(word)] if spellings else [word])}
    found: dict[str, list[Use]] = {word: [] for word in words}
    by_file: dict[str, list[tuple[int, str]]] = {}
    for spelling, places in tree.search(list(asked)).items():
        for place in places:
            if _counts(place.file, code_only=code_only):
                by_file.setdefault(place.file, []).append((place.line, spelling))
    for path in sorted(by_file):
        for line, spelling, how, text in _in_file(path, tree.text(path) or "", by_file[path]):
            found[asked[spelling]].append(Use(path, line, tree.side, spelling, how, text))
    return {word: tuple(uses) for word, uses in found.items()}


def spellings_of(word: str) -> tuple[str, ...]:
    """The word as it stands, then as snake_case, camelCase and PascalCase."""
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+", word)]
    if len(parts) < 2:
        return (word,)
    camel = parts[0] + "".join(part.capitalize() for part in parts[1:])
    return tuple(dict.fromkeys((word, "_".join(parts), camel, camel[0].upper() + camel[1:])))


_MIGRATION = pattern(
    r"(?i)(^|/)(migrations?|migrate|alembic|versions|changelogs?|db/migrate|flyway|liquibase|prisma/migrations|drizzle)/|(^|/)V\d+__|structure\.sql$|db/schema\.rb$"
)


def is_migration_path(path: str) -> bool:
    """Whether this belongs to the history of the schema, not to the code that uses it."""
    return _MIGRATION.search(path) is not None


def _counts(path: str, *, code_only: bool) -> bool:
    language = language_of(path)
    if is_test_path(path) or is_example_path(path) or is_docs_path(path) or is_generated_path(path) or is_migration_path(path):
        return False
    return not code_only or language in CODE_LANGUAGES or language in ("sql", "html", "graphql", None)


def _in_file(path: str, text: str, hits: Iterable[tuple[int, str]]) -> Sequence[tuple[int, str, How, str]]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    comments, strings = _ranges(path, text)
    found: list[tuple[int, str, How, str]] = []
    for number, word in sorted(set(hits)):
        line = lines[number - 1] if number <= len(lines) else ""
        if re.search(r"ignored_columns|ignore_columns|\bexclude_columns\b", line):
            continue
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line):
            at = starts[number - 1] + match.start()
            if not _inside(comments, at):
                found.append((number, word, _how(line, match, is_string=_inside(strings, at)), line.strip()))
                break
    return found


_Ranges = tuple[list[int], list[int]]


def _ranges(path: str, text: str) -> tuple[_Ranges, _Ranges]:
    language = language_of(path, text.split("\n", 1)[0])
    comments: _Ranges = ([], [])
    strings: _Ranges = ([], [])
    if language == "sql":
        for match in re.finditer(r"--[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/", text):
            comments[0].append(match.start())
            comments[1].append(match.end())
    root = parse(text, language) if language in PARSED else None
    if root is None:
        return comments, strings
    for node in root.walk():
        if "comment" in node.kind and node.is_named:
            into = comments
        elif (
            node.kind in ("string", "template_string")
            or node.kind.endswith(("string_literal", "heredoc_body"))
            or node.kind == "encapsed_string"
        ):
            into = strings
        else:
            continue
        if not into[1] or node.start >= into[1][-1]:
            into[0].append(node.start)
            into[1].append(node.end)
    return comments, strings


def _inside(ranges: _Ranges, at: int) -> bool:
    index = bisect_right(ranges[0], at) - 1
    return index >= 0 and at < ranges[1][index]


_DEFINES = pattern(
    r"(?:\b(?:class|def|func|function|fn|interface|struct|type|enum|const|table|create\s+table)\s+|@Column\(|Table\(\s*['\"]|t\.\w+\s+[:\"'])$",
    re.IGNORECASE,
)
_DEFINED_AS = pattern(
    r"^['\"]?\s*(?::\s*[\w\[\]|.<>?, ]+)?\s*=\s*(?:\w+\.)*(?:Column|mapped_column|relationship|\w*Field|column|ForeignKey)\(|^['\"]?\s*:\s*Mapped\["
)


def _how(line: str, match: re.Match[str], *, is_string: bool) -> How:
    before, after = line[max(0, match.start() - 200) : match.start()], line[match.end() : match.end() + 300]
    if _DEFINES.search(before) or _DEFINED_AS.match(after):
        return "definition"
    if is_string:
        return "string"
    return (
        "write"
        if re.match(r"\s*(?:[-+*/|&]|\|\||\?\?)?=(?![=>~])", after) or (re.match(r"\s*:(?!:)\s*\S", after) and "{" in before)
        else "read"
    )
