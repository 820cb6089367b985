"""Alembic revisions: the operations of `upgrade`, each as the SQL that Alembic compiles it to."""

import ast
import re
from collections.abc import Iterator
from dataclasses import field, replace

from gonogo.record import Record
from heuristics.sql.sources.alembic_ops import AlembicOps
from heuristics.sql.sources.python_values import (
    Call,
    SqlText,
    Value,
    assignments,
    dotted,
    functions_of,
    lines_of,
    parse_python,
    remember,
    text_place,
    value_of,
)
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

_MOST_ROUNDS = 50
_DEEPEST = 12
_NOT_OPERATIONS = frozenset({"get_bind", "get_context", "f", "inline_literal", "invoke", "implementation_for"})


def is_alembic(text: str) -> bool:
    """True for the text of an Alembic revision."""
    return "revision" in text and "upgrade" in text and ("alembic" in text or "op." in text or "down_revision" in text)


def read_alembic(source: SourceFile) -> ReadMigration | None:
    """What the revision runs in `upgrade`; None when the file is not one."""
    module = parse_python(source.text)
    if module is None:
        return None
    names = assignments(module.body, {})
    functions = functions_of(module)
    entry = functions.get("upgrade") or next((f for n, f in functions.items() if n.startswith("upgrade")), None)
    if entry is None:
        return None
    run = None if source.dialect in ("mysql", "mariadb") else _transaction_key(source)
    reader = _Reader(source, AlembicOps(source), functions, run)
    reader.body(entry.body, _Place(names, run))
    for name, function in functions.items():  # several databases: upgrade() calls upgrade_<name>() by its name
        if not reader.written and name.startswith("upgrade_") and function is not entry:
            reader.body(function.body, _Place(names, run))
    revision = names.get("revision")
    return ReadMigration(
        framework="alembic", migration_id=revision if isinstance(revision, str) else None, written=tuple(reader.written)
    )


def _transaction_key(source: SourceFile) -> str:
    """One transaction for the whole run, unless env.py asks for one for each migration."""
    folder = source.path.rpartition("/")[0]
    for env in (f"{folder}/env.py", f"{folder.rpartition('/')[0]}/env.py".lstrip("/"), "alembic/env.py", "migrations/env.py"):
        text = source.tree.text(env)
        if text is not None:
            is_each = re.search(r"transaction_per_migration\s*=\s*True", text) is not None
            return f"{source.path}#migration" if is_each else f"{env}#run"
    return f"{source.path}#migration"


class _Place(Record, frozen=False):
    names: dict[str, Value]
    transaction: str | None
    batches: dict[str, str] = field(default_factory=dict[str, str])
    depth: int = 0


class _Reader(Record, frozen=False):
    source: SourceFile
    ops: AlembicOps
    functions: dict[str, ast.FunctionDef]
    run: str | None
    written: list[Written] = field(default_factory=list[Written])
    pieces: int = 0

    def body(self, statements: list[ast.stmt], place: _Place) -> None:
        for statement in statements:
            self.statement(statement, place)

    def statement(self, statement: ast.stmt, place: _Place) -> None:
        if place.depth > _DEEPEST:
            line, end = lines_of(statement)
            self.written.append(Written(sql=None, line=line, end_line=end, note="it is nested too deep to be read"))
            return
        inner = replace(place, depth=place.depth + 1)
        match statement:
            case ast.With(items=items, body=body):
                self.body(body, self._within(items, inner))
                if self._leaves_autocommit(items):
                    self.pieces += 1
                    place.transaction = self._next_transaction()
            case ast.If(body=body, orelse=orelse):
                self.body(body, inner)
                self.body(orelse, inner)
                place.transaction = inner.transaction
            case ast.Try(body=body, handlers=_, orelse=orelse, finalbody=final):
                for part in (body, orelse, final):
                    self.body(part, inner)
            case ast.For(target=target, iter=values, body=body):
                self._loop(target, values, body, inner)
            case ast.Expr(value=value) | ast.Return(value=value) if value is not None:
                self._expression(value, place)
            case ast.Assign(value=value):
                remember(statement, place.names)
                self._expression(value, place)
            case _:
                remember(statement, place.names)

    def _within(self, items: list[ast.withitem], place: _Place) -> _Place:
        for item in items:
            called = item.context_expr
            name = dotted(called)
            if name.endswith("autocommit_block"):
                place = replace(place, transaction=None)
            elif name.endswith("batch_alter_table") and isinstance(called, ast.Call):
                call = value_of(called, place.names)
                table = call.text("table_name", 0) if isinstance(call, Call) else None
                schema = call.text("schema") if isinstance(call, Call) else None
                if isinstance(item.optional_vars, ast.Name):
                    full = f"{schema}.{table}" if schema else table
                    place = replace(place, batches=place.batches | {item.optional_vars.id: full or "?"})
        return place

    def _leaves_autocommit(self, items: list[ast.withitem]) -> bool:
        return any(dotted(i.context_expr).endswith("autocommit_block") for i in items)

    def _next_transaction(self) -> str | None:
        """Around an autocommit block the run's transaction is committed, and another begins after it."""
        return None if self.run is None else f"{self.run}@{self.source.path}{self.pieces}"

    def _loop(self, target: ast.expr, values: ast.expr, body: list[ast.stmt], place: _Place) -> None:
        rounds = value_of(values, place.names)
        if isinstance(rounds, dict):
            rounds = tuple(rounds)
        if not isinstance(rounds, tuple) or not rounds:
            self.body(body, place)
            return
        for value in rounds[:_MOST_ROUNDS]:
            names = dict(place.names)
            _bind(target, value, names)
            self.body(body, replace(place, names=names))

    def _expression(self, node: ast.expr, place: _Place) -> None:
        if not isinstance(node, ast.Call):
            return
        name = dotted(node.func)
        owner, _, last = name.rpartition(".")
        if owner in place.batches or owner == "op" or owner.endswith(".op"):
            if last not in _NOT_OPERATIONS:
                self._operation(node, last, table=place.batches.get(owner), place=place)
        elif last == "execute" and (
            owner in ("conn", "connection", "bind", "session", "op.get_bind", "db") or "get_bind" in owner
        ):
            self._operation(node, "execute", table=None, place=place)
        elif name in self.functions and not name.startswith(("upgrade", "downgrade")):
            function = self.functions[name]
            names = place.names | self._arguments(function, node, place)
            self.body(function.body, replace(place, names=names, depth=place.depth + 2))
        elif last in ("bulk_save_objects", "commit", "add_all"):
            line, end = lines_of(node)
            self.written.append(
                Written(
                    sql=None,
                    line=line,
                    end_line=end,
                    action=Action.DATA,
                    transaction=place.transaction,
                    note="it moves rows in Python",
                )
            )

    def _arguments(self, function: ast.FunctionDef, node: ast.Call, place: _Place) -> dict[str, Value]:
        given = {a.arg: value_of(v, place.names) for a, v in zip(function.args.args, node.args, strict=False)}
        return given | {k.arg: value_of(k.value, place.names) for k in node.keywords if k.arg is not None}

    def _operation(self, node: ast.Call, last: str, *, table: str | None, place: _Place) -> None:
        call = value_of(node, place.names)
        line, end = lines_of(node)
        if not isinstance(call, Call):
            return
        place_of_text = text_place(node) if last == "execute" else None
        for sql, hint in _known(self.ops, call, last, table):
            if place_of_text is not None and sql is not None and sql.count("\n") == place_of_text[1] - place_of_text[0] > 0:
                line, end = place_of_text
            note = "" if sql is not None else "its arguments are not literals"
            self.written.append(
                Written(
                    sql=sql,
                    line=line,
                    end_line=end,
                    transaction=place.transaction,
                    is_one_string=last == "execute",
                    table=hint,
                    note=note,
                    action=Action.DATA if sql is None and last == "execute" and _is_query(call) else None,
                )
            )


def _known(ops: AlembicOps, call: Call, last: str, table: str | None) -> Iterator[tuple[str | None, str | None]]:
    yield from ops.statements(call, last, table=table)


def _is_query(call: Call) -> bool:
    """`op.execute(table.update()...)`: rows move, which is all that can be said."""
    value = call.get("sqltext", 0)
    return isinstance(value, Call) and not isinstance(value, SqlText)


def _bind(target: ast.expr, value: Value, names: dict[str, Value]) -> None:
    if isinstance(target, ast.Name):
        names[target.id] = value
    elif isinstance(target, ast.Tuple) and isinstance(value, tuple):
        for part, inner in zip(target.elts, value, strict=False):
            if isinstance(part, ast.Name):
                names[part.id] = inner
