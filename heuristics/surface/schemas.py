"""Validation schemas (zod, valibot, TypeBox, Joi, yup) whose new fields every request must have, tied to the routes that check with them."""

from collections.abc import Iterator, Mapping

from gonogo.pattern import pattern
from gonogo.resource import Place
from heuristics.code import Narrowed, Route, is_production_code, language_of, routes
from heuristics.code.syntax import Node, parse
from heuristics.code.views import call_of, key_text
from heuristics.rule import RuleContext

_OBJECT = pattern(r"^(z|zod|v|t|Type|s)\.(strict|loose)?[oO]bject$|^(Joi|joi|yup|Yup)\.object(\(\))?(\.(keys|shape))?$")
_MAY_LACK = pattern(r"\.(optional|default|nullish|catch|prefault)\(|\b(v|t|Type|z)\.(optional|Optional|nullish)\(")
_CHECKS = pattern(r"(?i)\b(safe)?parse(async)?\b|validat|schema\s*:|body\s*:|zvalidator|valibot|Value\.Check")
_ELSEWHERE = pattern(r"process\.env|res\.json|response\.json|\.query\b|\.params\b|JSON\.parse\(\s*(record|msg|message)")
_SCRIPTS = ("typescript", "tsx", "javascript")


def newly_required(context: RuleContext) -> Iterator[Narrowed]:
    """Fields that a schema of a request body demands at head and did not at base."""
    at_head: tuple[Route, ...] | None = None
    for file in context.changes.files:
        path, language = file.head_path, language_of(file.path) or ""
        if path is None or file.base_path is None or language not in _SCRIPTS or not file.hunks or not is_production_code(path):
            continue
        before, after = (
            _schemas(text, language) for text in (context.base.text(file.base_path) or "", context.head.text(path) or "")
        )
        for name, fields in after.items():
            old = before.get(name)
            if old is None:
                continue
            demanded = {f: line for f, (required, line) in fields.items() if required and not old.get(f, (False, 0))[0]}
            if not demanded:
                continue
            at_head = routes(context.head) if at_head is None else at_head
            for route in _checked_by(context, name, at_head):
                for one, line in demanded.items():
                    how = "now required" if one in old else "new required"
                    base = Place(file=file.base_path, line=old[one][1], side="base") if one in old else None
                    yield Narrowed(route, how, "body", one, base, Place(file=path, line=line))


def _schemas(text: str, language: str) -> Mapping[str, Mapping[str, tuple[bool, int]]]:
    """Name of a schema → its fields, each with whether a request must have it and where it stands."""
    if "bject" not in text:
        return {}
    root = parse(text, language)
    found: dict[str, dict[str, tuple[bool, int]]] = {}
    for declared in root.find("variable_declarator") if root is not None else ():
        name = declared.field("name")
        shape = _shape(declared)
        if name is not None and shape is not None:
            is_joi = shape[0].lower().startswith(("joi", "yup"))
            found[name.text] = {
                key_text(pair.named[0]): (
                    (".required(" in pair.text) if is_joi else _MAY_LACK.search(pair.named[-1].text) is None,
                    pair.line,
                )
                for pair in shape[1].named
                if pair.kind == "pair" and len(pair.named) > 1
            }
    return found


def _shape(declared: Node) -> tuple[str, Node] | None:
    for node in declared.find("call_expression"):
        call = call_of(node)
        first = call.positional(0) if call is not None and _OBJECT.match(call.callee) else None
        if call is not None and first is not None and first.kind == "object":
            return call.callee, first
    return None


def _checked_by(context: RuleContext, schema: str, at_head: tuple[Route, ...]) -> list[Route]:
    """The routes whose handler checks the body with this schema: the last route declared before the check, in the same file."""
    found: dict[tuple[str, str], Route] = {}
    for place in context.head.search([schema]).get(schema, ()):
        lines = (context.head.text(place.file) or "").split("\n")
        line = lines[place.line - 1][:600] if place.line <= len(lines) else ""
        if not is_production_code(place.file) or not _CHECKS.search(line) or _ELSEWHERE.search(line):
            continue
        own = [r for r in at_head if r.file == place.file and r.line <= place.line]
        if own:
            route = max(own, key=lambda r: r.line)
            found[route.key] = route
    return list(found.values())
