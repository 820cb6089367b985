"""The SQL that a plpgsql body runs, in order; None stands for SQL that is put together while it runs."""

import re
from typing import cast

from gonogo.pattern import pattern
from heuristics.sql.postgres.grammar import NotParsed, parse_body

_LITERAL = pattern(r"^\s*(?:E)?'((?:[^']|'')*)'\s*(?:::text\s*)?$", re.IGNORECASE | re.DOTALL)
_DOLLAR = pattern(r"^\s*(\$\w*\$)(.*)\1\s*$", re.DOTALL)
_FORMAT = pattern(r"^\s*format\s*\(\s*'((?:[^']|'')*)'\s*(.*)\)\s*$", re.IGNORECASE | re.DOTALL)
_ARGUMENT = pattern(r"\s*,\s*'((?:[^']|'')*)'")
_OTHER_LANGUAGE = pattern(r"\blanguage\s+'?(?!plpgsql)(\w+)", re.IGNORECASE)


def executed_by(sql: str) -> tuple[str | None, ...]:
    """The statements a DO block can run, whatever branch they stand in."""
    language = _OTHER_LANGUAGE.search(sql.rpartition("$")[2]) or _OTHER_LANGUAGE.match(sql[2:].lstrip())
    if language is not None:
        raise NotParsed(f"it is written in {language.group(1)}")
    tree = parse_body(sql)
    found: list[str | None] = []
    stack: list[object] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(reversed(cast("list[object]", node)))
            continue
        if not isinstance(node, dict):
            continue
        fields = cast("dict[str, object]", node)
        if "PLpgSQL_stmt_execsql" in fields:
            found.append(_query(fields["PLpgSQL_stmt_execsql"], "sqlstmt"))
        elif "PLpgSQL_stmt_dynexecute" in fields:
            found.append(_constant(_query(fields["PLpgSQL_stmt_dynexecute"], "query") or ""))
        elif "PLpgSQL_stmt_perform" in fields:
            query = _query(fields["PLpgSQL_stmt_perform"], "expr")
            found.append(query)
        else:
            stack.extend(reversed(list(fields.values())))
    return tuple(found)


def _query(node: object, key: str) -> str | None:
    inner = cast("dict[str, dict[str, dict[str, object]]]", node).get(key, {}).get("PLpgSQL_expr", {})
    query = inner.get("query")
    return query if isinstance(query, str) else None


def _constant(expression: str) -> str | None:
    """The text of EXECUTE's argument when it is a literal, or a format() of literals."""
    if (found := _LITERAL.match(expression)) is not None:
        return found.group(1).replace("''", "'")
    if (found := _DOLLAR.match(expression)) is not None:
        return found.group(2)
    if (found := _FORMAT.match(expression)) is not None:
        arguments = _ARGUMENT.findall(found.group(2))
        if _ARGUMENT.sub("", found.group(2)).strip():
            return None
        return _formatted(found.group(1).replace("''", "'"), [a.replace("''", "'") for a in arguments])
    return None


def _formatted(template: str, arguments: list[str]) -> str | None:
    parts = re.split(r"(%[sIL%])", template)
    rest = list(arguments)
    written: list[str] = []
    for part in parts:
        if part == "%%":
            written.append("%")
        elif part in ("%s", "%I", "%L"):
            if not rest:
                return None
            value = rest.pop(0)
            written.append({"%s": value, "%I": f'"{value}"', "%L": f"'{value}'"}[part])
        else:
            written.append(part)
    return "".join(written)
