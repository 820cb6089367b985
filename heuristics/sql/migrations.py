"""From changed paths to operations: which reader takes each file, in which order they run, and what is known before them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.resource import Place
from heuristics.sql.catalog import Catalog, key_of
from heuristics.sql.dialect import dialect_of_sql, guess_dialect
from heuristics.sql.paths import given_kind_of, kind_of
from heuristics.sql.replay import apply_operation
from heuristics.sql.reversal import with_old_types
from heuristics.sql.sources.alembic import is_alembic, read_alembic
from heuristics.sql.sources.django import is_django, read_django
from heuristics.sql.sources.javascript import framework_of, read_javascript
from heuristics.sql.sources.liquibase import is_formatted_sql, read_liquibase
from heuristics.sql.sources.plain import read_plain, runner_of
from heuristics.sql.sources.statements import placeholder, statements_of
from heuristics.sql.sources.templates import Template
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action, Dialect, Operation, Statement


def migrations_in(changed_paths: Sequence[str], tree: SourceTree, *, dialect: Dialect | None = None) -> tuple[Operation, ...]:
    """The operations of the migration files among these paths, in the order they will run.

    Every statement of such a file is among them: one that cannot be read has the action `not_analysed`.
    """
    paths = sorted((p for p in changed_paths if kind_of(p) is not None), key=order_of)
    if not paths:
        return ()
    own = dialect or guess_dialect(tree)
    found = [op for path in paths for op in read_file(path, tree, dialect=own)]
    return tuple(with_old_types(tuple(completed(found, known_schema(found, tree, but=paths))), tree, _read_as))


def completed(operations: Sequence[Operation], catalog: Catalog) -> Iterator[Operation]:
    """Each operation with what the schema before it adds: the old type of a column, whether it is NOT NULL, the table of an index."""
    for op in operations:
        if op.action is Action.ALTER_TYPE and op.columns and (column := catalog.column(op.table, op.columns[0])) is not None:
            op = replace(op, old_type=column.type or None)  # noqa: PLW2901 - the completed one
        elif op.action is Action.DROP_DEFAULT and op.columns and (column := catalog.column(op.table, op.columns[0])) is not None:
            is_not_null = "true" if column.is_not_null else "false"
            op = replace(op, details={**op.details, "column_is_not_null": is_not_null})  # noqa: PLW2901
        elif op.table is None and op.object_kind == "index" and (index := catalog.index(op.name)) is not None:
            op = replace(op, table=index.table)  # noqa: PLW2901
        yield op
        apply_operation(catalog, op)


_MOST_EARLIER = 300


def known_schema(operations: Sequence[Operation], tree: SourceTree, *, but: Sequence[str]) -> Catalog:
    """What the tree says about the tables and indexes of these operations: its schema file, else its other migrations.

    `but` are the files of the change itself. Give the base tree where there is one: a schema file of the head is newer.
    """
    names = {key_of(n).rpartition(".")[2] for op in operations for n in (op.table, op.referenced_table, op.name, *op.reads) if n}
    own = set(but)
    catalog = Catalog()
    dialect = operations[0].statement.dialect if operations else "unknown"
    mentions: Mapping[str, tuple[Place, ...]] = tree.search(names) if names else {}
    files = {place.file for places in mentions.values() for place in places} - own
    folders = {op.statement.file.rpartition("/")[0] for op in operations if op.statement.framework == "django"}
    files |= {p for p in tree.paths() if p.rpartition("/")[0] in folders and p not in own} if folders else set()
    for path in schema_files(files):
        for op in read_schema(path, tree, dialect=dialect, names=names):
            apply_operation(catalog, op)
        break
    else:
        earlier = sorted((p for p in files if kind_of(p) is not None), key=order_of)[-_MOST_EARLIER:]
        for path in earlier:
            for op in read_file(path, tree, dialect=dialect):
                apply_operation(catalog, op)
    for relation in catalog.relations.values():
        relation.has_rows = None
    return catalog


def schema_files(files: Iterable[str]) -> list[str]:
    """Files that hold the whole schema, best first."""
    best = ("structure.sql", "schema.sql", "schema.rb", "dump.sql")
    found = [f for f in files if f.rpartition("/")[2] in best and kind_of(f) is None]
    return sorted(found, key=lambda f: (best.index(f.rpartition("/")[2]), f.count("/"), f))


def read_schema(path: str, tree: SourceTree, *, dialect: Dialect, names: Collection[str] = ()) -> Iterator[Operation]:
    """The operations that a schema file stands for; with `names`, only statements that hold one of them."""
    text = tree.text(path) or ""
    source = SourceFile(path=path, text=text, dialect=dialect, tree=tree)
    if path.endswith(".rb"):
        from heuristics.sql.sources.rails import read_schema_rb  # noqa: PLC0415

        migration = read_schema_rb(source)
    else:
        migration = ReadMigration(
            framework="sql", migration_id=None, written=(Written(sql=text, line=1, end_line=text.count("\n") + 1),)
        )
    wanted = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(n) for n in sorted(names)) + r")(?!\w)") if names else None
    for statement, written, template in statements_of(source, migration):
        if written.sql is not None and (wanted is None or wanted.search(statement.sql) is not None):
            for op in _parse(statement):
                yield _finished(op, table=written.table, template=template)


def read_file(path: str, tree: SourceTree, *, dialect: Dialect) -> tuple[Operation, ...]:
    """The operations of one migration file."""
    text = tree.text(path)
    return _read_as(path, text, tree, dialect) if text is not None else ()


def read_given(path: str, tree: SourceTree, *, dialect: Dialect, before: Catalog) -> tuple[Operation, ...]:
    """The operations of a file that somebody says is a migration, on a schema that is known; none when it is no migration.

    `before` is not changed.
    """
    found = _read_as_given(path, tree.text(path) or "", tree, dialect)
    return tuple(with_old_types(tuple(completed(found, before.copy())), tree, _read_as_given))


def _read_as(path: str, text: str, tree: SourceTree, dialect: Dialect) -> tuple[Operation, ...]:
    kind = kind_of(path)
    return () if kind is None else _operations_of(path, text, tree, dialect, kind)


def _read_as_given(path: str, text: str, tree: SourceTree, dialect: Dialect) -> tuple[Operation, ...]:
    return _operations_of(path, text, tree, dialect, given_kind_of(path))


def _operations_of(path: str, text: str, tree: SourceTree, dialect: Dialect, kind: str) -> tuple[Operation, ...]:
    if kind == "sql" and dialect == "unknown":
        dialect = dialect_of_sql(text)
    source = SourceFile(path=path, text=text, dialect=dialect, tree=tree)
    migration = _read(source, kind)
    if migration is None:
        return _unread(source) if _looks_like_one(text, kind) else ()
    return tuple(op for statement in _operations(source, migration) for op in statement)


def framework_of_file(path: str, tree: SourceTree, *, dialect: Dialect = "unknown") -> str | None:
    """The framework or runner that a migration file belongs to; None when it is not one."""
    text, kind = tree.text(path), kind_of(path)
    if text is None or kind is None:
        return None
    source = SourceFile(path=path, text=text, dialect=dialect, tree=tree)
    match kind:
        case "sql":
            return "liquibase" if is_formatted_sql(text) else runner_of(source).name
        case "python":
            return "alembic" if is_alembic(text) else "django" if is_django(text) else None
        case "javascript":
            return framework_of(text)
        case "liquibase":
            return "liquibase" if "databaseChangeLog" in text else None
        case _:
            return {"ruby": "rails", "elixir": "ecto", "php": "laravel"}.get(kind)


_SIGNS = {
    "python": pattern(r"\bmigrations\.Migration\b|\bfrom alembic\b|\bimport alembic\b"),
    "ruby": pattern(r"\bActiveRecord::Migration\b"),
    "javascript": pattern(r"\bMigrationInterface\b|\bqueryInterface\b|\bknex\.schema\b|\bpgm\."),
    "elixir": pattern(r"\buse Ecto\.Migration\b"),
    "php": pattern(r"\bextends Migration\b|\bextends AbstractMigration\b"),
    "liquibase": pattern(r"\bdatabaseChangeLog\b"),
}


def _looks_like_one(text: str, kind: str) -> bool:
    sign = _SIGNS.get(kind)
    return sign is not None and sign.search(text) is not None


def _unread(source: SourceFile) -> tuple[Operation, ...]:
    """A migration that could not be read at all is one visible operation."""
    statement = Statement(
        file=source.path,
        line=1,
        end_line=1,
        sql="",
        source=source.lines(1, 1),
        framework="unknown",
        dialect=source.dialect,
        is_analysed=False,
        note="the file can not be read as a migration",
    )
    return (Operation(statement=statement, action=Action.NOT_ANALYSED),)


def _read(source: SourceFile, kind: str) -> ReadMigration | None:
    match kind:
        case "sql":
            return read_liquibase(source) if is_formatted_sql(source.text) else read_plain(source)
        case "liquibase":
            return read_liquibase(source)
        case "elixir":
            from heuristics.sql.sources.ecto import read_ecto  # noqa: PLC0415  each framework loads with its first file

            return read_ecto(source)
        case "python" if is_alembic(source.text):
            return read_alembic(source)
        case "python" if is_django(source.text):
            return read_django(source)
        case "ruby":
            from heuristics.sql.sources.rails import read_rails  # noqa: PLC0415

            return read_rails(source)
        case "javascript":
            return read_javascript(source)
        case "php":
            from heuristics.sql.sources.laravel import read_laravel  # noqa: PLC0415

            return read_laravel(source)
        case _:
            return None


def _operations(source: SourceFile, migration: ReadMigration) -> Iterable[tuple[Operation, ...]]:
    functions: dict[str, str] = {}
    for statement, written, template in statements_of(source, migration):
        if written.sql is None:
            yield (placeholder(statement, written),)
            continue
        parsed = _parse(statement)
        for op in parsed:
            if op.action is Action.CREATE_FUNCTION and op.name and op.details.get("language") == "plpgsql":
                functions[key_of(op.name)] = statement.sql
        called = dict.fromkeys(n for op in parsed for n in op.details.get("calls", "").split(",") if key_of(n) in functions)
        inner = [op for name in called for op in _called(functions[key_of(name)], statement)]
        yield tuple(_finished(op, table=written.table, template=template) for op in (*parsed, *inner))


def _parse(statement: Statement) -> tuple[Operation, ...]:
    if statement.dialect in ("mysql", "mariadb", "sqlite"):
        from heuristics.sql.mysql import read_mysql  # noqa: PLC0415  each grammar loads with its first statement

        return read_mysql(statement)
    from heuristics.sql.postgres import read_postgres  # noqa: PLC0415

    return read_postgres(statement)


def _called(function: str, statement: Statement) -> tuple[Operation, ...]:
    from heuristics.sql.postgres import read_called  # noqa: PLC0415

    return tuple(read_called(function, statement))


def _finished(op: Operation, *, table: str | None, template: Template) -> Operation:
    """The operation with the table that its source names, and with the placeholders of its source again."""
    if op.table is None and table is not None and op.action in (Action.DROP_INDEX, Action.RENAME_INDEX):
        op = replace(op, table=table)
    if not template.places:
        return op
    again = template.restored
    if again(op.statement.sql) == op.statement.sql:
        return op
    return replace(
        op,
        statement=replace(op.statement, sql=again(op.statement.sql), note=op.statement.note or "it holds a template"),
        table=again(op.table) if op.table else op.table,
        name=again(op.name) if op.name else op.name,
        referenced_table=again(op.referenced_table) if op.referenced_table else op.referenced_table,
        new_name=again(op.new_name) if op.new_name else op.new_name,
        columns=tuple(again(c) for c in op.columns),
    )


def order_of(path: str) -> tuple[list[tuple[int, int, str]], str]:
    """Natural order of the last two parts: 9 before 10."""
    tail = "/".join(path.split("/")[-2:])
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.findall(r"\d+|\D+", tail)], path
