"""Environment and secret reads of Go: os, viper, struct tags of envconfig, env, cleanenv, command-line flags."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.guards import Coping
from heuristics.code.reads_found import Found, secrets_in, soft, wrapped
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, string_of

_TAG = pattern(r"""([\w-]{1,40}):"((?:[^"\\]|\\.)*)\"""")


def reads_go(root: Node) -> Iterator[Found]:
    """Every read in a Go file."""
    viper = _Viper(root)
    for node in root.walk():
        if node.kind == "call_expression":
            call = call_of(node)
            if call is not None:
                yield from _call(call, viper)
        elif node.kind == "field_declaration":
            yield from _field(node)
        elif node.kind == "keyed_element" and node.named and node.named[0].text in ("EnvVars", "EnvVar"):
            yield from _flag(node)


def _call(call: Call, viper: "_Viper") -> Iterator[Found]:
    if call.callee in ("os.Getenv", "syscall.Getenv", "os.LookupEnv", "env.Get"):
        default = call.positional(1) if call.callee == "env.Get" else None
        yield from soft(call.first_string(), call.node, default=default)
    elif (
        viper.is_automatic
        and re.fullmatch(r"(viper|v|vip|cfg|config)\.(Get\w*|MustGet\w*)", call.callee)
        and call.name != "GetViper"
    ):
        yield from viper.read(call)
    elif re.fullmatch(r"(viper|v)\.BindEnv", call.callee):
        name = call.positional(1) or call.positional(0)
        key = call.first_string()
        yield from soft(
            string_of(name) if name is not None and name is not call.positional(0) else viper.name(key or ""), call.node
        )
    else:
        yield from wrapped(call)
        yield from secrets_in(call)


class _Viper:
    """What viper would look up: prefix, key replacer, defaults."""

    def __init__(self, root: Node) -> None:
        text = root.source
        self.is_automatic = "viper" in text and ("AutomaticEnv()" in text or "SetEnvPrefix" in text)
        prefix = re.search(r"""SetEnvPrefix\(\s*"([^"]*)\"""", text)
        self._prefix = prefix[1].upper() + "_" if prefix else ""
        self._has_replacer = "SetEnvKeyReplacer" in text
        self._defaults = dict(re.findall(r"""SetDefault\(\s*"([^"]+)"\s*,\s*"?([^",)]*)""", text))

    def name(self, key: str) -> str:
        """The variable of a key."""
        return self._prefix + (re.sub(r"[.-]", "_", key) if self._has_replacer else key).upper()

    def read(self, call: Call) -> Iterator[Found]:
        """A key that is looked up; nothing there gives the zero value without an error."""
        key = call.first_string()
        if key is None:
            return
        name = self.name(key)
        aliases = tuple(sorted({self._prefix + re.sub(r"[.-]", "_", key).upper(), key} - {name}))
        if key in self._defaults:
            yield Found(name, call.node, Coping("default", self._defaults[key]), aliases=aliases)
            return
        for found in soft(name, call.node):
            yield Found(found.name, found.node, found.coping, aliases=aliases)


def _field(node: Node) -> Iterator[Found]:
    tag = next((c for c in node.named if c.kind in ("raw_string_literal", "interpreted_string_literal")), None)
    name = node.child("field_identifier")
    if tag is None or name is None:
        return
    tags: dict[str, str] = dict(_TAG.findall(tag.text))
    is_plain = not tags.keys() & {"env", "envconfig"}
    if is_plain and not (
        tags.keys() & {"required", "default", "split_words"}
        and tags.keys() <= {"required", "default", "split_words", "desc", "json", "yaml"}
    ):
        return
    variable, *options = (part.strip() for part in (tags.get("env") or tags.get("envconfig") or "").split(","))
    if tags.get("split_words") == "true" and not variable:
        variable = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.text)
    variable = variable or name.text.upper()
    if variable == "-":
        return
    option_default = next((o.partition("=")[2] for o in options if o.startswith("default=")), None)
    default = next((tags[key] for key in ("envDefault", "default", "env-default") if key in tags), option_default)
    is_required = bool({"required", "notEmpty"} & set(options)) or "true" in (tags.get("required"), tags.get("env-required"))
    coping = Coping("default", default) if default is not None else Coping("required" if is_required else "optional")
    yield Found(
        variable.upper() if is_plain else variable, node, coping, is_strict=coping.requirement == "required", is_declared=True
    )


def _flag(node: Node) -> Iterator[Found]:
    around = node.parent
    text = around.text if around is not None else ""
    has_default = re.search(r"\bValue:", text) is not None
    for literal in node.walk():
        name = string_of(literal)
        if name and literal.kind.endswith("literal"):
            is_required = re.search(r"Required:\s*true", text) is not None
            yield Found(
                name, node, Coping("default" if has_default else "required" if is_required else "optional"), is_strict=is_required
            )
