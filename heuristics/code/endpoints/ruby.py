"""Routes of Rails, Sinatra and Grape."""

import re
from collections.abc import Iterator

from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, joined
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, string_of

_RESOURCES = {
    "index": ("GET", ""),
    "create": ("POST", ""),
    "new": ("GET", "/new"),
    "show": ("GET", "/:id"),
    "edit": ("GET", "/:id/edit"),
    "update": ("PATCH", "/:id"),
    "destroy": ("DELETE", "/:id"),
}
_RESOURCE = {
    "show": ("GET", ""),
    "create": ("POST", ""),
    "new": ("GET", "/new"),
    "edit": ("GET", "/edit"),
    "update": ("PATCH", ""),
    "destroy": ("DELETE", ""),
}


def routes_ruby(root: Node, path: str) -> LocalRoutes:
    """What a Ruby file says about routes: a Rails routes file, or a Sinatra or Grape class."""
    found = LocalRoutes()
    if re.search(r"(^|/)config/routes(/.*|\.rb$)|(^|/)routes\.rb$", path) or "routes.draw" in root.source:
        api_only = "api_only" in root.source
        found.routes += _rails(root, api_only=api_only)
    elif re.search(r"Sinatra|Grape::API|Roda|Hanami", root.source):
        found.routes += _sinatra(root)
    return found


def _rails(root: Node, *, api_only: bool) -> Iterator[LocalRoute]:
    concerns: dict[str, Node] = {}
    pending: list[tuple[Node, str, bool, str]] = [(root, "", False, "")]
    while pending:
        node, prefix, conditional, member = pending.pop()
        call = call_of(node) if node.kind == "call" else None
        block = node.child("do_block", "block")
        if call is None or call.callee.rpartition(".")[0] not in ("", "map"):
            conditional = conditional or node.kind in ("if", "if_modifier", "unless", "unless_modifier")
            pending.extend((child, prefix, conditional, member) for child in reversed(node.children))
            continue
        inner_prefix, inner_member = prefix, member
        if call.name in (
            "namespace",
            "scope",
            "controller",
            "constraints",
            "defaults",
            "authenticate",
            "authenticated",
            "member",
            "collection",
            "concern",
            "shallow",
            "direct",
        ):
            if call.name == "concern":
                concerns[call.first_string() or ""] = node
                continue
            inner_prefix = _scoped(call, prefix, member)
            inner_member = "" if call.name in ("member", "collection") else member
            if call.name == "collection":
                inner_prefix = prefix
        elif call.name in ("resources", "resource"):
            for name in [n for a in call.arguments if a.name is None and (n := string_of(a.value))]:
                whole = joined(prefix + member, _option(call, "path") or name)
                yield from _resourceful(call, whole, conditional, api_only=api_only)
                below = "/:id" if call.name == "resources" else ""
                shared = (
                    concerns[name].child("do_block", "block") for name in _listed(call.argument("concerns")) if name in concerns
                )
                pending.extend((body, whole, conditional, below) for body in shared if body is not None)
                if block is not None:
                    pending.append((block, whole, conditional, f"/:{name.rstrip('s')}_id" if call.name == "resources" else ""))
            continue
        elif call.name in (*VERBS, "match", "root", "mount"):
            yield from _single(call, prefix, member, conditional)
            continue
        if block is not None:
            pending.append((block, inner_prefix, conditional, inner_member))
        elif call.name != "get":
            pending.extend((a.value, prefix, conditional, member) for a in call.arguments)


def _scoped(call: Call, prefix: str, member: str) -> str:
    if call.name == "member":
        return prefix + "/:id"
    if call.name in ("namespace", "scope"):
        first = call.positional(0)
        path = _option(call, "path")
        name = string_of(first, holes=True) if first is not None else None
        return joined(prefix + member, path if path is not None else name or "") if (path or name) else prefix + member
    return prefix


def _option(call: Call, name: str) -> str | None:
    value = call.argument(name)
    return string_of(value, holes=True) if value is not None else None


def _listed(node: Node | None) -> list[str]:
    if node is None:
        return []
    if node.text.startswith("%i") or node.text.startswith("%w"):
        return re.findall(r"\w+", node.text[2:])
    return [text for part in node.walk() if (text := string_of(part))]


def _resourceful(call: Call, whole: str, conditional: bool, *, api_only: bool) -> Iterator[LocalRoute]:
    table = _RESOURCES if call.name == "resources" else _RESOURCE
    only, excluded = call.argument("only"), _listed(call.argument("except"))
    wanted = _listed(only) if only is not None else [name for name in table if name not in excluded]
    for name in wanted:
        if name in table and not (api_only and name in ("new", "edit")):
            method, suffix = table[name]
            for verb in ("PATCH", "PUT") if name == "update" else (method,):
                yield LocalRoute("", verb, whole + suffix, call.line, "rails", name, conditional)


def _single(call: Call, prefix: str, member: str, conditional: bool) -> Iterator[LocalRoute]:
    if call.name == "root":
        yield LocalRoute("", "GET", prefix or "/", call.line, "rails", "", conditional)
        return
    first = call.arguments[0] if call.arguments else None
    path = None if first is None else first.name or string_of(first.value, holes=True)
    if call.name == "mount":
        at = _option(call, "at") or (path if path and path.startswith("/") else None)
        if at:
            yield LocalRoute("", "ANY", joined(prefix, at) + "/*rest", call.line, "rails", "", conditional)
        return
    if path is None:
        return
    on = _option(call, "on")
    whole = joined(prefix + ("/:id" if on == "member" else "" if on == "collection" else member), path.replace("(.:format)", ""))
    methods = [m.upper() for m in _listed(call.argument("via"))] if call.name == "match" else [VERBS[call.name]]
    for method in methods or ["ANY"]:
        shown = "ANY" if method in ("ALL", "") else method
        yield LocalRoute(
            "",
            shown,
            re.sub(r"\(([^)]*)\)", "", whole),
            call.line,
            "rails",
            _option(call, "to") or "",
            conditional,
            "redirect(" in call.node.text,
        )


def _sinatra(root: Node) -> Iterator[LocalRoute]:
    pending: list[tuple[Node, str]] = [(root, "")]
    while pending:
        node, prefix = pending.pop()
        call = call_of(node) if node.kind == "call" else None
        if call is not None and call.callee in (
            "namespace",
            "resource",
            "resources",
            "group",
            "segment",
            "prefix",
            "route_param",
        ):
            name = call.first_string() or ""
            prefix = joined(prefix, f":{name}" if call.callee == "route_param" else name)
        elif call is not None and call.callee in VERBS and node.child("do_block", "block") is not None:
            paths = [text for a in call.arguments if a.name is None and (text := string_of(a.value, holes=True)) is not None] or [
                ""
            ]
            for path in paths:
                yield LocalRoute(
                    "", VERBS[call.callee], joined(prefix, path), call.line, "sinatra", is_redirect="redirect" in node.text
                )
            continue
        pending.extend((child, prefix) for child in reversed(node.children))
