"""The type that a column had before a change, as the changed declaration of its model says it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gonogo.change import ChangeSet
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code import is_test_path
from heuristics.schema.naming import bare, class_names, property_names
from heuristics.sql import Action, Catalog, Operation, is_migration_path

_FAMILIES = {
    "tinyint": r"tinyint|TinyInteger|int8|i8|u8|uint8|byte",
    "smallint": r"smallint|SmallInteger(?:Field)?|PositiveSmallIntegerField|short|Short|int16|i16|u16|uint16",
    "int": r"(?:PositiveInteger|Integer)(?:Field)?|[Ii]nteger|int|INT|Int|int32|i32|u32|uint32",
    "bigint": r"[Bb]ig_?[Ii]nt(?:eger)?|BIGINT|BigAutoField|Big(?:Integer)?Field|PositiveBigIntegerField|[Ll]ong|int64|i64|u64|uint64",
    "float": r"[Ff]loat|FLOAT|Float(?:Field)?|f32|float32",
    "double": r"[Dd]ouble|DOUBLE|f64|float64",
    "decimal": r"[Dd]ecimal|DECIMAL|BigDecimal|Numeric|NUMERIC|DecimalField",
    "text": r"[Tt]ext|TEXT|TextField",
    "varchar": r"[Vv]ar[Cc]har|VARCHAR|[Ss]tring|CharField|VarChar",
    "datetime": r"[Dd]ate[Tt]ime|DATETIME|DateTimeField",
    "timestamp": r"[Tt]imestamp|TIMESTAMP",
}
_WORDS = {family: pattern(rf"(?<![\w]){'(?:' + words + ')'}(?!\w)") for family, words in _FAMILIES.items()}
_LENGTH = pattern(
    r"(?:max_length|length|limit|size)\s*[=:]\s*(\d{1,5})|\b(?:[Vv]ar[Cc]har|VARCHAR|String|VarChar)\(\s*(\d{1,5})\s*\)"
)


class Retyped(Record):
    """The removed line that declared the column, and the SQL type that it stood for."""

    file: str
    base_line: int
    old_type: str


def with_model_types(
    operations: Sequence[Operation], known: Catalog, changes: ChangeSet, base: SourceTree
) -> Iterator[Operation]:
    """Type changes whose old type neither migrations nor production say, with the one of the model before the change."""
    for op in operations:
        if op.action is Action.ALTER_TYPE and not op.old_type and op.columns and op.table and op.column_type:
            column = known.column(op.table, op.columns[0])
            found = None if column is not None and column.type else retyped(op, changes, base)
            yield replace(op, old_type=found.old_type) if found is not None else op
        else:
            yield op


def retyped(op: Operation, changes: ChangeSet, base: SourceTree) -> Retyped | None:
    """Where the change gives the column's declaration the new type; None when no declaration or several types say so."""
    new = family_of_type(op.column_type or "")
    if new is None or op.table is None:
        return None
    names = "|".join(re.escape(name) for name in sorted(property_names(op.columns[0])))
    named = re.compile(rf"(?<![\w.])(?:{names})(?!\w)")
    owners = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(c) for c in sorted({*class_names(op.table), bare(op.table)}))})(?!\w)")
    found: list[Retyped] = []
    for file in changes.files:
        if not file.base_path or not file.head_path or file.is_binary or is_test_path(file.path) or is_migration_path(file.path):
            continue
        for hunk in file.hunks:
            after = {family for line in hunk.added if named.search(line) for family in _families(line)}
            if new not in after:
                continue
            for offset, line in enumerate(hunk.removed):
                before = [f for f in _families(line) if f not in after] if named.search(line) else []
                if len(before) == 1 and before[0] != new and owners.search(base.text(file.base_path) or ""):
                    found.append(Retyped(file.base_path, hunk.base_start + offset, _sql(before[0], line)))
    types = {one.old_type for one in found}
    return found[0] if len(types) == 1 else None


def family_of_type(sql_type: str) -> str | None:
    """The family of a SQL type: `BIGINT UNSIGNED` → `bigint`."""
    word = re.match(r"[a-z]+", sql_type.strip().lower())
    name = (
        {"integer": "int", "numeric": "decimal", "mediumtext": "text", "longtext": "text"}.get(word[0], word[0]) if word else ""
    )
    return name if name in _FAMILIES else None


def _families(line: str) -> list[str]:
    return [family for family, words in _WORDS.items() if words.search(line[:2_000])]


def _sql(family: str, line: str) -> str:
    if family != "varchar":
        return family
    length = _LENGTH.search(line)
    return f"varchar({next((g for g in length.groups() if g), '255')})" if length is not None else "varchar(255)"
