"""Where code uses a table or a column: in SQL text, in the model that maps it, or by its property name.

A use is certain when the statement or the model says which table it is. A property name alone counts only in a file that
speaks of the table, and is certain only when no other table has such a column.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code.paths import CODE_LANGUAGES, is_test_path, language_of
from heuristics.schema.naming import app_of, bare, class_names, property_names
from heuristics.schema.owners import is_of_other_table
from heuristics.sql import is_migration_path

How = Literal["sql", "model", "property"]

_COMMENT = pattern(r"^\s*(?:#(?!\{)|//|--|/?\*|<!--|%|;;)")
_IMPORT = pattern(
    r"^\s*(?:from\s+[\w.]+\s+import\b|import\b|export\b.*\bfrom\b|const\b.*\brequire\(|use\s|#include|package\s|using\s)"
)
_MAPPED_CLASS = (
    r"\bclass\s+__NAME__\b[^\n]*(?:<\s*(?:ApplicationRecord|ActiveRecord::Base)|extends\s+(?:\w*Model|Eloquent)\b"
    r"|\((?:[\w.]*Model|[\w.]*Base|SQLModel|db\.Model)\b)|^\s*model\s+__NAME__\s*\{|\btype\s+__NAME__\s+struct\b"
)
_ENTITY_BEFORE = pattern(r"@Entity\b|@Table\b|#\[derive\([^)]*(?:Queryable|FromRow|Model)|\[Table\b")
_MAPPING_WORD = (
    r"__tablename__|db_table|table_name|tableName|\$table|@@map|@Table|@Entity|@JoinTable|TableName|pgTable|mysqlTable|sqliteTable|schema"
    r"|Table|define|db|knex|trx|from|into|join|table|insertInto|selectFrom|updateTable|deleteFrom|toTable|ToTable|set_table_name|relation"
)
_NOT_RUN = pattern(
    r"(?i)(?:^|/)(?:schema\.rb|structure\.sql|schema\.sql|seeds?\.\w+)$|(?:^|/)(?:seeds?|docs?)/"
    r"|(?:[._/-](?:down|rollback|revert|undo|seed)|(?:^|/)(?:migrations?|migrate|alembic|versions|manual[^/]*)/[^/]*)\.sql$"
)
"""Schema dumps, seeds, documents, and the way back of a migration."""
_WINDOW = 6
"""Lines of one statement on either side of its table."""
_FILES = 400
"""Files in which a word is looked at; more would say nothing new."""


class Use(Record):
    """A line that uses it."""

    file: str
    line: int
    side: Side
    text: str
    how: How
    is_certain: bool


def table_uses(tree: SourceTree, table: str) -> tuple[Use, ...]:
    """Every line of application code that reads, writes or maps the table."""
    name = bare(table)
    names = {name} | class_names(table)
    found: list[Use] = []
    for path, lines in _files(tree, names):
        for number, text in _code_lines(lines):
            if name in text and _names_table(lines, number, name):
                how: How = "sql" if _SQL_WORDS.search(text) else "model"
                found.append(Use(path, number, tree.side, text.strip(), how, is_certain=True))
            elif _maps_by_convention(path, lines, number, table):
                found.append(Use(path, number, tree.side, text.strip(), "model", is_certain=True))
    return tuple(found)


def column_uses(
    tree: SourceTree, table: str, column: str, *, others: Collection[str] = (), other_tables: Collection[str] = ()
) -> tuple[Use, ...]:
    """Every line of application code that names the column of this table.

    `others` are columns of other tables, `other_tables` those of them that have a column of this name.
    """
    words = property_names(column)
    is_distinctive = column.lower() not in {o.lower() for o in others} and (len(column) >= 6 or "_" in column)
    name, classes = bare(table), class_names(table)
    pattern = _any_word(words)
    found: list[Use] = []
    for path, lines in _files(tree, words):
        whole = "\n".join(lines)
        speaks_of_table = bool(_any_word({name, *classes}).search(whole))
        spans = model_spans(path, lines, table)
        for number, text in _code_lines(lines):
            if not pattern.search(text) or is_ignored(lines, number, words):
                continue
            if is_of_other_table(lines, number, table, column, other_tables):
                continue
            if any(first <= number <= last for first, last in spans):
                found.append(Use(path, number, tree.side, text.strip(), "model", is_certain=True))
            elif _in_statement_on(lines, number, name, bare(column)):
                found.append(Use(path, number, tree.side, text.strip(), "sql", is_certain=True))
            elif speaks_of_table and _is_property(text, words):
                found.append(Use(path, number, tree.side, text.strip(), "property", is_certain=is_distinctive))
    return tuple(found)


def whole_row_models(tree: SourceTree, table: str, column: str) -> tuple[Use, ...]:
    """Models that read their columns from the database, so that they use each one without naming it (Active Record, Eloquent).

    A model that ignores the column is not among them.
    """
    words = property_names(column)
    found: list[Use] = []
    for path, lines in _files(tree, class_names(table)):
        if language_of(path) != "ruby":
            continue
        ignored = any(
            "ignored_columns" in line and _any_word(words).search(" ".join(lines[i : i + 4])) for i, line in enumerate(lines)
        )
        for number, text in _code_lines(lines):
            if not ignored and _maps_by_convention(path, lines, number, table):
                found.append(Use(path, number, tree.side, text.strip(), "model", is_certain=True))
    return tuple(found)


def ignoring_lines(tree: SourceTree, table: str, column: str) -> tuple[Use, ...]:
    """Lines by which a model of the table is told to leave the column alone."""
    words = property_names(column)
    return tuple(
        Use(path, number, tree.side, text.strip(), "model", is_certain=True)
        for path, lines in _files(tree, words)
        for number, text in _code_lines(lines)
        if _any_word(words).search(text)
        and is_ignored(lines, number, words)
        and _any_word({bare(table), *class_names(table)}).search("\n".join(lines))
    )


def is_ignored(lines: Sequence[str], number: int, words: Collection[str]) -> bool:
    """Whether the line tells the ORM not to use the column: ignored_columns, @Transient, exclude lists."""
    around = " ".join(lines[max(0, number - 3) : number])
    return bool(re.search(r"ignored_columns|@Transient\b|@transient\b|\bignore_columns\b|excludeColumns", around)) and bool(
        _any_word(words).search(around)
    )


def model_spans(path: str, lines: Sequence[str], table: str) -> list[tuple[int, int]]:
    """First and last line of every model of the table in this file."""
    name = bare(table)
    spans: list[tuple[int, int]] = []
    for number, text in _code_lines(lines):
        is_named = name in text and bool(_mapping(name).search(text)) and not _SQL_WORDS.search(text)
        if is_named or _maps_by_convention(path, lines, number, table):
            spans.append(_block_around(lines, number))
    return spans


def _block_around(lines: Sequence[str], number: int) -> tuple[int, int]:
    """The class or block that the line opens or stands in, by indentation and braces; at most 400 lines."""
    first = number
    opens = re.compile(
        r"^\s*(?:@|(?:public |final |abstract |data |export |pub |sealed )*(?:class|model|struct|type|entity|record|schema)\b)|=\s*\w+\("
    )
    while (
        first > 1
        and number - first < 6
        and not re.match(r"^\s*(?:[\w ]*\bclass\b|model\b|type\b|export const)", lines[first - 1])
    ):
        first -= 1
    if not opens.match(lines[first - 1]):
        first = number
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    last = first
    for at in range(first, min(len(lines), first + 400)):
        text = lines[at]
        if (
            text.strip()
            and len(text) - len(text.lstrip()) <= indent
            and not re.match(r"^\s*[)\]},]|^\s*end\b", text)
            and at >= number
        ):
            break
        last = at + 1
    return first, max(last, number)


_SQL_WORDS = pattern(r"(?i)\b(?:select|insert\s+into|update|delete\s+from|from|join|where|returning|truncate)\b(?!\()")


def _names_table(lines: Sequence[str], number: int, name: str) -> bool:
    text = lines[number - 1]
    if _IMPORT.match(text):
        return False
    before = lines[number - 2].rstrip() if number > 1 else ""
    joined = f"{before[-30:]} {text}" if re.search(r"(?i)\b(?:from|join|into|update|table)\s*$", before) else text
    if _sql(name).search(joined) or _mapping(name).search(text):
        return True
    returned = re.search(rf"""return\s+["'`]{re.escape(name)}["'`]""", text)
    return bool(returned) and "TableName" in " ".join(lines[max(0, number - 3) : number])


def _in_statement_on(lines: Sequence[str], number: int, name: str, column: str) -> bool:
    """Whether a SQL statement on the table stands around the line, and the column is spelled as the database spells it."""
    if column.lower() not in lines[number - 1].lower():
        return False
    first, last = max(0, number - 1 - _WINDOW), min(len(lines), number + _WINDOW)
    here = lines[number - 1]
    if _sql(name).search(here):
        return True
    near = " ".join(text for text in lines[first:last] if not _COMMENT.match(text) and not _IMPORT.match(text))
    return bool(_sql(name).search(near)) and bool(
        re.search(r"""["'`]|(?i:\b(?:select|set|where|and|or|by|values)\b)|^[\s\w,.()]*$""", here)
    )


def _is_property(text: str, words: Collection[str]) -> bool:
    """`.legacy_score`, `:legacy_score`, `"legacy_score"`, `legacy_score:`, `legacy_score=`: an attribute, a key, a symbol."""
    options = "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))
    return bool(re.search(rf"""(?:[.:"'`\[>]|->|\b)(?:{options})\b""", text))


def _maps_by_convention(path: str, lines: Sequence[str], number: int, table: str) -> bool:
    """Whether the line declares a class that its framework maps to the table."""
    text = lines[number - 1]
    if "class " not in text and "model " not in text and "struct" not in text:
        return False
    for class_name in class_names(table):
        if class_name not in text:
            continue
        declared = re.search(_MAPPED_CLASS.replace("__NAME__", re.escape(class_name)), text)
        entity = re.search(rf"\b(?:class|struct)\s+{re.escape(class_name)}\b", text) and _ENTITY_BEFORE.search(
            " ".join(lines[max(0, number - 6) : number])
        )
        if (declared or entity) and not _names_another(lines, number, table) and _is_in_app(path, table, class_name):
            return True
    return False


def _names_another(lines: Sequence[str], number: int, table: str) -> bool:
    """Whether the class says itself that its table is another one."""
    around = "\n".join(lines[max(0, number - 4) : number + 40])
    said = re.search(
        r"""(?:__tablename__|db_table|table_name|\$table|@@map|@Table\(\s*(?:name\s*=\s*)?)\W{0,6}["']([\w.]+)["']""", around
    )
    return said is not None and bare(said.group(1)).lower() != bare(table).lower()


def _is_in_app(path: str, table: str, class_name: str) -> bool:
    """A class that covers only the end of the table's name must stand in a folder of the rest: `crm/models.py`."""
    rest = app_of(table, class_name)
    return not rest or rest in path.lower().replace("-", "_").split("/") or rest.replace("_", "") in path.lower()


def _sql(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?i)\b(?:from|join|into|update|table|truncate|using)\s+(?:only\s+|if\s+exists\s+|ignore\s+)?(?:["'`\[]?\w+["'`\]]?\.)?\\?["`\[]?{re.escape(name)}\b(?![.\w]*\s+import\b)"""
    )


def _mapping(name: str) -> re.Pattern[str]:
    quoted = rf"""\b(?:tableName|table_name)\b[^"'`\n]{{0,20}}["'`]{re.escape(name)}["'`]|@(?:Entity|Table)\b[^"'`\n]{{0,40}}["'`]{re.escape(name)}["'`]"""
    return re.compile(rf"""(?:{_MAPPING_WORD})\b[^"'`:\n]{{0,30}}["'`:]{re.escape(name)}(?:["'`]|\b)|{quoted}""")


def _any_word(words: Collection[str]) -> re.Pattern[str]:
    options = "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![A-Za-z0-9_$])(?:{options})(?![A-Za-z0-9_$])")


def _files(tree: SourceTree, words: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """The application files that hold one of the words, with their lines."""
    places = tree.search({w for w in words if w})
    paths = sorted({place.file for listed in places.values() for place in listed})
    for path in [p for p in paths if is_application_path(p)][:_FILES]:
        text = tree.text(path)
        if text is not None:
            yield path, text.split("\n")


def is_application_path(path: str) -> bool:
    """Code, templates and SQL that run in production: no tests, no migrations, no schema dumps, no documentation."""
    if is_test_path(path) or is_migration_path(path) or _NOT_RUN.search(path):
        return False
    language = language_of(path)
    return (
        language in CODE_LANGUAGES or language in ("sql", "html") or path.endswith((".prisma", ".xml", ".erb", ".dbml", ".edmx"))
    )


def _code_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, text in enumerate(lines, start=1):
        if text.strip() and len(text) < 2_000 and not _COMMENT.match(text):
            yield number, text


def label_uses(tree: SourceTree, label: str, *, near: Collection[str]) -> tuple[Use, ...]:
    """Lines of application code with the label in quotes; certain in a file that speaks of one of the names `near` it."""
    words = {w for n in near for w in (n, *class_names(n), *property_names(n)) if len(w) > 2}
    if not re.fullmatch(r"[\w-]+", label) or not words:
        return ()
    quoted = re.compile(rf"""["'`:]{re.escape(label)}(?:["'`]|\b)""")
    speaks, is_distinctive = _any_word(words), len(label) >= 8 or "_" in label
    return tuple(
        Use(path, number, tree.side, text.strip(), "property", is_certain=is_distinctive and is_near)
        for path, lines in _files(tree, {label})
        for is_near in [bool(speaks.search("\n".join(lines)))]
        if is_near or is_distinctive
        for number, text in _code_lines(lines)
        if quoted.search(text)
    )
