"""Rewrites of the lines that a no-go starts from: the same migration done safely, the same setting at a value that holds.

They are proposals: whoever makes them has each tried before it is said.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from gonogo.change import ChangedFile
from gonogo.evidence import FileEvidence
from gonogo.go_if import Edit
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record

_NUMBER = pattern(r"(?<![\w.])\d[\d,_]*(?:\.\d+)?(?!\.?\d)")
"""A number, and no part of a version such as 3.1.2."""
_SCALES = {"s": 1000.0, "ms": 0.001}
"""A number of the advice in this unit may stand in the file in the other one."""
_PART = pattern(r"^\S+ \d+ of \d+(?:, each a migration of its own)?$")
_COMMENT = pattern(r"^\s*(?:--|#|//)")
MAX_VALUES = 2

_TOP = pattern(r"\A")
_OUTSIDE_A_TRANSACTION: Mapping[str, tuple[re.Pattern[str], str]] = {
    "goose": (_TOP, "-- +goose NO TRANSACTION"),
    "sqlx": (_TOP, "-- no-transaction"),
    "atlas": (_TOP, "-- atlas:txmode none"),
    "rails": (pattern(r"(?m)^class .*Migration.*\n"), "  disable_ddl_transaction!"),
    "django": (pattern(r"(?m)^class Migration\(.*\n"), "    atomic = False"),
}
"""Framework → where in the file it is told to run this migration outside a transaction, and how."""
_DJANGO_OPERATIONS = "from django.contrib.postgres.operations import "


class Rewrite(Record):
    """Edits that belong together, and what of the safe way comes in later migrations."""

    edits: tuple[Edit, ...]
    then: tuple[str, ...] = ()


def rewritten_statements(start: FileEvidence, head: SourceTree) -> Iterator[Rewrite]:
    """The migration statement on that line as its safe alternative, alone and with the framework told to open no transaction."""
    from heuristics.sql import migrations_in, safe_alternative  # noqa: PLC0415  most no-gos are of no migration

    found = [
        op
        for op in migrations_in([start.file], head)
        if op.statement.file == start.file and op.statement.line <= start.line <= op.statement.end_line
    ]
    if len(found) != 1:
        return
    (op,) = found
    text, statement = head.text(start.file) or "", op.statement
    outside = _outside(statement.framework, text, start.file)
    if op.is_concurrent and outside:
        yield Rewrite(outside)
    code, then = _first_migration(safe_alternative(op))
    lines = text.split("\n")[statement.line - 1 : statement.end_line]
    replaced = _in_place(code, lines, source=statement.source, framework=statement.framework)
    if not replaced:
        return
    edit = Edit(file=start.file, line=statement.line, replaces=len(lines), lines=tuple(replaced))
    if any("concurrently" in line.lower() for line in code) and outside:
        imported = _imported(code, text, start.file) if statement.framework == "django" else ()
        yield Rewrite((edit, *outside, *imported), then)
    else:
        yield Rewrite((edit,), then)


def safe_values(start: FileEvidence, file: ChangedFile, make_safe: str) -> Iterator[Rewrite]:
    """The line with its number replaced by one that the advice names, of the same order as what stood and what stands there."""
    hunk = next(
        (h for h in file.hunks if start.side == "head" and h.head_start <= start.line < h.head_start + h.head_count), None
    )
    if hunk is None:
        return
    line = hunk.added[start.line - hunk.head_start]
    before = next((old for old in hunk.removed if _NUMBER.sub("0", old) == _NUMBER.sub("0", line)), None)
    old_numbers = [_value(m[0]) for m in _NUMBER.finditer(before)] if before is not None else []
    count = 0
    for at, found in enumerate(_NUMBER.finditer(line)):
        new = _value(found[0])
        old = old_numbers[at] if before is not None else None
        if old == new or new <= 0:
            continue
        low, high = (min(new, old) / 2, max(new, old) * 2) if old else (new / 10, new * 10)
        for value in _advised(make_safe):
            if not low <= value <= high or value in (old, new) or count >= MAX_VALUES:
                continue
            count += 1
            written = f"{value:g}" if "." in found[0] else str((math.ceil if value > new else math.floor)(round(value, 6)))
            text = line[: found.start()] + written + line[found.end() :]
            yield Rewrite((Edit(file=start.file, line=start.line, replaces=1, lines=(text,)),))


def _advised(make_safe: str) -> list[float]:
    """The numbers of an advice, in its own units and in those that a file may have."""
    found: dict[float, None] = {}
    for number in _NUMBER.finditer(make_safe):
        value = _value(number[0])
        unit = re.match(r"\s*([a-z]+)\b", make_safe[number.end() :])
        scale = _SCALES.get(unit[1] if unit else "", 1.0)
        found |= dict.fromkeys((value, value * scale))
    return list(found)


def _first_migration(alternative: str) -> tuple[list[str], tuple[str, ...]]:
    """The code of the first of the migrations that the safe way takes, and the later ones: code, or what is to be done in words."""
    parts: list[list[str]] = [[]]
    for line in alternative.splitlines():
        if _PART.match(line):
            parts.append([])
        elif not (line.startswith("(") and line.endswith(")")):
            parts[-1].append(line)
    parts = [part for part in parts if any(line.strip() for line in part)]
    first = [line for line in parts[0] if not _COMMENT.match(line)] if parts else []
    return first, tuple(_step(part) for part in parts[1:])


def _step(part: Sequence[str]) -> str:
    code = [line.strip() for line in part if line.strip() and not _COMMENT.match(line)]
    return f"`{' '.join(code)}`" if code else " ".join(_COMMENT.sub("", line).strip() for line in part if line.strip())


def _in_place(code: Sequence[str], lines: Sequence[str], *, source: str, framework: str) -> list[str]:
    """The code where the statement stands, as far in; empty where the framework's code cannot simply be put in its place."""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""
    match framework:
        case "alembic":
            if any("CONCURRENTLY" in line for line in code):
                code = ["with op.get_context().autocommit_block():", *(f"    {line}" for line in code)]
        case "rails":
            if "def change" in code:
                code = [line[2:] for line in code[code.index("def change") + 1 : len(code) - 1]]
        case "django":
            if "operations = [" not in code or not any(f"{word}(" in source for word in ("AddIndex", "RemoveIndex")):
                return []
            code = [line[4:] for line in code[code.index("operations = [") + 1 : len(code) - 1]]
        case _:
            there = "\n".join(lines)
            old = source.strip().rstrip(";").rstrip()
            if not code or not old or old not in there:
                return []
            return there.replace(old, "\n".join(code).strip().rstrip(";"), 1).split("\n")
    kept = [line for line in code if line.strip()]
    return [] if any("<model of" in line or "..." in line for line in kept) else [f"{indent}{line}" for line in kept]


def _outside(framework: str, text: str, path: str) -> tuple[Edit, ...]:
    if framework == "dbmate":
        at = next((n for n, line in enumerate(text.split("\n"), 1) if line.strip() == "-- migrate:up"), None)
        return (Edit(file=path, line=at, replaces=1, lines=("-- migrate:up transaction:false",)),) if at else ()
    where, line = _OUTSIDE_A_TRANSACTION.get(framework, (None, ""))
    found = where.search(text) if where is not None and line.strip() not in text else None
    return (Edit(file=path, line=text.count("\n", 0, found.end()) + 1, lines=(line,)),) if found else ()


def _imported(code: Sequence[str], text: str, path: str) -> tuple[Edit, ...]:
    """The import of the operations that the code calls."""
    called = {m[0] for line in code for m in re.finditer(r"\b(?:Add|Remove)IndexConcurrently\b", line)}
    names = sorted(name for name in called if name not in text)
    at = next((n for n, line in enumerate(text.split("\n"), 1) if line.startswith(("from django", "import django"))), None)
    return (Edit(file=path, line=at, lines=(f"{_DJANGO_OPERATIONS}{', '.join(names)}",)),) if names and at else ()


def _value(digits: str) -> float:
    return float(digits.replace(",", "").replace("_", ""))
