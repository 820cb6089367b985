"""The same operation done without hurting anybody, in the words of the framework that it stands in."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.words import Action, Operation


def safe_alternative(operation: Operation) -> str:
    """How to do it safely, as code of the operation's own framework; empty when it is safe as it stands.

    Where several steps are needed they are numbered: each is a migration of its own. Words that are no code are comments, so
    the text can be linted itself.
    """
    writer = _PLANS.get(operation.action)
    if writer is None or operation.statement.dialect in ("mysql", "mariadb", "sqlite"):
        return _mysql(operation) if operation.statement.dialect in ("mysql", "mariadb") else ""
    steps = writer(operation)
    if not steps:
        return ""
    return _in_framework(operation, steps)


def safe_statements(operation: Operation) -> tuple[tuple[str, ...], ...]:
    """The SQL of the safe alternative: migrations in order, each with its statements; concurrent ones outside a transaction."""
    writer = _PLANS.get(operation.action)
    return tuple(tuple(step) for step in writer(operation)) if writer is not None else ()


Steps = list[list[str]]


def _index(op: Operation) -> Steps:
    if op.is_concurrent or not op.table:
        return []
    ddl = Ddl("postgres")
    name = op.name or f"{op.table.rpartition('.')[2]}_{'_'.join(op.columns)}_idx"
    sql = op.statement.sql
    if op.statement.framework == "sql" and "CREATE" not in sql.upper():
        sql = ""
    head, found, tail = _split_index(sql)
    if found:
        return [[f"{head} CONCURRENTLY {tail}"]]
    return [[ddl.create_index(op.table, op.columns, name=name, is_unique=op.is_unique, is_concurrent=True)]]


def _split_index(sql: str) -> tuple[str, bool, str]:
    upper = " ".join(sql.split())
    for head in ("CREATE UNIQUE INDEX", "CREATE INDEX"):
        if upper.upper().startswith(head):
            return head, True, upper[len(head) :].strip()
    return "", False, ""


def _drop_index(op: Operation) -> Steps:
    return [] if op.is_concurrent else [[f"DROP INDEX CONCURRENTLY {'IF EXISTS ' if op.if_exists else ''}{op.name}"]]


def _reindex(op: Operation) -> Steps:
    if op.is_concurrent:
        return []
    what = (op.value or "table").upper()
    return [[f"REINDEX {what} CONCURRENTLY {op.name or op.table}"]]


def _add_column(op: Operation) -> Steps:
    column = op.column
    if column is None or op.table is None:
        return []
    ddl = Ddl("postgres")
    name, steps = ddl.name(column.name), Steps()
    kinds = {c.kind for c in op.constraints}
    needs_fill = (
        op.default_is_volatile is not False or (column.is_not_null and not op.has_default) or column.generated == "stored"
    )
    if not (needs_fill or kinds & {"check", "unique", "foreign_key"}):
        return []
    keeps = column.default if not needs_fill and column.default is not None else None
    steps.append([ddl.alter(op.table, f"ADD COLUMN {ddl.column(column.name, column.type, default=keeps)}")])
    if needs_fill:
        if column.default is not None:
            steps[0].append(ddl.set_default(op.table, column.name, column.default))
        value = column.default or "..."
        steps.append(
            [
                f"-- in batches, outside a transaction: UPDATE {op.table} SET {name} = {value} WHERE {name} IS NULL AND id BETWEEN ... AND ..."
            ]
        )
    if column.is_not_null and needs_fill:
        steps += _not_null_steps(op.table, column.name)
    for constraint in op.constraints:
        own = constraint.name or f"{op.table.rpartition('.')[2]}_{column.name}_{constraint.kind}"
        if constraint.kind == "foreign_key" and constraint.referenced_table is not None:
            add = ddl.foreign_key(
                op.table,
                [column.name],
                referenced=constraint.referenced_table,
                referenced_columns=constraint.referenced_columns,
                name=own,
                is_valid=False,
            )
            steps += [[add], [ddl.alter(op.table, f"VALIDATE CONSTRAINT {ddl.name(own)}")]]
        elif constraint.kind == "check":
            add = ddl.add_constraint(op.table, f"CHECK ({constraint.text})", name=own, is_valid=False)
            steps += [[add], [ddl.alter(op.table, f"VALIDATE CONSTRAINT {ddl.name(own)}")]]
        elif constraint.kind == "unique":
            steps += _unique_steps(op.table, [column.name], own)
    return steps


def _not_null_steps(table: str, column: str) -> Steps:
    ddl = Ddl("postgres")
    check = f"{table.rpartition('.')[2]}_{column}_not_null"
    return [
        [ddl.add_constraint(table, f"CHECK ({ddl.name(column)} IS NOT NULL)", name=check, is_valid=False)],
        [ddl.alter(table, f"VALIDATE CONSTRAINT {ddl.name(check)}")],
        [ddl.set_not_null(table, column, is_not_null=True), ddl.drop_constraint(table, check)],
    ]


def _set_not_null(op: Operation) -> Steps:
    return _not_null_steps(op.table, op.columns[0]) if op.table and op.columns else []


def _constraint(op: Operation) -> Steps:
    constraint = op.constraint
    if constraint is None or op.table is None or not constraint.is_valid:
        return []
    ddl = Ddl("postgres")
    name = (
        op.name
        or f"{op.table.rpartition('.')[2]}_{'_'.join(op.columns)}_{'fkey' if constraint.kind == 'foreign_key' else 'check'}"
    )
    if constraint.kind == "foreign_key":
        add = ddl.foreign_key(
            op.table,
            list(op.columns),
            referenced=constraint.referenced_table or "?",
            referenced_columns=constraint.referenced_columns,
            name=name,
            is_valid=False,
        )
    else:
        add = ddl.add_constraint(op.table, f"CHECK ({constraint.text})", name=name, is_valid=False)
    return [[add], [ddl.alter(op.table, f"VALIDATE CONSTRAINT {ddl.name(name)}")]]


def _unique_steps(table: str, columns: list[str], name: str, *, word: str = "UNIQUE") -> Steps:
    ddl = Ddl("postgres")
    index = f"{name}_index" if not name.endswith("_idx") else name
    build = ddl.create_index(table, columns, name=index, is_unique=True, is_concurrent=True)
    return [[build], [ddl.add_constraint(table, f"{word} USING INDEX {ddl.name(index)}", name=name)]]


def _unique(op: Operation) -> Steps:
    constraint = op.constraint
    if constraint is None or constraint.using_index is not None or op.table is None:
        return []
    word = "PRIMARY KEY" if constraint.kind == "primary_key" else "UNIQUE"
    name = op.name or f"{op.table.rpartition('.')[2]}_{'_'.join(op.columns)}_{'pkey' if word == 'PRIMARY KEY' else 'key'}"
    first = [s for c in op.columns for s in _not_null_steps(op.table, c)] if word == "PRIMARY KEY" else []
    return [*first, *_unique_steps(op.table, list(op.columns), name, word=word)]


def _alter_type(op: Operation) -> Steps:
    if op.table is None or not op.columns or not op.column_type:
        return []
    ddl = Ddl("postgres")
    column, new = op.columns[0], f"{op.columns[0]}_new"
    return [
        [ddl.alter(op.table, f"ADD COLUMN {ddl.name(new)} {op.column_type}")],
        [
            f"-- write both columns from the application or a trigger, then in batches: UPDATE {op.table} SET {new} = {column} WHERE ..."
        ],
        [f"-- read {new}; when nothing uses {column} any more: ALTER TABLE {op.table} DROP COLUMN {column}"],
    ]


def _detach(op: Operation) -> Steps:
    return [] if op.is_concurrent else [[f"ALTER TABLE {op.table} DETACH PARTITION {op.referenced_table} CONCURRENTLY"]]


def _refresh(op: Operation) -> Steps:
    return [] if op.is_concurrent else [[f"REFRESH MATERIALIZED VIEW CONCURRENTLY {op.table}"]]


def _repack(op: Operation) -> Steps:
    return [[f"-- pg_repack or pg_squeeze rebuilds {op.table or 'the table'} while it is in use"]]


def _batches(op: Operation) -> Steps:
    return [[f"-- in batches of a few thousand rows, each its own transaction, outside the migration ({op.table})"]]


def _drop(op: Operation) -> Steps:
    what = f"{op.table}.{op.columns[0]}" if op.action is Action.DROP_COLUMN and op.columns else op.table
    return [[f"-- first deploy code that no longer uses {what}; drop it in a later release, with lock_timeout set"]]


def _rename(op: Operation) -> Steps:
    old = op.columns[0] if op.columns else op.table
    return [
        [f"-- add {op.new_name} beside {old}, write both, fill the old rows in batches"],
        [f"-- read {op.new_name}; drop {old} in a later release"],
    ]


_PLANS = {
    Action.CREATE_INDEX: _index,
    Action.DROP_INDEX: _drop_index,
    Action.REINDEX: _reindex,
    Action.ADD_COLUMN: _add_column,
    Action.SET_NOT_NULL: _set_not_null,
    Action.ADD_FOREIGN_KEY: _constraint,
    Action.ADD_CHECK: _constraint,
    Action.ADD_UNIQUE: _unique,
    Action.ADD_PRIMARY_KEY: _unique,
    Action.ALTER_TYPE: _alter_type,
    Action.DETACH_PARTITION: _detach,
    Action.REFRESH_MATVIEW: _refresh,
    Action.VACUUM_FULL: _repack,
    Action.CLUSTER: _repack,
    Action.SET_LOGGED: _repack,
    Action.UPDATE: _batches,
    Action.DELETE: _batches,
    Action.DATA: _batches,
    Action.DROP_COLUMN: _drop,
    Action.DROP_TABLE: _drop,
    Action.RENAME_COLUMN: _rename,
    Action.RENAME_TABLE: _rename,
}


def _mysql(op: Operation) -> str:
    if op.action in _PLANS:
        mark = _COMMENTS.get(op.statement.framework, "--")
        return f"{mark} run it through gh-ost or pt-online-schema-change: {' '.join(op.statement.sql.split())}"
    return ""


def _in_framework(op: Operation, steps: Steps) -> str:
    flat = [sql for step in steps for sql in step]
    is_concurrent = any(" CONCURRENTLY " in f"{sql} " and not sql.startswith("--") for sql in flat)
    own = _own_words(op, steps)
    if own:
        return own
    written: list[str] = []
    mark = _COMMENTS.get(op.statement.framework, "--")
    for place, step in enumerate(steps, 1):
        each = ", each a migration of its own" if place == 1 else ""
        prefix = f"{mark} {place} of {len(steps)}{each}\n" if len(steps) > 1 else ""
        written.append(prefix + "\n".join(_call(op, sql) for sql in step))
    outside = _OUTSIDE.get(op.statement.framework, "outside a transaction") if is_concurrent else ""
    return "\n".join([*written, *([f"{mark} {outside.removeprefix('-- ')}"] if outside else [])])


_COMMENTS: dict[str, str] = {
    **dict.fromkeys(("alembic", "django", "rails", "ecto"), "#"),
    **dict.fromkeys(("knex", "typeorm", "sequelize", "node-pg-migrate", "laravel"), "//"),
}
"""What begins a comment in the language of the framework, where that is not SQL."""

_OUTSIDE = {
    "rails": "disable_ddl_transaction! at the top of the migration class",
    "django": "atomic = False in the Migration class",
    "alembic": "inside `with op.get_context().autocommit_block():`",
    "goose": "-- +goose NO TRANSACTION at the top of the file",
    "dbmate": "-- migrate:up transaction:false",
    "prisma": "alone in its migration.sql: one statement runs outside a transaction",
    "golang-migrate": "alone in its file: one statement runs outside a transaction",
    "flyway": "executeInTransaction=false in the file's .conf",
    "sqlx": "-- no-transaction as the first line",
    "diesel": "run_in_transaction = false in metadata.toml",
    "atlas": "-- atlas:txmode none as the first line",
    "knex": "exports.config = { transaction: false }",
    "typeorm": "transaction = false in the migration class",
    "ecto": "@disable_ddl_transaction true and @disable_migration_lock true",
    "laravel": "public $withinTransaction = false;",
    "liquibase": 'runInTransaction="false" on the changeSet',
    "drizzle": "run it by hand or in a script of its own: the migrator wraps all pending files in one transaction",
}


def _call(op: Operation, sql: str) -> str:
    """A SQL statement as the framework runs one."""
    if sql.startswith("--"):
        return f"{_COMMENTS.get(op.statement.framework, '--')}{sql[2:]}"
    quoted = sql.replace('"', '\\"')
    match op.statement.framework:
        case "alembic":
            return f'op.execute("{quoted}")'
        case "django":
            return f'migrations.RunSQL("{quoted}")'
        case "rails":
            return f'execute "{quoted}"'
        case "knex":
            return f'await knex.raw("{quoted}")'
        case "typeorm":
            return f'await queryRunner.query("{quoted}")'
        case "sequelize":
            return f'await queryInterface.sequelize.query("{quoted}")'
        case "ecto":
            return f'execute "{quoted}"'
        case "laravel":
            return f'DB::statement("{quoted}");'
        case _:
            return f"{sql};"


def _model(op: Operation) -> str:
    """The model's name as the migration writes it, from the table that Django makes of it."""
    app = (op.statement.migration_id or "").partition(".")[0]
    table = op.table or ""
    return table.removeprefix(f"{app}_") if table.startswith(f"{app}_") else f"<model of {table}>"


def _own_words(op: Operation, steps: Steps) -> str:
    """The framework's own call for it, where it has one."""
    if op.action not in (Action.CREATE_INDEX, Action.DROP_INDEX) or not steps or "has_expression" in op.details or op.has_where:
        return ""
    columns, table, name = list(op.columns), op.table, op.name
    creates = op.action is Action.CREATE_INDEX
    match op.statement.framework:
        case "alembic":
            unique = ", unique=True" if op.is_unique else ""
            keys = ", ".join(f'"{c}"' for c in columns)
            inner = (
                f'op.create_index("{name}", "{table}", [{keys}]{unique}, postgresql_concurrently=True)'
                if creates
                else f'op.drop_index("{name}", table_name="{table}", postgresql_concurrently=True)'
            )
            return f"with op.get_context().autocommit_block():\n    {inner}"
        case "rails":
            keys = ", ".join(f":{c}" for c in columns)
            unique = ", unique: true" if op.is_unique else ""
            inner = (
                f'add_index :{table}, [{keys}]{unique}, name: "{name}", algorithm: :concurrently'
                if creates
                else f'remove_index :{table}, name: "{name}", algorithm: :concurrently'
            )
            return f"disable_ddl_transaction!\n\ndef change\n  {inner}\nend"
        case "django" if not op.is_unique:
            keys = ", ".join(f'"{c}"' for c in columns)
            inner = (
                f'AddIndexConcurrently("{_model(op)}", models.Index(fields=[{keys}], name="{name}"))'
                if creates
                else f'RemoveIndexConcurrently("{_model(op)}", "{name}")'
            )
            return f"atomic = False\n\noperations = [\n    {inner},\n]"
        case "ecto":
            keys = ", ".join(f":{c}" for c in columns)
            call = "create" if creates else "drop"
            return f'@disable_ddl_transaction true\n@disable_migration_lock true\n\n{call} index(:{table}, [{keys}], name: "{name}", concurrently: true)'
        case _:
            return ""
