"""Environment, secret and binding reads of TypeScript and JavaScript: Node, bundlers, schemas, Workers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gonogo.pattern import pattern
from heuristics.code.guards import Coping, coping_of_name, default_text, is_guarded_by
from heuristics.code.reads_found import Found, Kind, Phase, secrets_in, soft, strict, wrapped
from heuristics.code.syntax import Node, has_errors, parse
from heuristics.code.views import Call, call_of, key_text, string_of
from heuristics.code.word_sets import words

_PROCESS = pattern(r"^(?:globalThis\.|global\.|window\.)?(process\??\.env|Bun\.env|import\.meta\.env)$")
_BINDING = pattern(
    r"^(?:\w+\.)*(c|ctx|context|platform|this|event|locals|runtime|cloudflare|getCloudflareContext\(\)|getRequestContext\(\))[?!]?\.env$"
)
_PROVIDED = words("MODE DEV PROD SSR BASE_URL ASSETS_URL LEGACY")
_PUBLIC = ("VITE_", "NEXT_PUBLIC_", "REACT_APP_", "GATSBY_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "VUE_APP_", "PUBLIC_")
_KEY = pattern(r"[A-Z][A-Z0-9_]*")


def reads_script(root: Node, language: str) -> Iterator[Found]:
    """Every read in a script; a fragment of an object (`server: { KEY: z.string() }`) is read as one."""
    if has_errors(root) or (root.named and all(statement.kind == "labeled_statement" for statement in root.named)):
        whole = parse("({" + root.source.rstrip().rstrip(",;") + "})", language)
        if whole is not None and not has_errors(whole):
            root = whole
    sources = _sources(root)
    for node in root.walk():
        if node.kind in ("member_expression", "subscript_expression"):
            yield from _member(node, sources)
        elif node.kind == "variable_declarator":
            yield from _destructured(node, sources)
        elif node.kind in ("call_expression", "new_expression"):
            call = call_of(node)
            if call is not None:
                yield from _call(call)
        elif node.kind == "pair":
            yield from _schema(node)
            yield from _convict(node)
        elif node.kind == "public_field_definition":
            yield from _checked_field(node)
        elif node.kind == "import_statement":
            yield from _imported(node)
        elif node.kind == "object_pattern" and node.parent is not None and node.parent.kind == "pair_pattern":
            yield from _nested_pattern(node)


_Source = tuple[Kind, Phase | None, bool]
"""Kind of what is read, phase, and whether it is import.meta.env."""


def _sources(root: Node) -> Mapping[str, _Source]:
    """The names in this file that stand for an environment: `env` of a Worker, `const env = process.env`."""
    found: dict[str, _Source] = {}
    for declared in root.find("variable_declarator"):
        parts = declared.named
        if len(parts) >= 2 and parts[0].kind == "identifier" and _PROCESS.match(parts[-1].text):
            found[parts[0].text] = ("env", None, parts[-1].text.startswith("import"))
    names = set(found)
    for statement in root.find("import_statement"):
        text = statement.text
        for name in re.findall(r"\benv\b", text.split("from")[0]):
            names.add(name)
            if "cloudflare:workers" in text:
                found[name] = ("binding", None, False)
            elif "$env/dynamic" in text:
                found[name] = ("env", None, False)
    if "env" in names:
        return found
    if all(
        re.search(r"\benv\b", node.text) is None
        for node in root.find("variable_declarator")
        if node.named and node.named[0].text == "env"
    ):
        found["env"] = ("binding", None, False)
    return found


def _source_of(node: Node, sources: Mapping[str, _Source]) -> _Source | None:
    text = node.text if len(node.text) < 120 else ""
    plain = re.sub(r"\s+|!(?=\.)|\bas any\b", "", text).strip("()").rstrip("!?")
    if _PROCESS.match(plain):
        return ("env", "build" if plain.startswith("import") else None, plain.startswith("import"))
    if _BINDING.match(plain) or re.fullmatch(r"\(?\w+asany\)?\.env", plain):
        return ("binding", None, False)
    return sources.get(plain) if _names_environment(node) else None


def _names_environment(node: Node) -> bool:
    """An `env` with a type of its own that is no environment (`env: string`) is none."""
    for around in node.ancestors():
        parameters = around.field("parameters") if around.kind.endswith(("function", "definition", "declaration")) else None
        if parameters is None:
            continue
        for parameter in parameters.named:
            if parameter.named and parameter.named[0].text == node.text:
                kind = parameter.field("type")
                return kind is None or not re.search(r":\s*(string|number|boolean|'|\")", kind.text)
    return True


def _member(node: Node, sources: Mapping[str, _Source]) -> Iterator[Found]:
    parts = node.named
    if len(parts) < 2:
        return
    source = _source_of(parts[0], sources)
    if source is None or _is_written(node) or _only_feeds_schema(node):
        return
    key = parts[-1]
    name = key.text if node.kind == "member_expression" else string_of(key)
    if name is None or (source[0] == "binding" and not _KEY.fullmatch(name)) or (source[2] and name in _PROVIDED):
        return
    found = soft(name, node, kind=source[0], phase=_phase(name, source))
    if _throws_at_once(node) and not is_guarded_by(node, (name, node.text)):
        found = (replace(one, coping=Coping("required"), is_strict=False) for one in found)
    yield from _noted(found, is_bundled=source[2])


def _throws_at_once(node: Node) -> bool:
    """`env.STORE.get(key)`, `process.env.KEY!.trim()`: a member of undefined, whatever is done with the result."""
    child, parent = node, node.parent
    while parent is not None and parent.kind in ("non_null_expression", "parenthesized_expression", "as_expression"):
        child, parent = parent, parent.parent
    if parent is None or parent.kind not in ("member_expression", "subscript_expression") or parent.named[0] is not child:
        return False
    return parent.child("optional_chain") is None and not any(c.kind == "?." for c in parent.children)


def _only_feeds_schema(node: Node) -> bool:
    """`runtimeEnv: { KEY: process.env.KEY }`: the schema beside it says what happens without it."""
    pair = node.parent
    holder = pair.parent.parent if pair is not None and pair.kind == "pair" and pair.parent is not None else None
    return holder is not None and holder.kind == "pair" and re.search(r"runtimeEnv", key_text(holder.named[0])) is not None


def _phase(name: str, source: _Source) -> Phase | None:
    return "build" if source[1] == "build" or name.startswith(_PUBLIC[:5]) else None


def _noted(found: Iterator[Found], *, is_bundled: bool) -> Iterator[Found]:
    for read in found:
        is_hidden = is_bundled and not read.name.startswith(_PUBLIC)
        problem = "variables without the VITE_ prefix are never put into the bundle: always undefined" if is_hidden else ""
        yield Found(read.name, read.node, read.coping, read.kind, read.is_strict, read.phase, read.aliases, problem)


def _is_written(node: Node) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == "assignment_expression" and parent.named and parent.named[0] is node:
        return True
    return parent.kind == "unary_expression" and parent.text.startswith("delete")


def _destructured(node: Node, sources: Mapping[str, _Source]) -> Iterator[Found]:
    pattern, value = node.field("name"), node.field("value")
    if pattern is None or value is None or pattern.kind != "object_pattern":
        return
    source = _source_of(value, sources)
    if source is not None:
        yield from _pattern(pattern, source)


def _nested_pattern(pattern: Node) -> Iterator[Found]:
    parent = pattern.parent
    if parent is None or key_text(parent.named[0]) != "env":
        return
    is_process = any(a.kind == "variable_declarator" and a.named[-1].text == "process" for a in parent.ancestors())
    yield from _pattern(pattern, ("env" if is_process else "binding", None, False))


def _pattern(pattern: Node, source: _Source) -> Iterator[Found]:
    for part in pattern.named:
        default: Node | None = None
        variable = part
        name = part.text
        if part.kind == "pair_pattern":
            name, variable = key_text(part.named[0]), part.named[-1]
            if variable.kind == "assignment_pattern":
                default, variable = variable.named[-1], variable.named[0]
        elif part.kind == "object_assignment_pattern":
            name, default, variable = part.named[0].text, part.named[-1], part.named[0]
        elif part.kind == "rest_pattern":
            continue
        if source[0] == "binding" and not _KEY.fullmatch(name):
            continue
        if default is not None:
            yield Found(name, part, Coping("default", default_text(default)), source[0], phase=_phase(name, source))
        else:
            yield Found(name, part, coping_of_name(variable), source[0], phase=_phase(name, source))


def _call(call: Call) -> Iterator[Found]:
    first = call.first_string()
    if call.callee in ("Deno.env.get", "Netlify.env.get"):
        yield from soft(first, call.node)
    elif (
        re.search(r"(?i)(^|\.)config(Service)?\.(get|getOrThrow|getString|getNumber)$", call.callee)
        and first is not None
        and _KEY.fullmatch(first)
    ):
        make = strict if call.name == "getOrThrow" else soft
        yield from make(first, call.node, default=call.positional(1) if call.name == "get" else None)
    elif re.fullmatch(r"(env|from\(\))\.get", call.callee) and "env-var" in call.node.source and first is not None:
        yield _env_var(call, first)
    else:
        yield from wrapped(call)
        yield from secrets_in(call)


def _env_var(call: Call, name: str) -> Found:
    chain = call.node
    for around in call.node.ancestors():
        if around.kind not in ("member_expression", "call_expression"):
            break
        chain = around
    default = re.search(r"\.default\(([^)]*)\)", chain.text)
    if default:
        return Found(name, call.node, Coping("default", default[1].strip("'\"")))
    is_required = ".required(" in chain.text
    return Found(name, call.node, Coping("required" if is_required else "optional"), is_strict=is_required, is_declared=True)


_SCHEMA = pattern(r"^(z|Joi|joi|yup|t|Type|v|s|S)\s*\.\s*\w+|^(str|num|bool|port|host|url|email|json|makeValidator)\(")


def _schema(pair: Node) -> Iterator[Found]:
    """A key of an environment schema: zod, t3-env, Joi, envalid."""
    if len(pair.named) < 2:
        return
    name, value = key_text(pair.named[0]), pair.named[-1]
    if not _KEY.fullmatch(name):
        return
    is_listed = _is_listed(pair)
    text = _declared_text(value) if is_listed and value.kind == "identifier" else value.text
    if text is None:
        yield Found(name, pair, Coping("optional"), is_declared=True)  # a schema of another file: it may allow absence
        return
    if not (is_listed or _SCHEMA.match(text)) or not (is_listed or _is_environment_schema(pair)):
        return
    default = re.search(r"""(?:\.default\(|\bdefault:\s*|\.catch\()\s*(['"]?)([^'")},]*)""", text)
    if default:
        coping = Coping("default", default[2])
    elif re.search(r"\.(optional|nullish|nullable)\(|z\.optional\(|Type\.Optional\(", text) or (
        re.match(r"(?i)joi|yup", text) and ".required(" not in text
    ):
        coping = Coping("optional")
    else:
        coping = Coping("required")
    phase: Phase | None = "build" if name.startswith(_PUBLIC[:5]) else None
    yield Found(name, pair, coping, is_strict=coping.requirement == "required", phase=phase, is_declared=True)


def _convict(pair: Node) -> Iterator[Found]:
    """`token: { format: String, default: null, env: "KEY" }`: null is what a value that must be given starts as."""
    name = string_of(pair.named[-1]) if key_text(pair.named[0]) == "env" and len(pair.named) > 1 else None
    if name is None or not _KEY.fullmatch(name) or "convict" not in pair.source or pair.parent is None:
        return
    beside = {key_text(p.named[0]): p.named[-1] for p in pair.parent.named if p.kind == "pair" and len(p.named) > 1}
    default, form = beside.get("default"), beside.get("format")
    if default is not None and default.text not in ("null", "undefined"):
        yield Found(name, pair, Coping("default", default_text(default)), is_declared=True)
    else:
        is_checked = ".validate(" in pair.source and default is not None and default.text == "null"
        is_required = is_checked and form is not None and not re.search(r"\*|null|function|=>", form.text)
        yield Found(name, pair, Coping("required" if is_required else "optional"), is_strict=is_required, is_declared=True)


def _checked_field(node: Node) -> Iterator[Found]:
    """A field of a class that `class-validator` holds the environment against."""
    named = node.field("name")
    name = named.text if named is not None else ""
    if not _KEY.fullmatch(name) or re.search(r"process\.env|Record<string", node.source) is None:
        return
    if re.search(r"plainToInstance|plainToClass", node.source) is None or "validateSync" not in node.source:
        return
    written = node.text
    value = node.field("value")
    if value is not None:
        yield Found(name, node, Coping("default", default_text(value)), is_declared=True)
    elif "@IsOptional" in _decorators(node) or re.match(rf"[^:]*\b{name}\?", written):
        yield Found(name, node, Coping("optional"), is_declared=True)
    elif "@Is" in _decorators(node):
        yield Found(name, node, Coping("required"), is_strict=True, is_declared=True)


def _decorators(node: Node) -> str:
    """The text of the decorators of a field, which stand in it or before it."""
    found = [c.text for c in node.children if c.kind == "decorator"]
    siblings = node.parent.named if node.parent is not None else []
    at = next((i for i, s in enumerate(siblings) if s is node), 0)
    for before in reversed(siblings[:at]):
        if before.kind != "decorator":
            break
        found.append(before.text)
    return " ".join(found)


def _is_listed(pair: Node) -> bool:
    """Whether the pair stands in the `server`, `client` or `shared` part of t3-env's createEnv."""
    holder = pair.parent.parent if pair.parent is not None else None
    if holder is None or holder.kind != "pair" or key_text(holder.named[0]) not in ("server", "client", "shared"):
        return False
    return any((call := call_of(around)) is not None and call.name == "createEnv" for around in holder.ancestors())


def _declared_text(value: Node) -> str | None:
    match = re.search(rf"(?:const|let|var)\s+{re.escape(value.text)}\b[^=]{{0,300}}=([^;]{{0,2000}});?", value.source)
    return match[1].strip() if match else None


def _is_environment_schema(pair: Node) -> bool:
    for around in pair.ancestors():
        call = call_of(around)
        if call is not None and re.search(r"(?i)createEnv|cleanEnv|defineConfig|validateEnv|envSchema|makeEnv", call.callee):
            return True
        if around.kind == "pair" and key_text(around.named[0]) in ("server", "client", "shared", "env", "validationSchema"):
            return True
        if around.kind == "variable_declarator" and re.search(r"(?i)env|config|settings|secrets", around.named[0].text):
            return True
    return re.search(r"(parse|validate)\w*\(\s*process\.env|plainToInstance\(\w+,\s*process\.env", pair.source) is not None


def _imported(node: Node) -> Iterator[Found]:
    """SvelteKit: `import { KEY } from "$env/static/private"` fails the build when the variable is missing."""
    source = re.search(r"""["']\$env/(static)/(?:private|public)["']""", node.text)
    if source is None:
        return
    for name in node.find("import_specifier"):
        yield from strict(name.named[0].text, name, phase="build")
