"""Environment and secret reads of Ruby, PHP, Rust, C#, Elixir and shell."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gonogo.pattern import pattern
from heuristics.code.guards import Coping, default_text, fails
from heuristics.code.reads_found import Found, secrets_in, soft, strict, wrapped
from heuristics.code.syntax import Node
from heuristics.code.views import calls_in, string_of
from heuristics.code.word_sets import words


def reads_ruby(root: Node) -> Iterator[Found]:
    """ENV[], ENV.fetch and their kin."""
    for node in root.find("element_reference"):
        parts = node.named
        parent = node.parent
        is_target = parent is not None and parent.kind == "assignment" and parent.named[0] is node
        if len(parts) == 2 and parts[0].text in ("ENV", "::ENV") and not is_target:
            yield from soft(string_of(parts[1]), node)
    for call in calls_in(root):
        name = call.first_string()
        if call.callee in ("ENV.fetch", "::ENV.fetch"):
            block = call.node.child("block", "do_block")
            if block is not None and fails(block):
                yield from strict(name, call.node)
            elif block is not None:
                inner = [n for n in block.walk() if default_text(n) is not None]
                yield Found(name or "", call.node, Coping("default", default_text(inner[0]) if inner else None))
            else:
                yield from strict(name, call.node, default=call.positional(1))
        elif re.fullmatch(r"ENV\.(key|has_key|include|member)\?", call.callee) and name:
            yield Found(name, call.node, Coping("optional"))
        elif call.callee == "ENV.values_at":
            for argument in call.arguments:
                yield from soft(string_of(argument.value), argument.value)
        else:
            yield from secrets_in(call)


def reads_php(root: Node) -> Iterator[Found]:
    """env(), getenv(), $_ENV and $_SERVER."""
    for call in calls_in(root):
        if call.callee in ("env", "Env::get"):
            yield from soft(call.first_string(), call.node, default=call.positional(1))
        elif call.callee in ("getenv", r"\getenv"):
            yield from soft(call.first_string(), call.node)
        elif call.callee == "Env::getOrFail":
            yield from strict(call.first_string(), call.node)
        else:
            yield from wrapped(call)
            yield from secrets_in(call)
    for node in root.find("subscript_expression"):
        parts = node.named
        name = string_of(parts[1]) if len(parts) == 2 else None
        if (
            name
            and parts[0].text in ("$_ENV", "$_SERVER")
            and not re.match(r"(HTTP|REQUEST|SERVER|REMOTE|SCRIPT|QUERY|DOCUMENT|PHP|PATH|CONTENT)(_|$)|argv|argc", name)
        ):
            yield from soft(name, node)


def reads_rust(root: Node) -> Iterator[Found]:
    """std::env::var, the env! macros, and clap's `env = "X"`."""
    for call in calls_in(root):
        name = call.first_string()
        if re.search(r"(^|::)(env|dotenvy|dotenv)::var(_os)?$", call.callee):
            yield from soft(name, call.node)
        elif call.callee == "env!":
            yield from strict(name or _first_text(call.node), call.node, phase="build")
        elif call.callee == "option_env!" and (name or _first_text(call.node)):
            yield Found(name or _first_text(call.node) or "", call.node, Coping("optional"), phase="build")
        elif call.node.kind != "attribute":
            yield from wrapped(call)
            yield from secrets_in(call)
    for node in root.find("attribute_item"):
        match = re.search(r"""\b(?:arg|clap|structopt)\(.*\benv\s*=\s*"([^"]+)\"""", node.text, re.DOTALL)
        if match:
            default = re.search(r"""default_value(?:_t)?\s*=\s*"?([^",)]+)""", node.text)
            following = node.parent.children[node.parent.children.index(node) + 1 :] if node.parent else []
            is_option = any("Option<" in after.text for after in following[:2])
            coping = Coping("default", default[1]) if default else Coping("optional" if is_option else "required")
            yield Found(match[1], node, coping, is_strict=coping.requirement == "required", is_declared=True)


def _first_text(node: Node) -> str | None:
    return next((text for found in node.walk() if (text := string_of(found))), None)


def reads_csharp(root: Node) -> Iterator[Found]:
    """Environment.GetEnvironmentVariable and upper-case keys of the configuration."""
    for call in calls_in(root):
        name = call.first_string()
        if call.name == "GetEnvironmentVariable":
            yield from soft(name, call.node)
        elif re.search(r"(?i)config(uration)?\.GetValue(<[\w?]+>)?$", call.callee) and name and _CONFIGURED.fullmatch(name):
            yield from _configured(soft(_environment_name(name), call.node, default=call.positional(1)), name)
        elif re.search(r"(?i)config(uration)?\.GetConnectionString$", call.callee) and name and re.fullmatch(r"\w+", name):
            yield from _configured(soft(f"ConnectionStrings__{name}", call.node), f"ConnectionStrings:{name}")
        else:
            yield from wrapped(call)
            yield from secrets_in(call)
    for node in root.find("element_access_expression"):
        name = _first_text(node)
        if name and re.match(r"(?i)(\w+\.)*_?config(uration)?\[", node.text) and _CONFIGURED.fullmatch(name):
            yield from _configured(soft(_environment_name(name), node), name)


_CONFIGURED = pattern(r"[A-Z][A-Z0-9_]+|[A-Za-z]\w*(:\w+)+")


def _environment_name(key: str) -> str:
    """`Payments:ApiKey` is Payments__ApiKey in the environment."""
    return key.replace(":", "__")


def _configured(found: Iterator[Found], key: str) -> Iterator[Found]:
    """Keys of .NET are found in any case, and in appsettings.json."""
    name = _environment_name(key)
    for one in found:
        yield replace(one, aliases=tuple(dict.fromkeys(a for a in (name.upper(), key) if a != one.name)))


def reads_elixir(root: Node, path: str) -> Iterator[Found]:
    """System.get_env and fetch_env!; `config.exs` and its kin run when the release is built, `runtime.exs` at boot."""
    name = path.rsplit("/", 1)[-1]
    phase = "build" if name in ("config.exs", "prod.exs", "releases.exs.build") else None
    for call in calls_in(root):
        if call.callee == "System.get_env":
            yield from soft(call.first_string(), call.node, phase=phase, default=call.positional(1))
        elif call.callee == "System.fetch_env!":
            yield from strict(call.first_string(), call.node, phase=phase)
        elif call.callee == "System.fetch_env" and call.first_string():
            yield Found(call.first_string() or "", call.node, Coping("optional"), phase=phase)


_SETS = pattern(r"(?m)\b(?:read|mapfile|readarray|local|declare|typeset|readonly|getopts|printf\s+-v)\b([^\n;|]*)")
_BUILT_IN = words(
    "SECONDS RANDOM LINENO OSTYPE HOSTTYPE MACHTYPE UID EUID PPID OPTARG OPTIND IFS REPLY PIPESTATUS FUNCNAME BASH_SOURCE BASH_VERSION BASH_REMATCH BASHPID DIRSTACK COLUMNS LINES"
)


def reads_bash(root: Node) -> Iterator[Found]:
    """`${X:?}`, `${X:-default}`, and bare `$X` where the script fails on what is unset."""
    assigned = {node.named[0].text for node in root.find("variable_assignment", "for_statement") if node.named}
    assigned |= {name for line in _SETS.findall(root.source) for name in re.findall(r"[A-Z][A-Z0-9_]*", line)} | _BUILT_IN
    is_strict = re.search(r"(?m)^\s*set\s+(-\w*u|-o\s+nounset)|^#!.*\s-\w*u", root.source) is not None
    for node in root.find("expansion", "simple_expansion"):
        variable = node.child("variable_name")
        if variable is None or variable.text in assigned or not re.fullmatch(r"[A-Z][A-Z0-9_]+", variable.text):
            continue
        operator = next((c.kind for c in node.children if c.kind in (":?", "?", ":-", "-", ":=", "=", ":+", "+")), "")
        if operator in (":?", "?"):
            yield Found(variable.text, node, Coping("required", is_deliberate=True), is_strict=True)
        elif operator in (":+", "+"):
            yield Found(variable.text, node, Coping("optional"))
        elif operator:
            default = node.named[-1].text if len(node.named) > 1 else ""
            yield Found(variable.text, node, Coping("default" if default else "optional", default or None))
        elif is_strict:
            yield Found(variable.text, node, Coping("required"), is_strict=True)
