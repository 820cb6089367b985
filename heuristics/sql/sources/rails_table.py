"""The blocks of `create_table` and `change_table`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heuristics.sql.sources.rails_ops import reference_sql, statements
from heuristics.sql.sources.rails_sql import Found, RailsSql, index_name
from heuristics.sql.sources.ruby_values import Ruby, RubyCall, RubyValue
from heuristics.sql.sources.syntax import everywhere, first

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NOT_COLUMNS = frozenset(
    [
        "index",
        "references",
        "belongs_to",
        "timestamps",
        "remove",
        "remove_index",
        "remove_references",
        "remove_belongs_to",
        "remove_timestamps",
        "rename",
        "change",
        "change_default",
        "change_null",
        "foreign_key",
        "remove_foreign_key",
        "check_constraint",
        "remove_check_constraint",
        "column",
        "unique_constraint",
        "exclusion_constraint",
        "rename_index",
    ]
)


def created_table(sql: RailsSql, call: RubyCall, ruby: Ruby) -> list[Found]:
    """CREATE TABLE and the indexes and keys that its block asks for."""
    table = call.text(0)
    if call.method == "create_join_table" and (other := call.text(1)) is not None and table is not None:
        name = call.option("table_name") or "_".join(sorted((table, other)))
        pair = [f"{_single(table)}_id bigint NOT NULL", f"{_single(other)}_id bigint NOT NULL"]
        return [(sql.ddl.create_table(name, pair), name)]
    if table is None:
        return [(None, None)]
    body = _key_columns(sql, call)
    after: list[Found] = []
    for inner in _calls(call, ruby):
        columns, more = _column(sql, table, inner)
        body += columns
        after += more
    exists = call.options.get("if_not_exists") is True
    found: list[Found] = []
    if call.options.get("force"):
        found.append((sql.ddl.drop_table(table, if_exists=True, is_cascade=call.options["force"] == "cascade"), table))
    return [*found, (sql.ddl.create_table(table, body, if_not_exists=exists), table), *after]


def _single(table: str) -> str:
    return table.removesuffix("s")


def _key_columns(sql: RailsSql, call: RubyCall) -> list[str]:
    key = call.options.get("id", True)
    name = call.options.get("primary_key", "id")
    if key is False or not isinstance(name, str):
        return []
    auto = "bigint AUTO_INCREMENT PRIMARY KEY" if sql.ddl.is_mysql else "bigserial PRIMARY KEY"
    if sql.ddl.dialect == "sqlite":
        auto = "integer PRIMARY KEY"
    return [f"{sql.ddl.name(name)} {auto if key is True or key == 'primary_key' else f'{key} PRIMARY KEY'}"]


def _calls(call: RubyCall, ruby: Ruby) -> Iterator[RubyCall]:
    """The calls on the block's own variable."""
    if call.block is None or not call.block_names:
        return
    body = first(call.block, "body_statement", "block_body")
    for node in _statements(body if body is not None else call.block):
        inner = ruby.call(node)
        if inner.receiver == call.block_names[0]:
            yield inner


def _statements(node: "SgNode") -> Iterator["SgNode"]:
    yield from everywhere(node, "call")


def _column(sql: RailsSql, table: str, inner: RubyCall) -> tuple[list[str], list[Found]]:
    options = dict(inner.options)
    names = [a for a in inner.args if isinstance(a, str)]
    match inner.method:
        case "index":
            columns = list(names) or [c for a in inner.args if isinstance(a, tuple) for c in a if isinstance(c, str)]
            return [], [(sql.index_sql(table, columns, options | {"algorithm": None}), table)] if columns else []
        case "references" | "belongs_to":
            return _references(sql, table, names, options)
        case "timestamps":
            null = {"null": False} | options
            return [sql.column_sql(n, "datetime", null) for n in ("created_at", "updated_at")], []
        case "column":
            type_ = names[1] if len(names) > 1 else "string"
            return [sql.column_sql(names[0], type_, options)] if names else [], []
        case "foreign_key":
            return [], [(s, table) for n in names[:1] for s in sql.foreign_key_sql(table, n, options)]
        case "check_constraint":
            text = f"CHECK ({names[0]})" if names else ""
            return [text] if text else [], []
        case _ if inner.method in _NOT_COLUMNS:
            return [], []
        case _:
            columns = [sql.column_sql(n, inner.method, options) for n in names]
            more: list[Found] = []
            if options.get("index"):
                given = options["index"]
                more = [(sql.index_sql(table, [n], dict(given) if isinstance(given, dict) else {}), table) for n in names]
            return columns, more


def _references(sql: RailsSql, table: str, names: list[str], options: dict[str, RubyValue]) -> tuple[list[str], list[Found]]:
    type_ = options.get("type")
    columns: list[str] = []
    more: list[Found] = []
    for name in names:
        own = {k: v for k, v in options.items() if k in ("null", "default")}
        columns.append(sql.column_sql(f"{name}_id", type_ if isinstance(type_, str) else "bigint", own))
        if options.get("polymorphic"):
            columns.append(sql.column_sql(f"{name}_type", "string", own))
        if options.get("index", True) is not False:
            more.append((sql.index_sql(table, [f"{name}_id"], {"name": index_name(table, [f"{name}_id"])}), table))
        if options.get("foreign_key"):
            keys = reference_sql(sql, table, name, {"index": False, "foreign_key": options["foreign_key"]})
            more += keys[1:]
    return columns, more


def changed_table(sql: RailsSql, call: RubyCall, ruby: Ruby) -> Iterator[tuple[int, int, list[Found]]]:
    """Each call in a `change_table` block, with its own lines."""
    table = call.text(0)
    if table is None:
        yield call.line, call.end_line, [(None, None)]
        return
    for inner in _calls(call, ruby):
        method = _SAME.get(inner.method)
        if method is not None:
            same = RubyCall("", method, (table, *inner.args), inner.options, None, (), inner.line, inner.end_line)
            yield inner.line, inner.end_line, statements(sql, same)
            continue
        columns, more = _column(sql, table, inner)
        added: list[Found] = [(sql.ddl.alter(table, f"ADD COLUMN {c}"), table) for c in columns]
        yield inner.line, inner.end_line, [*added, *more]


_SAME = {
    "remove": "remove_columns",
    "remove_index": "remove_index",
    "remove_references": "remove_reference",
    "remove_belongs_to": "remove_reference",
    "rename": "rename_column",
    "change": "change_column",
    "change_default": "change_column_default",
    "change_null": "change_column_null",
    "references": "add_reference",
    "belongs_to": "add_reference",
    "timestamps": "add_timestamps",
    "index": "add_index",
    "foreign_key": "add_foreign_key",
    "remove_foreign_key": "remove_foreign_key",
    "check_constraint": "add_check_constraint",
    "remove_check_constraint": "remove_check_constraint",
    "rename_index": "rename_index",
    "unique_constraint": "add_unique_constraint",
}
