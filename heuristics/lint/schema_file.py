"""A schema as a dump holds it: what pg_dump, mysqldump or a hand-written file says of the tables."""

import re

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.sql import Action, Catalog, Dialect
from heuristics.sql.dialect import dialect_of_sql
from heuristics.sql.histories import with_unknown_rows
from heuristics.sql.migrations import read_schema
from heuristics.sql.replay import apply_operation

_DUMP = pattern(r"^--\s+(?:PostgreSQL database dump|MySQL dump|MariaDB dump)\b|^PRAGMA foreign_keys=OFF;", re.MULTILINE)
_HISTORY = pattern(
    r"(?:^|\.)(?:schema_migrations|ar_internal_metadata|alembic_version|django_migrations|flyway_schema_history|databasechangelog(?:lock)?"
    r"|goose_db_version|knex_migrations(?:_lock)?|_prisma_migrations|migrations|__drizzle_migrations|sequelizemeta|refinery_schema_history"
    r"|__diesel_schema_migrations|_sqlx_migrations|d1_migrations)$",
    re.IGNORECASE,
)


def read_schema_file(path: str, tree: SourceTree, *, dialect: Dialect) -> tuple[Catalog, Dialect]:
    """The schema before the migrations, complete as far as the file goes, and the dialect that it is written in.

    When the file is a dump with the data, a table without any is empty; in a file without data nothing is known of rows.
    """
    text = tree.text(path) or ""
    own = dialect_of_sql(text) if dialect == "unknown" and path.endswith(".sql") else dialect
    catalog = Catalog()
    is_filled = False
    for op in read_schema(path, tree, dialect=own):
        apply_operation(catalog, op)
        if op.action is Action.INSERT and op.table is not None and _HISTORY.search(op.table) is None:
            is_filled = is_filled or bool(op.reads) or op.statement.sql[:4].upper() == "COPY" or _DUMP.search(text) is not None
            is_filled = is_filled or re.search(r"(?i)\bgenerate_series\b", op.statement.sql) is not None
    return with_unknown_rows(catalog, is_empty=is_filled), own
