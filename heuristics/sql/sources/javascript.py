"""Migrations in JavaScript and TypeScript: Knex, TypeORM, Sequelize, node-pg-migrate."""

import re
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.sql.sources import knex, node_pg, sequelize, typeorm
from heuristics.sql.sources.chains import Chain, Function, Script
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.syntax import MOST_DEPTH, below, everywhere, line_of, syntax_tree
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FRAMEWORKS = (
    ("typeorm", pattern(r"\bMigrationInterface\b|\bqueryRunner\b|\bQueryRunner\b")),
    ("sequelize", pattern(r"\bqueryInterface\b|\bQueryInterface\b|\bSequelize\b|\bumzug\b", re.IGNORECASE)),
    ("node-pg-migrate", pattern(r"\bpgm\b|node-pg-migrate")),
    ("knex", pattern(r"\bknex\b|\.schema\.", re.IGNORECASE)),
)
_RAW = frozenset({"raw", "query", "sql", "execute", "unprepared", "unsafe", "executeSql", "$executeRawUnsafe", "$executeRaw"})
_CALLS = ("call_expression",)


def framework_of(text: str) -> str | None:
    """Which of the four a file belongs to."""
    return next((name for name, sign in _FRAMEWORKS if sign.search(text) is not None), None)


def read_javascript(source: SourceFile) -> ReadMigration | None:
    """What the migration's `up` runs; None when the file has none."""
    framework = framework_of(source.text)
    language = "typescript" if source.path.endswith(("ts", "tsx")) else "javascript"
    root = syntax_tree(source.text, language) if framework is not None else None
    if root is None or framework is None:
        return None
    script = Script()
    script.remember(root)
    body = _up(root)
    if body is None:
        return None
    reader = _Reader(source, framework, script, _transaction(source, framework), _named_functions(root))
    reader.body(body, depth=0)
    name = source.path.rpartition("/")[2]
    found = re.match(r"(\d+)", name)
    return ReadMigration(framework=framework, migration_id=found.group(1) if found else name, written=tuple(reader.written))


def _transaction(source: SourceFile, framework: str) -> str | None:
    text = source.text
    if source.dialect in ("mysql", "mariadb"):
        return None
    is_loose = re.search(r"\btransaction\s*[:=]\s*false\b|\bnoTransaction\s*\(", text) is not None
    match framework:
        case "sequelize":
            return f"{source.path}#transaction" if re.search(r"\.transaction\s*\(", text) is not None else None
        case "typeorm":
            return None if is_loose else "typeorm#run"
        case _:
            return None if is_loose else f"{source.path}#file"


def _up(root: "SgNode") -> "SgNode | None":
    """The body of `up`, however it is exported."""
    for node in everywhere(
        root, "function_declaration", "method_definition", "pair", "assignment_expression", "variable_declarator"
    ):
        name = node.field("name") or node.field("key") or node.field("left")
        if name is None or name.text().strip("'\"").rpartition(".")[2] != "up":
            continue
        value = node.field("value") or node.field("right")
        body = node.field("body") or (value.field("body") if value is not None else None)
        if body is not None:
            return body
    return None


def _named_functions(root: "SgNode") -> "dict[str, SgNode]":
    found: dict[str, SgNode] = {}
    for node in everywhere(root, "function_declaration", "method_definition"):
        name, body = node.field("name"), node.field("body")
        if name is not None and body is not None and name.text() not in ("up", "down"):
            found[name.text()] = body
    return found


class _Reader(Record, frozen=False):
    source: SourceFile
    framework: str
    script: Script
    transaction: str | None
    functions: "dict[str, SgNode]"
    written: list[Written] = field(default_factory=list[Written])

    def body(self, node: "SgNode", *, depth: int) -> None:
        if depth > MOST_DEPTH // 6:
            self.written.append(
                Written(sql=None, line=line_of(node), end_line=line_of(node), note="it is nested too deep to be read")
            )
            return
        for call in below(node, *_CALLS):
            self.chain(self.script.chain(call), call, depth=depth)

    def chain(self, chain: Chain, node: "SgNode", *, depth: int) -> None:
        if not chain.links:
            return
        found = list(self._compiled(chain))
        if found:
            for line, end, sql, table in found:
                self._add(line, end, sql, table, chain)
            return
        for link in chain.links:
            if link.method in self.functions and len(chain.links) == 1:
                self.body(self.functions[link.method], depth=depth + 1)
            for value in link.args:
                if isinstance(value, Function):
                    self.body(value.body, depth=depth + 1)
                elif isinstance(value, Chain) and value.links:
                    self.chain(value, node, depth=depth + 1)
                elif isinstance(value, tuple):
                    for inner in value:
                        if isinstance(inner, Chain) and inner.links:
                            self.chain(inner, node, depth=depth + 1)

    def _compiled(self, chain: Chain) -> Iterator[tuple[int, int, str | None, str | None]]:
        ddl = Ddl(self.source.dialect)
        raw = next((x for x in chain.links if x.method in _RAW), None)
        if raw is not None and not isinstance(chain.first.function, Function):
            text = raw.text(0)
            if text is None and raw.args and isinstance(raw.args[0], Chain) and raw.args[0].links:
                text = raw.args[0].links[-1].text(0)
            yield chain.line, chain.end_line, text, None
            return
        match self.framework:
            case "knex":
                yield from knex.statements(chain, ddl, self.script)
            case "typeorm":
                yield from typeorm.statements(chain, ddl)
            case "sequelize":
                yield from sequelize.statements(chain, ddl)
            case _:
                yield from node_pg.statements(chain, ddl)

    def _add(self, line: int, end: int, sql: str | None, table: str | None, chain: Chain) -> None:
        is_data = sql is None and any(x.method in _DATA for x in chain.links)
        start = line
        if sql is not None and "\n" in sql and chain.text_line is not None and chain.link(*_RAW) is not None:
            start, end = chain.text_line, chain.text_line + sql.count("\n")
        self.written.append(
            Written(
                sql=sql,
                line=start,
                end_line=end,
                transaction=self.transaction,
                is_one_string=True,
                table=table,
                action=Action.DATA if is_data else None,
                note="it moves rows" if is_data else "" if sql is not None else "its arguments are not literals",
            )
        )


_DATA = frozenset(
    ["update", "delete", "del", "insert", "bulkInsert", "bulkUpdate", "bulkDelete", "save", "manager", "increment", "decrement"]
)
