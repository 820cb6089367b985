"""Django migrations: each operation as the SQL that Django's schema editor sends on the server."""

import ast
import re
from dataclasses import field

from gonogo.record import Record
from heuristics.sql.sources.django_ops import statements
from heuristics.sql.sources.django_sql import DjangoSql, Found
from heuristics.sql.sources.django_state import AppState, listed, operations_of, state_before
from heuristics.sql.sources.python_values import Call, calls_in, functions_of, lines_of, text_place
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

_ZERO_DOWNTIME = "django_zero_downtime_migrations"


def is_django(text: str) -> bool:
    """True for the text of a Django migration."""
    return "migrations.Migration" in text or "(Migration)" in text


def read_django(source: SourceFile) -> ReadMigration | None:
    """What the migration runs going forward; None when the file is not one."""
    found = operations_of(source.text)
    if found is None:
        return None
    calls, attributes, module = found
    app = _app_label(source)
    is_loose = attributes.get("atomic") is False or source.dialect in ("mysql", "mariadb")
    transaction = None if is_loose else f"{source.path}#migration"
    sql = DjangoSql(source.dialect, state_before(source.tree, source.path, app=app), is_zero_downtime=_is_zero_downtime(source))
    reader = _Reader(source, sql, functions_of(module), transaction)
    for call in calls:
        reader.operation(call)
    reader.deferred()
    name = source.path.rpartition("/")[2].removesuffix(".py")
    return ReadMigration(framework="django", migration_id=f"{app}.{name}", written=tuple(reader.written))


def _app_label(source: SourceFile) -> str:
    parts = source.path.split("/")
    folder = parts[-3] if len(parts) > 2 else "app"
    settings = source.tree.text("/".join([*parts[:-2], "apps.py"]).lstrip("/")) or ""
    found = re.search(r"^\s+label\s*=\s*[\"'](\w+)[\"']", settings, re.MULTILINE)
    return found.group(1) if found is not None else folder


def _is_zero_downtime(source: SourceFile) -> bool:
    return bool(source.tree.search({_ZERO_DOWNTIME}).get(_ZERO_DOWNTIME, ()))


class _Reader(Record, frozen=False):
    source: SourceFile
    sql: DjangoSql
    functions: dict[str, ast.FunctionDef]
    transaction: str | None
    written: list[Written] = field(default_factory=list[Written])
    later: list[tuple[Call, Found]] = field(default_factory=list[tuple[Call, Found]])

    @property
    def state(self) -> AppState:
        return self.sql.state

    def operation(self, call: Call, *, depth: int = 0) -> None:
        """One operation now; indexes and foreign keys of new columns wait for the end, as in Django."""
        if call.last == "SeparateDatabaseAndState":
            for inner in listed(call.get("database_operations", 0)) if depth < 5 else ():
                self.operation(inner, depth=depth + 1)
            self.state.remember(call)
            return
        if call.last == "RunPython":
            self._python(call)
            return
        result = statements(self.sql, call)
        for sql in result.now:
            self._add(call, sql, table=result.table, note=result.note)
        self.later += [(call, sql) for sql in result.later]
        self.state.remember(call)

    def deferred(self) -> None:
        """What the schema editor kept for the end of the migration, in its transaction."""
        for call, sql in self.later:
            self._add(call, sql, table=None, note="")

    def _add(self, call: Call, sql: Found, *, table: str | None, note: str) -> None:
        line, end = lines_of(call.node)
        is_script = call.last == "RunSQL" and isinstance(call.get("sql", 0), str)
        text = text_place(call.node) if is_script else None
        if text is not None and sql is not None and sql.count("\n") == text[1] - text[0] > 0:
            line, end = text
        is_online = (
            self.sql.is_zero_downtime and sql is not None and ("CONCURRENTLY" in sql or "NOT VALID" in sql or "VALIDATE" in sql)
        )
        self.written.append(
            Written(
                sql=sql,
                line=line,
                end_line=end,
                transaction=None if is_online else self.transaction,
                is_one_string=call.last == "RunSQL",
                table=table,
                note=note if sql is None or note else "",
            )
        )

    def _python(self, call: Call) -> None:
        """RunPython: rows move; which tables, as far as its models and SQL say."""
        line, end = lines_of(call.node)
        given = call.node.args[0] if call.node.args else next((k.value for k in call.node.keywords if k.arg == "code"), None)
        if isinstance(given, ast.Attribute) and given.attr == "noop":
            return
        function = self.functions.get(given.id) if isinstance(given, ast.Name) else None
        where = self.transaction or (f"{self.source.path}#{line}" if call.get("atomic") is True else None)
        found = False
        for inner in calls_in(function) if function is not None else ():
            name = inner.func.attr if isinstance(inner.func, ast.Attribute) else ""
            first = inner.args[0] if inner.args else None
            if name == "execute" and isinstance(first, ast.Constant) and isinstance(first.value, str):
                own, last = lines_of(inner)
                self.written.append(Written(sql=first.value, line=own, end_line=last, transaction=where, is_one_string=True))
                found = True
            elif name == "get_model" and inner.args:
                labels = [a.value for a in inner.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                table = self.state.table_of(".".join(labels), "") if labels else None
                self.written.append(
                    Written(
                        sql=None,
                        line=line,
                        end_line=end,
                        transaction=where,
                        action=Action.DATA,
                        table=table,
                        note="it moves rows in Python",
                    )
                )
                found = True
        if not found:
            self.written.append(
                Written(sql=None, line=line, end_line=end, transaction=where, action=Action.DATA, note="it moves rows in Python")
            )
