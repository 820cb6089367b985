"""Time-outs of statements that SQL sets for a role, a database or a server, or that a connection string carries."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code.paths import is_test_path
from heuristics.limits.changed import Changed
from heuristics.rule import RuleContext
from heuristics.sql.durations import milliseconds

_NAMES = r"(?P<name>statement_timeout|max_execution_time|max_statement_time|transaction_timeout)"
_SQL = pattern(
    r"(?i)\b(?:alter\s+(?:role|user)\s+[\"`']?(?P<role>[\w@%.-]+)[\"`']?(?:\s+in\s+database\s+[\"`]?(?P<within>\w+)[\"`]?)?\s+(?:set|with)|alter\s+database\s+[\"`]?(?P<database>\w+)[\"`]?\s+set"
    rf"|alter\s+system\s+set|set\s+(?:global|persist)|set\s+@@global\.)\s*{_NAMES}\s*(?:=|\bto\b|\s)\s*'?(?P<value>\d+\s?[a-z]{{0,3}})'?"
)
_STRING = pattern(rf"(?i)-c(?:\s|\+|%20)?{_NAMES}(?:=|%3D)(?P<value>\d+\s?(?:ms|s|min|h)?)")
_DOWN = pattern(
    r"(?i)^\s*--\s*(?:\+?(?:goose|migrate)\W{1,3}(?:down|statementend\s+down)|migrate:down|rollback|down\b|\+migrate\s+down)"
)
_FILES = 200


class _Said(Record):
    subject: str
    name: str
    line: int
    seconds: float
    text: str


def session_limits(context: RuleContext) -> Iterator[tuple[Changed, float | None, float]]:
    """Each with its old and new seconds: the old one of the replaced line, else of the last file that set it for the same subject."""
    for file in context.changes.files:
        path = file.head_path
        if path is None or not file.hunks or is_test_path(path) or path.endswith((".md", ".rst")):
            continue
        added = file.added_lines()
        for said in _in_text(context.head.text(path) or "", only=frozenset(added)):
            old = _replaced(context, file, said) or _set_before(context.head, path, said)
            base_line = old.line if old is not None and file.base_path and _replaced(context, file, said) is not None else None
            yield _changed(path, said, old, base_line), old.seconds if old is not None else None, said.seconds


def _changed(path: str, said: _Said, old: _Said | None, base_line: int | None) -> Changed:
    return Changed(
        said.name, said.name, path, base_line, said.line, None, said.seconds, old.text if old is not None else None, said.text,
        old_seconds=old.seconds if old is not None else None, new_seconds=said.seconds,
    )  # fmt: skip


def _in_text(text: str, *, only: frozenset[int] | None = None) -> list[_Said]:
    found: list[_Said] = []
    for number, line in enumerate(text[:400_000].split("\n"), start=1):
        if _DOWN.match(line):
            break
        if line.lstrip().startswith(("--", "#", "//")) or (only is not None and number not in only):
            continue
        for match in (m for p in (_SQL, _STRING) if (m := p.search(line[:1_000])) is not None):
            parts = match.groupdict()
            seconds = _seconds(parts["name"], parts["value"])
            subject = "/".join(str(parts.get(k) or "") for k in ("role", "within", "database"))
            if seconds is not None and seconds > 0:
                found.append(_Said(subject.lower(), parts["name"].lower(), number, seconds, parts["value"].strip()))
    return found


def _seconds(name: str, value: str) -> float | None:
    if name.lower() == "max_statement_time":
        return float(value) if value.strip().isdigit() else None
    found = milliseconds(value.replace(" ", ""))
    return found / 1000 if found is not None else None


def _replaced(context: RuleContext, file: ChangedFile, said: _Said) -> _Said | None:
    if file.base_path is None:
        return None
    removed = _in_text(context.base.text(file.base_path) or "", only=frozenset(file.removed_lines()))
    return next((s for s in removed if (s.subject, s.name) == (said.subject, said.name)), None)


def _set_before(tree: SourceTree, path: str, said: _Said) -> _Said | None:
    """By the order of the files' names, which is the order in which they run."""
    paths = [
        p
        for p in tree.paths()
        if p.endswith((".sql", ".rb", ".py", ".ts", ".js", ".php", ".exs")) and p < path and not re.search(r"(?:^|/)tests?/", p)
    ]
    for other in [p for p in sorted(paths, reverse=True) if said.name in (tree.text(p) or "")][:_FILES]:
        same = [s for s in _in_text(tree.text(other) or "") if (s.subject, s.name) == (said.subject, said.name)]
        if same:
            return same[-1]
    return None
