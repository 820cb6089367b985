"""Environment and secret reads of Python: os.environ, pydantic-settings, django-environ, environs, decouple, click."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.guards import Coping, default_text
from heuristics.code.reads_found import Found, secrets_in, soft, strict, wrapped
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, string_of

_ENVIRON = pattern(r"^(?:\w+\.)?environ(?:b)?$")


def reads_python(root: Node) -> Iterator[Found]:
    """Every read in a Python file."""
    has_env_object = re.search(r"\bEnv\(|FileAwareEnv\(|import environ\b|from environs|import environs", root.source) is not None
    has_config = re.search(r"decouple|starlette\.config", root.source) is not None
    for node in root.walk():
        if node.kind == "subscript":
            yield from _subscript(node)
        elif node.kind == "call":
            call = call_of(node)
            if call is not None:
                yield from _call(call, has_env_object=has_env_object, has_config=has_config)
        elif node.kind == "class_definition":
            yield from _settings(node)
        elif node.kind == "comparison_operator":
            yield from _membership(node)


def _subscript(node: Node) -> Iterator[Found]:
    parts = node.named
    if len(parts) != 2 or not _ENVIRON.match(parts[0].text):
        return
    parent = node.parent
    if parent is not None and (
        parent.kind == "delete_statement" or (parent.kind in ("assignment", "augmented_assignment") and parent.named[0] is node)
    ):
        return
    if _is_in_try(node):
        yield from _caught(string_of(parts[1]), node)
    else:
        yield from strict(string_of(parts[1]), node)


def _caught(name: str | None, node: Node) -> Iterator[Found]:
    """A read whose failure is caught."""
    if name is not None:
        yield Found(name, node, Coping("optional"))


def _is_in_try(node: Node) -> bool:
    child = node
    for around in node.ancestors():
        if around.kind == "function_definition":
            return False
        if around.kind == "try_statement" and around.child("block") is child:
            handlers = [c for c in around.named if c.kind == "except_clause"]
            return any(
                re.search(r"except\s*:|KeyError|Exception", h.text) and not re.search(r"\braise\b|sys\.exit|exit\(", h.text)
                for h in handlers
            )
        child = around
    return False


def _call(call: Call, *, has_env_object: bool, has_config: bool) -> Iterator[Found]:
    default = call.positional(1) or call.argument("default")
    first = call.first_string()
    if re.search(r"(^|\.)environ\.(get|pop)$|^(os\.)?getenv$", call.callee):
        yield from soft(first or _text(call.argument("key")), call.node, default=default)
    elif call.callee in ("environ.setdefault", "os.environ.setdefault", "os.environ.__contains__"):
        return
    elif (has_config and call.callee in ("config", "decouple.config", "AutoConfig")) or (
        has_env_object
        and re.fullmatch(r"env(\.\w+)?", call.callee)
        and first is not None
        and re.fullmatch(r"[A-Z][A-Z0-9_]*", first)
    ):
        yield from strict(first, call.node, default=default)
    elif (variable := call.argument("envvar")) is not None or (variable := call.argument("env_var")) is not None:
        first_argument = call.positional(0)
        is_required = call.argument("required") is not None and "required=True" in call.node.text
        is_required = is_required or (
            call.name in ("Option", "Argument") and first_argument is not None and first_argument.text == "..."
        )
        coping = (
            Coping("required")
            if is_required
            else Coping("default", default_text(default))
            if default is not None
            else Coping("optional")
        )
        yield from (
            Found(name, call.node, coping, is_strict=is_required) for part in variable.walk() if (name := string_of(part))
        )
    else:
        yield from wrapped(call)
        yield from secrets_in(call)


def _text(node: Node | None) -> str | None:
    return None if node is None else string_of(node)


def _membership(node: Node) -> Iterator[Found]:
    parts = node.named
    if len(parts) == 2 and _ENVIRON.match(parts[1].text) and any(c.kind in ("in", "not in") for c in node.children):
        yield from soft(string_of(parts[0]), node)


def _settings(node: Node) -> Iterator[Found]:
    """The fields of a pydantic settings class."""
    bases = node.field("superclasses")
    body = node.field("body")
    if bases is None or body is None or not re.search(r"\bBaseSettings\b|(?<!\w)\w*Settings\b", bases.text):
        return
    if not re.search(r"\bBaseSettings\b", bases.text) and "pydantic" not in node.source:
        return
    prefix = re.search(r"""env_prefix\s*=\s*["']([^"']*)["']""", body.text)
    for statement in body.named:
        assignment = statement.named[0] if statement.kind == "expression_statement" and statement.named else None
        if assignment is None or assignment.kind != "assignment" or assignment.field("type") is None:
            continue
        name, kind = assignment.named[0].text, (assignment.field("type") or assignment).text
        if name.startswith("_") or name == "model_config" or "ClassVar" in kind or "computed" in kind:
            continue
        yield _field(assignment, name, prefix[1] if prefix else "", kind)


_PARSED_TYPES = pattern(
    r"\b(int|float|bool|Decimal|UUID|date|datetime|timedelta|\w*Url|\w*Dsn|Literal|list|dict|List|Dict|Positive\w+)\b"
)


def _squeezed(node: Node) -> str:
    """The file without blank space, to look for an option in."""
    return re.sub(r"\s+", "", node.source) if len(node.source) < 100_000 else ""


def _field(assignment: Node, name: str, prefix: str, kind: str) -> Found:
    value = assignment.field("right")
    call = call_of(value) if value is not None else None
    names = [prefix + name]
    default: Node | None = value
    if call is not None and call.name in ("Field", "field"):
        default = call.argument("default") or call.argument("default_factory") or call.positional(0)
        alias = call.argument("validation_alias") or call.argument("env") or call.argument("alias")
        if alias is not None:
            names = [text for part in alias.walk() if (text := string_of(part))] or names
    if default is not None and default.text == "...":
        default = None
    has_default = default is not None or re.search(r"\bSkipValidation\b", kind) is not None
    fails_on_empty = (
        _PARSED_TYPES.search(kind) is not None
        and not re.search(r"\bstr\b", kind)
        and "env_ignore_empty=True" not in _squeezed(assignment)
    )
    spelled = tuple(text.upper() for text in names)
    coping = Coping("default", default_text(default) if default is not None else None) if has_default else Coping("required")
    return Found(
        spelled[0],
        assignment,
        coping,
        is_strict=not has_default,
        aliases=spelled[1:],
        is_declared=True,
        fails_on_empty=fails_on_empty,
    )
