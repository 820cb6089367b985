"""Rails migrations: what `change` or `up` runs, each call as the SQL that Active Record sends."""

import re
from dataclasses import field, replace
from typing import TYPE_CHECKING

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.sql.sources.rails_ops import is_connection, is_online_helper, is_schema_call, statements
from heuristics.sql.sources.rails_sql import RailsSql
from heuristics.sql.sources.rails_table import changed_table, created_table
from heuristics.sql.sources.ruby_values import Ruby, RubyCall
from heuristics.sql.sources.syntax import MOST_DEPTH, everywhere, first, line_of, named, syntax_tree
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PASS_THROUGH = frozenset(
    [
        "safety_assured",
        "up_only",
        "say_with_time",
        "reversible",
        "up",
        "with_lock_retries",
        "disable_statement_timeout",
        "transaction",
        "suppress_messages",
        "without_locking_timeouts",
        "unless",
        "if",
        "each_partition",
        "silence",
        "tap",
    ]
)
_SKIPPED = frozenset({"down", "revert", "say", "puts", "raise", "return", "reset_column_information", "private", "require"})
_DATA = pattern(
    r"(?:update_all|delete_all|find_each|in_batches|insert_all|upsert_all|destroy_all|find_in_batches|each_batch|create!|update!|save!)"
)
_MOST_ROUNDS = 50


def read_rails(source: SourceFile) -> ReadMigration | None:
    """What the migration runs going up; None when the file holds no migration class."""
    root = syntax_tree(source.text, "ruby")
    if root is None or "Migration" not in source.text:
        return None
    ruby = Ruby(root)
    klass = next((c for c in everywhere(root, "class") if "Migration" in c.text().split("\n", 1)[0]), None)
    body = first(klass, "body_statement") if klass is not None else None
    if body is None:
        return None
    is_loose = "disable_ddl_transaction!" in source.text and any(
        c.text().startswith("disable_ddl_transaction!") for c in everywhere(body, "call", "identifier")
    )
    transaction = None if is_loose or source.dialect in ("mysql", "mariadb") else f"{source.path}#migration"
    methods = {m.field("name").text(): m for m in everywhere(body, "method") if m.field("name") is not None}  # pyright: ignore[reportOptionalMemberAccess] - just tested
    entry = methods.get("change") or methods.get("up")
    for assignment in everywhere(root, "assignment"):
        parts = named(assignment)
        if len(parts) == 2 and parts[0].kind() in ("constant", "identifier"):
            ruby.names[parts[0].text()] = ruby.value(parts[1])
    reader = _Reader(source, ruby, RailsSql(source), methods)
    inner = first(entry, "body_statement") if entry is not None else None
    if inner is not None:
        reader.body(inner, _Place(transaction))
    elif entry is not None:
        reader.body(entry, _Place(transaction))
    found = re.match(r"(\d+)_", source.path.rpartition("/")[2])
    return ReadMigration(framework="rails", migration_id=found.group(1) if found else None, written=tuple(reader.written))


def read_schema_rb(source: SourceFile) -> ReadMigration:
    """The whole schema as `db/schema.rb` declares it."""
    root = syntax_tree(source.text, "ruby")
    if root is None:
        return ReadMigration(framework="rails", migration_id=None, written=())
    reader = _Reader(source, Ruby(root), RailsSql(source), {})
    reader.body(root, _Place(None))
    return ReadMigration(framework="rails", migration_id=None, written=tuple(reader.written))


class _Place(Record):
    transaction: str | None
    depth: int = 0


class _Reader(Record, frozen=False):
    source: SourceFile
    ruby: Ruby
    sql: RailsSql
    methods: "dict[str, SgNode]"
    written: list[Written] = field(default_factory=list[Written])

    def body(self, node: "SgNode", place: _Place) -> None:
        if place.depth > MOST_DEPTH // 3:
            self.written.append(
                Written(sql=None, line=line_of(node), end_line=line_of(node), note="it is nested too deep to be read")
            )
            return
        for child in named(node):
            self.statement(child, replace(place, depth=place.depth + 1))

    def statement(self, node: "SgNode", place: _Place) -> None:
        match node.kind():
            case "call" | "identifier":
                self._call(node, place)
            case "method" | "heredoc_body" | "string" | "assignment" | "class":
                pass
            case _:
                self.body(node, place)

    def _call(self, node: "SgNode", place: _Place) -> None:
        call = self.ruby.call(node)
        receiver = call.receiver.split("(")[0]
        if call.method in _SKIPPED or call.method == "down":
            return
        if call.block is not None and (call.method in _PASS_THROUGH or receiver in ("dir", "direction")):
            self._inside(call, place)
        elif call.method in ("each", "each_slice", "each_with_index") and call.block is not None:
            self._loop(node, call, place)
        elif call.method in ("create_table", "create_join_table") and is_connection(receiver):
            sqls = created_table(self.sql, call, self.ruby)
            self._add(call, sqls, place)
        elif call.method == "change_table" and is_connection(receiver):
            for line, end, sqls in changed_table(self.sql, call, self.ruby):
                self._add(replace(call, line=line, end_line=end, sql_line=None), sqls, place)
        elif is_schema_call(call, receiver):
            is_online = is_online_helper(call.method)
            self._add(call, statements(self.sql, call), replace(place, transaction=None) if is_online else place)
        elif not receiver and call.method in self.methods:
            method = self.methods[call.method]
            inner = first(method, "body_statement")
            self.body(inner if inner is not None else method, replace(place, depth=place.depth + 3))
        elif (found := _DATA.search(node.text())) is not None and call.receiver:
            model = re.match(r"\w+", call.receiver)
            self.written.append(
                Written(
                    sql=None,
                    line=call.line,
                    end_line=max(call.end_line, call.line),
                    transaction=place.transaction,
                    action=Action.DATA,
                    table=table_name(model.group()) if model else None,
                    note=f"it moves rows through the model ({found.group()})",
                )
            )
        elif call.block is not None:
            self._inside(call, place)

    def _inside(self, call: RubyCall, place: _Place) -> None:
        block = call.block
        if block is not None:
            inner = first(block, "body_statement", "block_body")
            self.body(inner if inner is not None else block, place)

    def _loop(self, node: "SgNode", call: RubyCall, place: _Place) -> None:
        receiver = node.field("receiver")
        values = self.ruby.value(receiver) if receiver is not None else None
        rounds = values if isinstance(values, tuple) else tuple(values) if isinstance(values, dict) else ()
        if not rounds or not call.block_names:
            self._inside(call, place)
            return
        for value in rounds[:_MOST_ROUNDS]:
            given = value if isinstance(value, tuple) and len(call.block_names) > 1 else (value,)
            self.ruby.names |= dict(zip(call.block_names, given, strict=False))
            self._inside(call, place)

    def _add(self, call: RubyCall, sqls: "list[tuple[str | None, str | None]]", place: _Place) -> None:
        is_script = call.sql_line is not None and call.method in ("execute", "exec_query", "update", "insert", "delete")
        for sql, table in sqls:
            self.written.append(
                Written(
                    sql=sql,
                    line=(call.sql_line or call.line) if is_script else call.line,
                    end_line=call.end_line,
                    transaction=None if self.sql.leaves_transaction(sql) else place.transaction,
                    is_one_string=True,
                    table=table,
                    note="" if sql is not None else "its arguments are not literals",
                )
            )


def table_name(model: str) -> str:
    """The table that a model's name stands for, by Rails' convention."""
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", model).lower()
    if snake.endswith("y") and not snake.endswith(("ay", "ey", "oy", "uy")):
        return f"{snake[:-1]}ies"
    return f"{snake}es" if snake.endswith(("s", "x", "ch", "sh")) else f"{snake}s"
