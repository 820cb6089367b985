"""Reads Python migrations without running them: literal values, names that stand for them, and calls in order."""

import ast
from collections.abc import Iterator, Mapping

from gonogo.record import Record

_DEEPEST = 60


class Unknown:
    """A value that the text does not settle."""

    def __repr__(self) -> str:
        return "Unknown()"


UNKNOWN = Unknown()
type Value = str | int | float | bool | tuple[Value, ...] | dict[str, Value] | SqlText | Call | Symbol | Unknown | None
"""What an expression of a migration comes to."""


class Symbol(Record):
    """A name whose value is not in the text (`sa.String`, an imported constant)."""

    name: str

    @property
    def last(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]


class SqlText(Record):
    """A value that is SQL already (`sa.text(...)`, `func.now()`)."""

    sql: str


class Call(Record):
    """A call that is a value: its dotted name, its arguments by position and by keyword, and its node."""

    name: str
    args: tuple[Value, ...]
    keywords: Mapping[str, Value]
    node: ast.Call

    @property
    def last(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]

    def get(self, keyword: str, position: int | None = None, default: Value = None) -> Value:
        """The argument of that keyword, else of that position, else the default."""
        if keyword in self.keywords:
            return self.keywords[keyword]
        if position is not None and position < len(self.args):
            return self.args[position]
        return default

    def text(self, keyword: str, position: int | None = None) -> str | None:
        """The argument as text, when it is text."""
        value = self.get(keyword, position)
        return value.sql if isinstance(value, SqlText) else value if isinstance(value, str) else None


def parse_python(text: str) -> ast.Module | None:
    """The module, or None when it is not Python or nested too deep."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a name or attribute; calls inside keep their name (`op.get_context().autocommit_block`)."""
    parts: list[str] = []
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            break
        else:
            break
    return ".".join(reversed(parts))


def value_of(node: ast.expr | None, names: Mapping[str, Value], depth: int = 0) -> Value:
    """The value of an expression: literals, known names, joined text, lists, dicts, calls; else UNKNOWN."""
    if depth > _DEEPEST:
        return UNKNOWN
    match node:
        case None:
            return None
        case ast.Constant(value=value):
            return value if isinstance(value, str | int | float) or value is None else UNKNOWN
        case ast.Name(id=name):
            return names.get(name, Symbol(name))
        case ast.Attribute():
            return names.get(dotted(node), Symbol(dotted(node)))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return tuple(value_of(i, names, depth + 1) for i in items)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {str(value_of(k, names, depth + 1)): value_of(v, names, depth + 1) for k, v in pairs if k is not None}
        case ast.JoinedStr(values=parts):
            return _joined(parts, names, depth)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _added(value_of(left, names, depth + 1), value_of(right, names, depth + 1))
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _formatted(value_of(left, names, depth + 1), value_of(right, names, depth + 1))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = value_of(operand, names, depth + 1)
            return -inner if isinstance(inner, int | float) else UNKNOWN
        case ast.Call():
            return _called(node, names, depth)
        case _:
            return UNKNOWN


def _called(node: ast.Call, names: Mapping[str, Value], depth: int) -> Value:
    name = dotted(node.func)
    args = tuple(value_of(a, names, depth + 1) for a in node.args if not isinstance(a, ast.Starred))
    keywords = {k.arg: value_of(k.value, names, depth + 1) for k in node.keywords if k.arg is not None}
    last = name.rpartition(".")[2]
    if last in ("text", "literal_column") and args and isinstance(args[0], str):
        return SqlText(args[0])
    if name in ("op.f", "op.inline_literal") and args:
        return args[0]
    if last in ("dedent", "strip", "cleandoc", "_", "str", "list", "tuple") and len(args) == 1:
        return args[0]
    if last in ("strip", "lstrip", "rstrip") and isinstance(node.func, ast.Attribute) and not args:
        return value_of(node.func.value, names, depth + 1)
    if last == "format" and isinstance(node.func, ast.Attribute):
        return _braced(value_of(node.func.value, names, depth + 1), args, keywords)
    if last == "with_variant" and isinstance(node.func, ast.Attribute):
        return Call(name, args, keywords | {"base": value_of(node.func.value, names, depth + 1)}, node)
    if ".func." in f".{name}":
        inner = ", ".join(str(a.sql if isinstance(a, SqlText) else a) for a in args)
        return SqlText(f"{last}({inner})")
    if last in ("false", "true", "null") and name.startswith(("sa.", "sqlalchemy.", "expression.")) and not args:
        return SqlText(last)
    return Call(name, args, keywords, node)


def _joined(parts: list[ast.expr], names: Mapping[str, Value], depth: int) -> Value:
    written: list[str] = []
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        value = value_of(inner, names, depth + 1)
        if not isinstance(value, str | int | float):
            return UNKNOWN
        written.append(str(value))
    return "".join(written)


def _added(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, tuple) and isinstance(right, tuple):
        return (*left, *right)
    return UNKNOWN


def _formatted(left: Value, right: Value) -> Value:
    if not isinstance(left, str):
        return UNKNOWN
    values = right if isinstance(right, tuple) else (right,)
    if len(left) > 100_000 or any(not isinstance(v, str | int | float) for v in values):
        return UNKNOWN
    parts = left.split("%s")
    if len(parts) != len(values) + 1 or "%" in "".join(parts).replace("%%", ""):
        return UNKNOWN
    return "".join(p + str(v) for p, v in zip(parts, (*values, ""), strict=True)).replace("%%", "%")


def _braced(template: Value, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
    if not isinstance(template, str):
        return UNKNOWN
    written = template
    for place, value in enumerate(args):
        if isinstance(value, str | int):
            written = written.replace("{}", str(value), 1).replace(f"{{{place}}}", str(value))
    for name, value in keywords.items():
        if isinstance(value, str | int):
            written = written.replace(f"{{{name}}}", str(value))
    return UNKNOWN if "{" in written else written


def assignments(body: list[ast.stmt], names: dict[str, Value]) -> dict[str, Value]:
    """The names of a body and the values they are given, where settled."""
    found = dict(names)
    for statement in body:
        remember(statement, found)
    return found


def remember(statement: ast.stmt, names: dict[str, Value]) -> None:
    """Note an assignment of a settled value."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            names[name] = value_of(value, names)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            names[name] = value_of(value, names)
        case ast.ClassDef(name=owner, body=body):
            inner: dict[str, Value] = {}
            for own in body:
                remember(own, inner)
            names |= {f"{owner}.{k}": v for k, v in inner.items()}
        case _:
            pass


def functions_of(module: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions at the top of a module."""
    return {n.name: n for n in module.body if isinstance(n, ast.FunctionDef)}


def lines_of(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """First and last line of a node."""
    return node.lineno, node.end_lineno or node.lineno


def text_place(node: ast.Call) -> tuple[int, int] | None:
    """The lines of the first text among a call's arguments, also inside `text(...)`."""
    queue: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
    for _ in range(_DEEPEST):
        if not queue:
            return None
        found = queue.pop(0)
        if (isinstance(found, ast.Constant) and isinstance(found.value, str)) or isinstance(found, ast.JoinedStr):
            return lines_of(found)
        if isinstance(found, ast.Call):
            queue[:0] = [*found.args, *([found.func.value] if isinstance(found.func, ast.Attribute) else [])]
    return None


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """Every call below a node, outermost first, without recursion."""
    stack: list[ast.AST] = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, ast.Call):
            yield found
        stack.extend(reversed(list(ast.iter_child_nodes(found))))
