"""Expressions of Go's templates: fields, variables, literals, calls and pipelines."""

from functools import lru_cache

from gonogo.pattern import pattern
from gonogo.record import Record

MAX_LENGTH = 2_000
MAX_NESTING = 20
_TOKEN = pattern(
    r"\s*(?:(?P<text>\"(?:[^\"\\\n]|\\.){0,500}\"|`[^`]{0,500}`)|(?P<number>-?\d{1,15}(?:\.\d{1,6})?)"
    r"|(?P<name>\$?[A-Za-z_]\w{0,100}|\$)?(?P<path>(?:\.[A-Za-z_][\w-]{0,100}){1,20}|\.(?![\w-]))?(?P<mark>[()|])?)"
)


class Expression(Record):
    """Anything that has a value."""


class Literal(Expression):
    """A string, a number, `true`, `false` or `nil`."""

    value: str | int | float | bool | None


class Variable(Expression):
    """`$` or `$name`."""

    name: str


class Field(Expression):
    """`.a.b` of the current value, or of another expression."""

    path: tuple[str, ...]
    of: Expression | None = None


class Call(Expression):
    """A function with its arguments."""

    name: str
    arguments: tuple[Expression, ...]


class Pipeline(Expression):
    """Stages whose values are the last argument of the next one."""

    stages: tuple[Expression, ...]


_WORDS: dict[str, bool | None] = {"true": True, "false": False, "nil": None}


class _Open(Exception):
    pass


@lru_cache(maxsize=4_096)
def parse_expression(text: str) -> Expression:
    """The expression; a call of the unknown function `?` when it isn't one that is understood."""
    try:
        tokens = _tokens(text)
        found, at = _pipeline(tokens, 0, 0)
    except _Open:
        return Call("?", ())
    return found if at == len(tokens) else Call("?", ())


def _tokens(text: str) -> list[tuple[str, str]]:
    if len(text) > MAX_LENGTH:
        raise _Open
    found: list[tuple[str, str]] = []
    at = 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise _Open
        before = at
        at = match.end()
        if match["text"] is not None:
            found.append(("text", match["text"]))
        elif match["number"] is not None:
            found.append(("number", match["number"]))
        if match["name"] is not None:
            found.append(("name", match["name"]))
        if match["path"] is not None:
            is_joined = match["name"] is not None or (before > 0 and found[-1:] == [("mark", ")")] and text[before] == ".")
            found.append(("below" if is_joined else "path", match["path"]))
        if match["mark"] is not None:
            found.append(("mark", match["mark"]))
        if not text[before:at].strip():
            break
    return found


def _pipeline(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Expression, int]:
    if depth > MAX_NESTING:
        raise _Open
    stages: list[Expression] = []
    while True:
        stage, at = _stage(tokens, at, depth)
        stages.append(stage)
        if at >= len(tokens) or tokens[at] != ("mark", "|"):
            return (stages[0] if len(stages) == 1 else Pipeline(tuple(stages))), at
        at += 1


def _stage(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Expression, int]:
    if at >= len(tokens):
        raise _Open
    kind, written = tokens[at]
    is_call = kind == "name" and not written.startswith("$") and written not in _WORDS
    if not is_call:
        return _operand(tokens, at, depth)
    at += 1
    arguments: list[Expression] = []
    while at < len(tokens) and tokens[at] not in (("mark", "|"), ("mark", ")")):
        argument, at = _operand(tokens, at, depth)
        arguments.append(argument)
    return Call(written, tuple(arguments)), at


def _operand(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Expression, int]:
    kind, written = tokens[at]
    found: Expression
    if kind == "text":
        found = Literal(written[1:-1].replace('\\"', '"').replace("\\n", "\n"))
    elif kind == "number":
        found = Literal(float(written) if "." in written else int(written))
    elif kind == "path":
        return Field(tuple(part for part in written.split(".") if part)), at + 1
    elif kind == "name" and written in _WORDS:
        found = Literal(_WORDS[written])
    elif kind == "name" and written.startswith("$"):
        found = Variable(written)
    elif kind == "name":
        found = Call(written, ())
    elif written == "(":
        found, at = _pipeline(tokens, at + 1, depth + 1)
        if at >= len(tokens) or tokens[at] != ("mark", ")"):
            raise _Open
    else:
        raise _Open
    at += 1
    if at < len(tokens) and tokens[at][0] == "below":
        return Field(tuple(part for part in tokens[at][1].split(".") if part), found), at + 1
    return found, at
