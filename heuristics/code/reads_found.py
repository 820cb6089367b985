"""What a reader of one language hands over: a read, the node it stands on, and how the code copes."""

import re
from collections.abc import Iterator
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.constants import constant_of
from heuristics.code.guards import Coping, coping_with, default_text, is_guarded_by
from heuristics.code.syntax import Node
from heuristics.code.views import Call, string_of

Kind = Literal["env", "secret", "binding"]
Phase = Literal["build", "run"]


class Found(Record):
    """One read in one file, before it becomes a Read."""

    name: str
    node: Node
    coping: Coping
    kind: Kind = "env"
    is_strict: bool = False
    phase: Phase | None = None
    aliases: tuple[str, ...] = ()
    problem: str = ""
    fails_on_empty: bool = False
    """An empty text is present but does not parse: the default is not used and the start fails."""
    is_declared: bool = False
    """Stands in a schema: it says more than a bare read of the same name in the same file."""


NAME = pattern(r"[A-Za-z_][A-Za-z0-9_.\-]{0,120}")


def soft(
    name: str | None, node: Node, *, kind: Kind = "env", phase: Phase | None = None, default: Node | None = None
) -> Iterator[Found]:
    """A read that gives nothing, null or an empty text without the variable."""
    if name is None or not NAME.fullmatch(name):
        return
    if default is not None:
        text, constant = default_text(default), constant_of(default)
        if constant is None or constant.value not in (None, ""):
            yield Found(name, node, Coping("default", text), kind, phase=phase)
            return
    found = coping_with(node)
    if found.requirement == "required" and not found.is_deliberate and is_guarded_by(node, (name, node.text)):
        found = Coping("optional")
    yield Found(name, node, found, kind, phase=phase)


def strict(
    name: str | None, node: Node, *, kind: Kind = "env", phase: Phase | None = None, default: Node | None = None
) -> Iterator[Found]:
    """A read that fails without the variable."""
    if name is None or not NAME.fullmatch(name):
        return
    if default is not None:
        yield Found(name, node, Coping("default", default_text(default)), kind, phase=phase)
    elif is_guarded_by(node, (name,)):
        yield Found(name, node, Coping("optional"), kind, phase=phase)
    else:
        yield Found(name, node, Coping("required"), kind, is_strict=True, phase=phase)


_WRAPPER = pattern(
    r"(?i)^(?:\w+\.)?(?P<how>get|require|must|mustget|optional|read|load|fetch|assert|ensure|lookup|maybe)?_?env(ironment)?_?(var(iable)?)?"
    r"_?(?P<what>string|str|int|bool|duration|float|as\w+)?_?(?P<or>or_?\w+|default|with_?default|required|strict|opt(ional)?)?$"
)


def wrapped(call: Call) -> Iterator[Found]:
    """A call of a team's own reader: `getEnv("PORT", "8080")`, `mustGetenv("DSN")`, `requireEnv("KEY")`."""
    match = _WRAPPER.match(call.callee.replace("process.", ""))
    name = call.first_string()
    if match is None or name is None or not re.fullmatch(r"[A-Z][A-Z0-9_]{1,80}", name):
        return
    manner = f"{match['how'] or ''} {match['or'] or ''}".lower()
    second = call.positional(1) or call.argument("default") or call.argument("fallback") or call.argument("default_value")
    if re.search(r"require|must|assert|ensure|orthrow|orfail|or_throw|or_raise|ordie|or_panic|strict", manner):
        yield from strict(name, call.node)
    elif second is not None:
        yield from soft(name, call.node, default=second)
    elif re.search(r"optional|maybe|opt|lookup", manner):
        yield Found(name, call.node, Coping("optional"))
    else:
        yield from soft(name, call.node)


_SECRET_CALLS = pattern(
    r"(?i)(get_?secret_?value|get_?parameters?(_by_path)?|get_?secret(_?string)?|access_?secret_?version|read_secret(_version)?|GetSecretValueCommand"
    r"|GetParameters?Command|GetSecretValueInput|GetParametersInput|GetParameterInput|secret)$"
)
_SECRET_KEYS = ("SecretId", "Name", "Names", "secret_id", "secretId", "name", "path", "SecretName")


def secrets_in(call: Call) -> Iterator[Found]:
    """A secret or parameter asked for under a literal name (Secrets Manager, SSM, Vault, GCP, Azure)."""
    if not _SECRET_CALLS.search(call.name) or call.node.kind in ("annotation", "attribute"):
        return
    for argument in call.arguments:
        for node in argument.value.walk():
            text = string_of(node)
            if text is None or not text or not re.fullmatch(r"[\w/+=.@:-]{2,400}", text):
                continue
            key = argument.name or _key_before(node)
            if key in _SECRET_KEYS or (
                key is None
                and argument.position == 0
                and node is argument.value
                and re.search(r"(?i)secret|parameter", call.name)
            ):
                yield Found(text, node, Coping("required"), "secret", is_strict=True)


def _key_before(node: Node) -> str | None:
    for around in node.ancestors():
        if around.kind in ("pair", "keyed_element", "keyword_argument") and around.named and not _holds(around.named[0], node):
            return around.named[0].text.strip("\"':")
        if around.kind in ("arguments", "argument_list"):
            return None
    return None


def _holds(outer: Node, inner: Node) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
