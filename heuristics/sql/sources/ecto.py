"""Ecto migrations: the calls of `change` or `up`, each as its SQL."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.syntax import end_line_of, everywhere, first, line_of, named, syntax_tree
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

if TYPE_CHECKING:
    from ast_grep_py import SgNode

Found = tuple[int, int, str | None, str | None]
Value = str | int | float | bool | list[str] | None
_TYPES = {
    "string": "varchar(255)", "text": "text", "integer": "integer", "bigint": "bigint", "boolean": "boolean", "float": "double precision",
    "decimal": "numeric", "date": "date", "time": "time(0)", "utc_datetime": "timestamp(0)", "naive_datetime": "timestamp(0)",
    "utc_datetime_usec": "timestamp", "naive_datetime_usec": "timestamp", "binary": "bytea", "map": "jsonb", "uuid": "uuid",
    "binary_id": "uuid", "id": "bigint", "serial": "serial", "bigserial": "bigserial", "timestamptz": "timestamptz", "jsonb": "jsonb",
}  # fmt: skip
_DEEPEST = 12


def read_ecto(source: SourceFile) -> ReadMigration | None:
    """What the migration runs going up; None when the file is not one."""
    root = syntax_tree(source.text, "elixir")
    if root is None or "Ecto.Migration" not in source.text:
        return None
    is_loose = re.search(r"@disable_ddl_transaction\s+true", source.text) is not None or source.dialect in ("mysql", "mariadb")
    transaction = None if is_loose else f"{source.path}#migration"
    entry: SgNode | None = None
    for wanted in ("change", "up"):
        entry = entry or next((c for c in everywhere(root, "call") if _is_definition(c, wanted)), None)
    block = first(entry, "do_block") if entry is not None else None
    written: list[Written] = []
    for node in _statements(block, 0) if block is not None else ():
        for line, end, sql, table in _compiled(node, Ddl(source.dialect)):
            is_data = sql is None and _name(node).startswith(("repo", "Repo", "from"))
            written.append(
                Written(
                    sql=sql,
                    line=line,
                    end_line=end,
                    transaction=transaction,
                    table=table,
                    is_one_string=False,
                    action=Action.DATA if is_data else None,
                    note="it moves rows" if is_data else "" if sql is not None else "its arguments are not literals",
                )
            )
    found = re.match(r"(\d+)_", source.path.rpartition("/")[2])
    return ReadMigration(framework="ecto", migration_id=found.group(1) if found else None, written=tuple(written))


def _name(call: "SgNode") -> str:
    target = call.field("target")
    return target.text() if target is not None else ""


def _is_definition(call: "SgNode", name: str) -> bool:
    arguments = first(call, "arguments")
    inner = named(arguments) if arguments is not None else []
    return _name(call) in ("def", "defp") and bool(inner) and inner[0].text().split("(")[0] == name


def _statements(block: "SgNode", depth: int) -> "Iterator[SgNode]":
    """The calls of a block; conditions and functions around them are looked into."""
    for node in named(block):
        if node.kind() == "call":
            inner = first(node, "do_block")
            if _name(node) in _KNOWN or inner is None or depth > _DEEPEST:
                yield node
            else:
                yield from _statements(inner, depth + 1)
        elif depth <= _DEEPEST and node.kind() in ("else_block", "stab_clause", "body", "binary_operator"):
            yield from _statements(node, depth + 1)


_KNOWN = frozenset(
    [
        "create",
        "create_if_not_exists",
        "drop",
        "drop_if_exists",
        "alter",
        "rename",
        "execute",
        "add",
        "remove",
        "modify",
        "flush",
        "repo",
    ]
)


def _value(node: "SgNode") -> Value:
    match node.kind():
        case "atom":
            return node.text().removeprefix(":").strip('"')
        case "string":
            return "".join(
                c.text() if c.kind() == "quoted_content" else "{{" + c.text() + "}}"
                for c in node.children()
                if c.kind() in ("quoted_content", "interpolation")
            )
        case "charlist" | "sigil":
            content = first(node, "quoted_content")
            return content.text() if content is not None else ""
        case "integer":
            return int(node.text().replace("_", "")) if node.text().replace("_", "").isdigit() else None
        case "float":
            return float(node.text())
        case "boolean":
            return node.text() == "true"
        case "list":
            return [v for c in named(node) if isinstance(v := _value(c), str)]
        case _:
            return None


def _parts(call: "SgNode") -> "tuple[list[SgNode], dict[str, SgNode]]":
    """The positional arguments and the keywords of a call."""
    arguments = first(call, "arguments")
    plain: list[SgNode] = []
    keywords: dict[str, SgNode] = {}
    for node in named(arguments) if arguments is not None else []:
        if node.kind() == "keywords":
            for pair in named(node):
                inner = named(pair)
                if len(inner) == 2:
                    keywords[inner[0].text().strip().rstrip(":")] = inner[1]
        else:
            plain.append(node)
    return plain, keywords


def _options(keywords: "Mapping[str, SgNode]") -> dict[str, Value]:
    return {k: _value(v) for k, v in keywords.items()}


def _compiled(call: "SgNode", ddl: Ddl) -> Iterator[Found]:
    name, (plain, keywords) = _name(call), _parts(call)
    line, end = line_of(call), end_line_of(call)
    match name:
        case "execute":
            text = _value(plain[0]) if plain else None
            is_text = isinstance(text, str)
            start = line_of(plain[0]) if plain else line
            last = start + text.count("\n") if isinstance(text, str) and "\n" in text else end
            yield (start if is_text and "\n" in str(text) else line), last, text if is_text else None, None
        case "create" | "create_if_not_exists" | "drop" | "drop_if_exists" if plain and plain[0].kind() == "call":
            yield from _object(call, plain[0], ddl, is_create=name.startswith("create"), is_soft=name.endswith("exists"))
        case "alter" if plain and plain[0].kind() == "call":
            table = _table(plain[0])
            for inner in _inner(call):
                for sql in _column_change(table, inner, ddl):
                    yield line_of(inner), end_line_of(inner), sql, table
        case "rename" if plain and plain[0].kind() == "call":
            table, target = _table(plain[0]), keywords.get("to")
            old = _value(plain[1]) if len(plain) > 1 else None
            if target is None:
                yield line, end, None, table
            elif isinstance(old, str):
                yield line, end, ddl.rename_column(table, old, str(_value(target))), table
            elif target.kind() == "call":
                yield line, end, ddl.rename_table(table, _table(target)), table
        case _ if name.startswith(("repo", "Repo")):
            yield line, end, None, None
        case _:
            return


def _table(call: "SgNode") -> str:
    plain, keywords = _parts(call)
    value = _value(plain[0]) if plain else None
    prefix = _options(keywords).get("prefix")
    return f"{prefix}.{value}" if isinstance(prefix, str) else str(value)


def _inner(call: "SgNode") -> "Iterator[SgNode]":
    block = first(call, "do_block")
    for node in named(block) if block is not None else []:
        if node.kind() == "call" or node.kind() == "identifier":
            yield node


def _object(call: "SgNode", target: "SgNode", ddl: Ddl, *, is_create: bool, is_soft: bool) -> Iterator[Found]:
    line, end = line_of(call), end_line_of(call)
    plain, keywords = _parts(target)
    options = _options(keywords)
    table = str(_value(plain[0])) if plain else "?"
    prefix = options.get("prefix")
    table = f"{prefix}.{table}" if isinstance(prefix, str) else table
    kind = _name(target)
    if kind in ("index", "unique_index"):
        given = _value(plain[1]) if len(plain) > 1 else None
        columns = given if isinstance(given, list) else [str(given)] if given is not None else []
        own = options.get("name")
        name = own if isinstance(own, str) else f"{table.rpartition('.')[2]}_{'_'.join(columns)}_index"
        is_concurrent = options.get("concurrently") is True
        if not is_create:
            yield line, end, ddl.drop_index(name, table=table, is_concurrent=is_concurrent, if_exists=is_soft), table
            return
        where, method = options.get("where"), options.get("using")
        sql = ddl.create_index(
            table,
            columns,
            name=name,
            is_unique=kind == "unique_index" or options.get("unique") is True,
            is_concurrent=is_concurrent,
            if_not_exists=is_soft,
            method=str(method) if isinstance(method, str) else "",
            where=where if isinstance(where, str) else "",
        )
        yield line, end, sql if columns else None, table
    elif kind == "table":
        yield from (
            _create_table(call, table, options, ddl)
            if is_create
            else [(line, end, ddl.drop_table(table, if_exists=is_soft), table)]
        )
    elif kind == "constraint":
        name = str(_value(plain[1])) if len(plain) > 1 else "?"
        check, is_valid = options.get("check"), options.get("validate") is not False
        if not is_create:
            yield line, end, ddl.drop_constraint(table, name), table
        else:
            sql = ddl.add_constraint(table, f"CHECK ({check})", name=name, is_valid=is_valid) if isinstance(check, str) else None
            yield line, end, sql, table


def _create_table(call: "SgNode", table: str, options: dict[str, Value], ddl: Ddl) -> Iterator[Found]:
    body: list[str] = (
        []
        if options.get("primary_key") is False
        else ["id bigint AUTO_INCREMENT PRIMARY KEY" if ddl.is_mysql else "id bigserial PRIMARY KEY"]
    )
    for inner in _inner(call):
        name = _name(inner) or inner.text()
        if name == "timestamps":
            body += [ddl.column(n, "timestamp(0)", is_nullable=False) for n in ("inserted_at", "updated_at")]
        elif name in ("add", "add_if_not_exists"):
            text = _column(inner, ddl)
            body += [text] if text else []
    yield line_of(call), line_of(call), ddl.create_table(table, body), table


def _column(call: "SgNode", ddl: Ddl) -> str | None:
    plain, keywords = _parts(call)
    options = _options(keywords)
    name = _value(plain[0]) if plain else None
    if not isinstance(name, str) or len(plain) < 2:
        return None
    type_, more = _type(plain[1], ddl, options)
    default = options.get("default")
    written = ddl.literal(default) if isinstance(default, str | int | float | bool) else None
    if written is None and (node := keywords.get("default")) is not None and node.kind() == "call":
        inner = _parts(node)[0]
        written = str(_value(inner[0])) if inner else None
    if options.get("primary_key") is True:
        more = f"PRIMARY KEY {more}".strip()
    return ddl.column(name, type_, is_nullable=options.get("null") is not False, default=written, more=more)


def _type(node: "SgNode", ddl: Ddl, options: Mapping[str, Value]) -> tuple[str, str]:
    if node.kind() == "call" and _name(node) == "references":
        plain, keywords = _parts(node)
        own = _options(keywords)
        column, type_ = own.get("column") or "id", own.get("type")
        more = f"REFERENCES {ddl.name(_table(node))} ({ddl.name(str(column))})"
        base = _TYPES.get(str(type_), str(type_)) if type_ else "bigint"
        return base, more if own.get("validate") is not False and plain else ""
    if node.kind() == "tuple":
        inner = [_value(c) for c in named(node)]
        return f"{_TYPES.get(str(inner[-1]), str(inner[-1]))}[]", ""
    base = str(_value(node))
    size, precision, scale = options.get("size"), options.get("precision"), options.get("scale")
    if base == "string" and isinstance(size, int):
        return f"varchar({size})", ""
    if base == "decimal" and isinstance(precision, int):
        return f"numeric({precision},{scale if isinstance(scale, int) else 0})", ""
    return _TYPES.get(base, base), ""


def _column_change(table: str, call: "SgNode", ddl: Ddl) -> Iterator[str | None]:
    name, (plain, keywords) = _name(call) or call.text(), _parts(call)
    column = _value(plain[0]) if plain else None
    options = _options(keywords)
    match name:
        case "add" | "add_if_not_exists":
            text = _column(call, ddl)
            exists = "IF NOT EXISTS " if name.endswith("exists") else ""
            yield ddl.alter(table, f"ADD COLUMN {exists}{text}") if text else None
            unvalidated = len(plain) > 1 and plain[1].kind() == "call" and _options(_parts(plain[1])[1]).get("validate") is False
            if unvalidated and isinstance(column, str):
                key = f"{table}_{column}_fkey"
                yield ddl.foreign_key(
                    table, [column], referenced=_table(plain[1]), referenced_columns=["id"], name=key, is_valid=False
                )
        case "remove" | "remove_if_exists":
            exists = "IF EXISTS " if name.endswith("exists") else ""
            yield ddl.alter(table, f"DROP COLUMN {exists}{ddl.name(column)}") if isinstance(column, str) else None
        case "modify" if isinstance(column, str) and len(plain) > 1:
            type_, more = _type(plain[1], ddl, options)
            yield ddl.alter_type(table, column, type_, is_nullable=options.get("null") is not False)
            if more:
                yield ddl.foreign_key(
                    table, [column], referenced=_table(plain[1]), referenced_columns=["id"], name=f"{table}_{column}_fkey"
                )
            if isinstance(options.get("null"), bool) and not ddl.is_mysql:
                yield ddl.set_not_null(table, column, is_not_null=options["null"] is False)
            if "default" in options and not ddl.is_mysql:
                value = options["default"]
                yield ddl.set_default(table, column, ddl.literal(value) if isinstance(value, str | int | float | bool) else None)
        case "timestamps":
            for own in ("inserted_at", "updated_at"):
                yield ddl.alter(table, f"ADD COLUMN {ddl.column(own, 'timestamp(0)', is_nullable=False)}")
        case _:
            yield None
