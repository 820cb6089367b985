"""DDL and maintenance statements that a change adds outside migrations: in scheduled jobs, scripts and application code."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile, ChangeSet
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.code.paths import is_test_path, language_of
from heuristics.sql import is_migration_path, parsed
from heuristics.sql.words import Action, Operation, Statement

_HEAVY = pattern(
    r"(?i)\b(?:vacuum\s*(?:\(\s*)?(?:\w+\s*,\s*)*full\b|vacuum\s*\(|reindex\s|cluster\s+\w|create\s+(?:unique\s+)?index\b|drop\s+index\b|alter\s+table\b"
    r"|truncate\s+(?:table\s+)?\w|lock\s+table\b|refresh\s+materialized\s+view\b|drop\s+table\b)"
)
_READ_AS_TEXT = frozenset(
    ["yaml", "json", "toml", "bash", "make", "dockerfile", "procfile", "hcl", "env", "properties", "sql", "groovy"]
)
_COMMENT = pattern(r"^\s*(?:#|//|--|/?\*|<!--)")
_SCHEMA_DUMP = pattern(r"(?i)(?:^|/)(?:structure|schema|dump|init)\.(?:sql|rb)$|(?:^|/)docs?/")
_NOT_PRODUCTION = pattern(
    r"(?i)(?:^|[/._-])(?:dev|develop|development|local|reset|seeds?|down|rollback|revert|undo|teardown|playground|sandbox|demo|bench\w*|examples?)(?:[/._-]|$)"
)
_QUOTES = "\"'`"
_LINES = 12


def statements_outside(changes: ChangeSet, head: SourceTree) -> tuple[Operation, ...]:
    """Every operation of a heavy statement on an added line; what does not parse as SQL was not one."""
    return tuple(op for file in changes.files for op in _in_file(file, head))


def is_made_again(operation: Operation, head: SourceTree) -> bool:
    """Whether the same file makes the name anew, after the statement that drops or renames it."""
    name = (operation.table or operation.name or "").rpartition(".")[2]
    after = (head.text(operation.statement.file) or "").split("\n")[operation.statement.line - 1 :]
    again = rf"(?i)\b(?:create\b[^;]{{0,60}}?|rename\s+to\s+)[\"`]?(?:\w+[\"`]?\.[\"`]?)?{re.escape(name)}\b(?!\s*\.)"
    return bool(name) and re.search(again, "\n".join(after)) is not None


def _in_file(file: ChangedFile, head: SourceTree) -> Iterator[Operation]:
    path = file.head_path
    if path is None or file.is_binary or is_migration_path(path) or is_test_path(path):
        return
    if _SCHEMA_DUMP.search(path) or _NOT_PRODUCTION.search(path):
        return
    added = file.added_lines()
    if not any(_HEAVY.search(text[:2_000]) for text in added.values()):
        return
    lines = (head.text(path) or "").split("\n")
    language = language_of(path, lines[0])
    if language is None or language in ("html", "css"):
        return
    for number, text in sorted(added.items()):
        found = _HEAVY.search(text[:2_000])
        if found is None or _COMMENT.match(text) or number > len(lines):
            continue
        is_quoted = any(quote in text[: found.start()] for quote in _QUOTES)
        if not is_quoted and language not in _READ_AS_TEXT and not _opens_before(lines, number):
            continue
        yield from _parsed(path, number, _statement(lines, number, found.start()))


def _statement(lines: list[str], number: int, start: int) -> str:
    """From the first word to the quote that closes it, a semicolon, or the end of the block."""
    first = lines[number - 1]
    closing = next((sign for sign in reversed(first[:start]) if sign in _QUOTES), None)
    text = "\n".join([first[start:], *lines[number : number + _LINES]])[:4_000]
    ends = [at for sign in ((closing,) if closing else ('"""', "`", "\nEOF", "\nSQL")) if (at := text.find(sign)) >= 0]
    ends += [at for at in (text.find(";"),) if at >= 0]
    if not ends and closing is None:
        ends = [text.find("\n")] if "\n" in text else []
    return text[: min(ends)] if ends else text


def _opens_before(lines: list[str], number: int) -> bool:
    """Whether a block string or heredoc opens shortly before the line."""
    before = "\n".join(lines[max(0, number - _LINES) : number - 1])
    return bool(re.search(r"\"\"\"|'''|`|<<[-~]?['\"]?\w+|R\"\(|@\"", before))


def _parsed(path: str, number: int, sql: str) -> Iterator[Operation]:
    statement = Statement(
        file=path, line=number, end_line=number + sql.count("\n"), sql=sql, source=sql, framework="script", dialect="postgres"
    )
    for operation in parsed(statement):
        is_named = operation.table is not None or (operation.action is Action.DROP_INDEX and operation.name)
        if operation.action not in (Action.NOT_ANALYSED, Action.OTHER) and is_named:
            yield operation
