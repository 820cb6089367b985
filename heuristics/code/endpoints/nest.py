"""Routes that decorators of a class declare (NestJS and its kin), and the classes whose fields are a request's body."""

import re
from collections.abc import Iterator

from heuristics.code.endpoints.route import LocalRoute, LocalRoutes, Model, Wanted
from heuristics.code.syntax import Node
from heuristics.code.views import Call, calls_in, key_text, string_of


def controller_routes(node: Node) -> Iterator[LocalRoute]:
    """A NestJS controller (or one of its kin with the same decorators)."""
    owner = node.parent if node.parent is not None and node.parent.kind == "export_statement" else node
    around = [part for part in (*owner.children, *node.children) if part.kind == "decorator"]
    call = next(
        (c for part in around for c in calls_in(part) if c.name in ("Controller", "JsonController", "RestController")), None
    )
    body = node.field("body")
    if call is None or body is None:
        return
    bases, version = _paths_of(call), _option(call, "version")
    pending: list[Call] = []
    for member in body.children:
        if member.kind == "decorator":
            pending += [c for c in calls_in(member) if c.node.parent is member]
            continue
        if member.kind != "method_definition":
            continue
        guarded = [c for c in pending if re.search(r"(?i)guard|auth|roles|permission", c.name)]
        own = next((c.first_string() for c in pending if c.name == "Version"), None) or version
        name = (member.field("name") or member).text
        for verb in [c for c in pending if c.name in _NEST]:
            for base in bases:
                for path in _paths_of(verb):
                    whole = "/".join(part.strip("/") for part in (f"v{own}" if own else "", base, path) if part.strip("/"))
                    wants = tuple(Wanted("auth", c.node.text[:80], line=c.line) for c in guarded)
                    models = tuple(("body", kind) for kind in re.findall(r"@Body\([^)]*\)\s*\w+\??\s*:\s*(\w+)", member.text))
                    yield LocalRoute("nest:", _NEST[verb.name], whole, verb.line, "nestjs", name, wants=wants, models=models)
        pending = []


_NEST = {
    "Get": "GET",
    "Post": "POST",
    "Put": "PUT",
    "Patch": "PATCH",
    "Delete": "DELETE",
    "All": "ANY",
    "Head": "HEAD",
    "Options": "OPTIONS",
    "Sse": "GET",
}


def _paths_of(call: Call) -> list[str]:
    first = call.positional(0)
    if first is None:
        return [""]
    if first.kind == "object":
        path = next((pair.named[-1] for pair in first.named if pair.kind == "pair" and key_text(pair.named[0]) == "path"), None)
        return [string_of(path) or ""] if path is not None else [""]
    if first.kind == "array":
        return [string_of(part) or "" for part in first.named]
    return [string_of(first, holes=True) or ""]


def _option(call: Call, key: str) -> str | None:
    first = call.positional(0)
    if first is None or first.kind != "object":
        return None
    return next(
        (string_of(pair.named[-1]) for pair in first.named if pair.kind == "pair" and key_text(pair.named[0]) == key), None
    )


def body_class(node: Node, found: LocalRoutes) -> None:
    """A class whose name says that it is what a request brings."""
    name, body = node.field("name"), node.field("body")
    if name is None or body is None or not re.search(r"(?i)(dto|input|request|body|payload|args|params|query)$", name.text):
        return
    fields: dict[str, Wanted] = {}
    pending = ""
    for member in body.children:
        if member.kind == "decorator":
            pending += member.text
        elif member.kind == "public_field_definition":
            text = pending + member.text
            kind = member.field("type")
            field = (member.field("name") or member).text
            is_optional = (
                "?" in member.text.split(":")[0]
                or re.search(r"@(IsOptional|Allow)\(|required:\s*false|=", text.split(";")[0].replace("=>", "")) is not None
            )
            fields[field] = Wanted("body", field, kind.text if kind is not None else "", not is_optional, member.line)
            pending = ""
    found.models[name.text] = Model(name.text, "", node.line, fields)
