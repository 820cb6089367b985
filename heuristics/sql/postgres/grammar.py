"""The one door to PostgreSQL's grammar: one statement in, its tree or a reason out.

The grammar is native code that recurses on its input, and the text is a stranger's: `nesting` refuses what would exhaust
the stack before the grammar sees it.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from gonogo.pattern import pattern
from heuristics.sql.postgres.parser import load_lean

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from postgast import pg_query_pb2 as pb

_TOKENS = pattern(
    r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|[(\[{]|[)\]}]|[,;]|::|[-+*/<>=~!@#%^&|`?]+"
    r"|\b(?:not|is|case|union|intersect|except|collate|join|and|or|if|loop|begin|between|at|in|like|ilike)\b",
    re.IGNORECASE,
)
_DEEPEST = 400
_LONGEST = 400_000


class NotParsed(Exception):
    """The grammar refuses this statement; the message says why."""


def parse(sql: str) -> "pb.Node":
    """The tree of exactly one statement."""
    load_lean()
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - only a PostgreSQL migration needs it
    from postgast.errors import PgQueryError  # noqa: PLC0415
    from postgast.parse import parse as tree_of  # noqa: PLC0415

    _guard(sql)
    try:
        tree = tree_of(sql)
    except PgQueryError as refused:
        raise NotParsed(str(refused.message)) from refused
    except (DecodeError, UnicodeError, ValueError) as refused:
        raise NotParsed("it is nested too deep to be read") from refused
    if len(tree.stmts) != 1:
        raise NotParsed("it is not one statement")
    return tree.stmts[0].stmt


def parse_body(sql: str) -> object:
    """The plpgsql body of a DO block or function as plain JSON."""
    load_lean()
    from postgast.errors import PgQueryError  # noqa: PLC0415
    from postgast.plpgsql import parse_plpgsql  # noqa: PLC0415

    _guard(sql.replace("$", " "))
    try:
        return cast("object", parse_plpgsql(sql))
    except PgQueryError as refused:
        raise NotParsed(str(refused.message)) from refused
    except (RecursionError, UnicodeError, ValueError) as refused:
        raise NotParsed("it is nested too deep to be read") from refused


def deparse(node: "pb.Node") -> str:
    """The expression as text, or an empty string when it cannot be written."""
    load_lean()
    from postgast import pg_query_pb2 as messages  # noqa: PLC0415
    from postgast.deparse import deparse as text_of  # noqa: PLC0415
    from postgast.errors import PgQueryError  # noqa: PLC0415

    tree = messages.ParseResult()
    select = tree.stmts.add().stmt.select_stmt
    select.limit_option = messages.LIMIT_OPTION_DEFAULT
    select.op = messages.SETOP_NONE
    select.target_list.add().res_target.val.CopyFrom(node)
    try:
        return text_of(tree).removeprefix("SELECT ")
    except (PgQueryError, ValueError, UnicodeError):
        return ""


def walk(root: "Message") -> Iterator["Message"]:
    """Every message of a tree, the root first, without recursion."""
    stack: list[Message] = [root]
    while stack:
        message = stack.pop()
        yield message
        children: list[Message] = []
        for descriptor, value in message.ListFields():
            if descriptor.message_type is None:
                continue
            if descriptor.is_repeated:
                children.extend(cast("list[Message]", value))
            else:
                children.append(cast("Message", value))
        stack.extend(reversed(children))


def _guard(sql: str) -> None:
    if len(sql) > _LONGEST:
        raise NotParsed(f"it is longer than {_LONGEST} characters")
    if "\0" in sql:
        raise NotParsed("it holds a zero byte")
    if nesting(sql) > _DEEPEST:
        raise NotParsed("it is nested too deep to be read")


def nesting(sql: str) -> int:
    """An upper bound of how deep the tree of this text can be."""
    levels = [0]
    deepest = total = 0
    for found in _TOKENS.finditer(sql):
        sign = found.group()
        if sign[0] in "'\"" or sign.startswith("--"):
            continue
        if sign in "([{":
            levels.append(1)
            total += 1
        elif sign in ")]}":
            if len(levels) > 1:
                total -= levels.pop()
        elif sign in ",;":
            total -= levels[-1] - (1 if len(levels) > 1 else 0)
            levels[-1] = 1 if len(levels) > 1 else 0
        else:
            levels[-1] += 1
            total += 1
        deepest = max(deepest, total)
    return deepest
