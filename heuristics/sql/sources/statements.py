"""From what a reader wrote down to statements: one for each SQL statement, each in its transaction."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gonogo.pattern import pattern
from heuristics.sql.script import Piece, split_script
from heuristics.sql.sources.templates import Template, neutral
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action, Operation, Statement

_BEGIN = pattern(r"(?:begin|start\s+transaction)\b(?!\s+atomic)[^;]{0,200}$", re.IGNORECASE)
_END = pattern(
    r"(?:commit|rollback|end|abort)\b(?!\s+to\b)(?:\s+(?:work|transaction))?(?:\s+and\s+(?:no\s+)?chain)?\s*$", re.IGNORECASE
)


def statements_of(source: SourceFile, migration: ReadMigration) -> Iterator[tuple[Statement, Written, Template]]:
    """Every statement that the migration will run, in order; its SQL has neutral names for the template's placeholders."""
    state = _Transactions(source.path)
    for written in migration.written:
        base = _base(source, migration, written)
        if written.sql is None:
            note = written.note or "what it runs is not in its text"
            is_analysed = written.action is not None and written.action is not Action.NOT_ANALYSED
            yield replace(base, is_analysed=is_analysed, note=note), written, Template("", {})
            continue
        template = neutral(written.sql)
        pieces = split_script(template.sql, first_line=1, is_mysql=source.dialect in ("mysql", "mariadb"))
        is_script = written.end_line > written.line and len(written.sql.split("\n")) == written.end_line - written.line + 1
        implicit = (
            f"{source.path}#{written.line}" if written.is_one_string and written.transaction is None and len(pieces) > 1 else None
        )
        for piece in pieces:
            line, end = _lines(written, piece, is_script=is_script or migration.framework in _WHOLE_FILES)
            transaction = state.around(piece, written.transaction or implicit)
            if source.dialect in ("mysql", "mariadb"):
                transaction = None  # every DDL commits
            yield (
                replace(
                    base,
                    line=line,
                    end_line=end,
                    sql=piece.sql,
                    source=source.lines(line, min(end, line + 40)),
                    transaction=transaction,
                ),
                written,
                template,
            )


_WHOLE_FILES = frozenset(
    [
        "goose",
        "dbmate",
        "sql-migrate",
        "tern",
        "node-pg-migrate",
        "drizzle",
        "prisma",
        "diesel",
        "flyway",
        "sqitch",
        "supabase",
        "atlas",
        "d1",
        "sqlx",
        "refinery",
        "golang-migrate",
        "knex",
        "postgres-migrations",
        "sql",
    ]
)


def _lines(written: Written, piece: Piece, *, is_script: bool) -> tuple[int, int]:
    """Where the piece stands: exact in a script and in a multi-line string, else the whole call."""
    if not is_script:
        return written.line, written.end_line
    return written.line + piece.line - 1, min(written.line + piece.end_line - 1, max(written.end_line, written.line))


def _base(source: SourceFile, migration: ReadMigration, written: Written) -> Statement:
    return Statement(
        file=source.path,
        line=written.line,
        end_line=written.end_line,
        sql="",
        source=source.lines(written.line, min(written.end_line, written.line + 40)),
        framework=migration.framework,
        dialect=source.dialect,
        migration_id=migration.migration_id,
        transaction=written.transaction,
        note=written.note,
    )


class _Transactions:
    """Which transaction each statement runs in when the script says BEGIN and COMMIT itself."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: str | None = None
        self.ended: set[str] = set()
        self.count = 0

    def around(self, piece: Piece, runner: str | None) -> str | None:
        if _BEGIN.match(piece.sql) is not None:
            if runner is not None and runner not in self.ended:
                return runner  # a warning; the runner's transaction goes on
            self.count += 1
            self.opened = f"{self.path}#begin{self.count}"
            return self.opened
        if _END.match(piece.sql) is not None:
            current = self.opened or runner
            self.opened = None
            if runner is not None:
                self.ended.add(runner)
            return current
        if self.opened is not None:
            return self.opened
        return None if runner in self.ended else runner


def placeholder(statement: Statement, written: Written) -> Operation:
    """The visible operation of something that has no SQL in its text."""
    action = written.action or Action.NOT_ANALYSED
    return Operation(statement=statement, action=action, table=written.table)
