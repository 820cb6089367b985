"""Environment and secret reads of Java and Kotlin: System.getenv, Spring, MicroProfile; and Spring's placeholders in configuration."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.guards import Coping
from heuristics.code.reads_found import Found, secrets_in, soft, strict, wrapped
from heuristics.code.syntax import Node
from heuristics.code.views import Call, calls_in, string_of

PLACEHOLDER = pattern(r"\$\{([A-Za-z_][\w.\-\[\]]*)(?:(:)([^{}]*))?\}")


def reads_jvm(root: Node) -> Iterator[Found]:
    """Every read in a Java or Kotlin file."""
    for call in calls_in(root):
        yield from _call(call)
    for node in root.find("index_expression", "indexing_expression"):
        if re.match(r"System\.getenv\(\)|environment", node.text) and len(node.named) > 1:
            names = [text for found in node.named[-1].walk() if (text := string_of(found))]
            yield from soft(names[0] if names else None, node)


def _call(call: Call) -> Iterator[Found]:
    first = call.first_string()
    default = call.positional(1)
    if (
        call.callee == "System.getenv"
        or re.search(r"(?i)dotenv(\(\))?\.get$", call.callee)
        or re.fullmatch(r"System\.getenv\(\)\.(get|getOrDefault)", call.callee)
    ):
        yield from soft(first, call.node, default=default)
    elif call.node.kind in ("annotation", "constructor_invocation") and call.name == "Value":
        value = call.positional(0) or call.argument("value")
        text = string_of(value, holes=True) if value is not None else None
        yield from placeholders((text or "").replace("\\$", "$") or (value.text if value is not None else ""), call.node)
    elif call.node.kind in ("annotation", "constructor_invocation") and call.name in ("ConfigProperty", "Property"):
        name = call.argument("name")
        text = string_of(name) if name is not None else first
        if text:
            found = call.argument("defaultValue")
            coping = Coping("default", string_of(found)) if found is not None else Coping("required")
            yield Found(text, call.node, coping, is_strict=found is None, aliases=spellings(text))
    elif re.search(r"(?i)env(ironment)?\.(getRequiredProperty|getProperty)$", call.callee) and first:
        make = strict if call.name == "getRequiredProperty" else soft
        for found in make(first, call.node, default=default if call.name == "getProperty" else None):
            yield Found(found.name, found.node, found.coping, is_strict=found.is_strict, aliases=spellings(first))
    elif call.node.kind in ("annotation", "constructor_invocation") and call.name == "ConfigurationProperties":
        prefix = call.argument("prefix") or call.argument("value") or call.positional(0)
        yield from _bound(call.node, string_of(prefix) or "" if prefix is not None else "")
    else:
        yield from wrapped(call)
        yield from secrets_in(call)


_CHECKED = pattern(
    r"@Not(?:Blank|Null|Empty)(?:\([^()]{0,200}\))?\s+(?:@\w+(?:\([^()]{0,200}\))?\s+)*(?:private\s+|final\s+)*[\w<>.]+\s+(\w+)\s*([,;)=])"
)
_NOT_NULL = pattern(r"\bva[lr]\s+(\w+)\s*:\s*(?:String|Int|Long|Boolean|Double|URI|URL|Duration)\b(\?)?\s*(=)?")


def _bound(annotation: Node, prefix: str) -> Iterator[Found]:
    """The properties that a validated class, or a constructor that takes no null, must be bound to."""
    holder = next((a for a in annotation.ancestors() if a.kind in ("class_declaration", "record_declaration")), None)
    if holder is None or holder.end - holder.start > 50_000:
        return
    is_kotlin = "class " in holder.text[:2_000] and re.search(r"\bva[lr]\s", holder.text) is not None
    if is_kotlin:
        parameters = holder.child("primary_constructor")
        at, text = (parameters.start, parameters.text) if parameters is not None else (holder.start, "")
        names = [(m[1], at + m.start(1)) for m in _NOT_NULL.finditer(text) if not m[2] and not m[3]]
    else:
        is_checked = "@Validated" in holder.text
        names = [(m[1], holder.start + m.start(1)) for m in _CHECKED.finditer(holder.text) if is_checked and m[2] != "="]
    for name, start in names[:60]:
        kebab = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
        key = f"{prefix}.{kebab}" if prefix else kebab
        node = next((n for n in holder.walk() if n.start == start), annotation)
        aliases = (*spellings(key), f"{prefix}.{name}" if prefix else name)
        yield Found(
            key, node, Coping("required"), is_strict=True, aliases=tuple(a for a in aliases if a != key), is_declared=True
        )


def placeholders(text: str, node: Node) -> Iterator[Found]:
    """The `${name}` and `${name:default}` of one text."""
    for match in PLACEHOLDER.finditer(text):
        if match[1].startswith(("project.", "random.", "java.", "user.", "os.")):
            continue
        coping = Coping("default", match[3]) if match[2] else Coping("required")
        yield Found(match[1], node, coping, is_strict=not match[2], aliases=spellings(match[1]))


def spellings(name: str) -> tuple[str, ...]:
    """Spring's relaxed binding: `pay.key` may come from PAY_KEY."""
    environment = re.sub(r"[^A-Za-z0-9_]", "_", name.replace("-", "")).upper()
    return tuple(sorted({environment, name.replace("-", "_").replace(".", "_").upper()} - {name}))
