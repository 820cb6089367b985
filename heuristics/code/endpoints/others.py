"""Routes of Laravel, Symfony, ASP.NET, axum, actix and Phoenix."""

import re
from collections.abc import Iterator

from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, Mount, Wanted, joined
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, calls_in, string_of

_API = {
    "index": ("GET", ""),
    "store": ("POST", ""),
    "show": ("GET", "/{id}"),
    "update": ("PUT PATCH", "/{id}"),
    "destroy": ("DELETE", "/{id}"),
}
_WEB = {**_API, "create": ("GET", "/create"), "edit": ("GET", "/{id}/edit")}


def routes_php(root: Node, path: str) -> LocalRoutes:
    """What a PHP file says about routes."""
    found = LocalRoutes()
    base = "/api" if path.endswith("routes/api.php") else ""
    for call in calls_in(root):
        match = re.match(r"Route::|\$(app|router|r|group|this->(app|router))->", call.callee)
        if match:
            found.routes += _laravel(call, base)
    found.routes += _symfony(root)
    return found


def _laravel(call: Call, base: str) -> Iterator[LocalRoute]:
    name = call.name
    if name not in (*VERBS, "any", "match", "resource", "apiResource", "apiResources", "resources", "redirect", "view", "map"):
        return
    prefix, guards = _laravel_prefix(call.node, base)
    first = call.first_string()
    if name in ("resource", "apiResource") and first is not None:
        table = _API if name == "apiResource" else _WEB
        only, excluded = _chained_list(call.node, "only"), _chained_list(call.node, "except")
        path = re.sub(r"\.(?=\w)", "/{id}/", first)
        for action in [a for a in table if (only is None or a in only) and a not in (excluded or ())]:
            for method in table[action][0].split():
                yield LocalRoute("", method, joined(prefix, path) + table[action][1], call.line, "laravel", action, wants=guards)
        return
    methods = ["ANY"] if name == "any" else ["GET"] if name in ("redirect", "view") else [VERBS.get(name, "")]
    path = first
    if name in ("match", "map"):
        listed, second = call.positional(0), call.positional(1)
        methods = [m.upper() for part in (listed.walk() if listed is not None else ()) if (m := string_of(part))]
        path = string_of(second, holes=True) if second is not None else None
    if path is not None:
        handler = call.positional(1)
        for method in methods:
            shown = handler.text if handler is not None and len(handler.text) < 120 else ""
            yield LocalRoute(
                "",
                method,
                re.sub(r"/\{(\w+)\?\}", "", joined(prefix, path)),
                call.line,
                "laravel",
                shown,
                wants=guards,
                is_redirect=name == "redirect",
            )


def _laravel_prefix(node: Node, base: str) -> tuple[str, tuple[Wanted, ...]]:
    """The prefixes and guards of the groups around, and of the chain before it."""
    prefixes: list[str] = []
    guards: list[Wanted] = []
    for around in (node, *node.ancestors()):
        call = call_of(around)
        if call is None or (around is not node and call.name != "group"):
            continue
        chain = around.text[:400] if around is node else re.split(r"group\s*\(", around.text, maxsplit=1)[0]
        prefixes += (
            re.findall(r"""(?:->|::)prefix\(\s*['"]([^'"]*)['"]""", chain)[::-1]
            if around is not node
            else re.findall(r"""::prefix\(\s*['"]([^'"]*)['"]""", chain)
        )
        if call.name == "group":
            first = call.positional(0)
            if first is not None and "prefix" in first.text[:300]:
                prefixes += re.findall(r"""['"]prefix['"]\s*=>\s*['"]([^'"]*)['"]""", first.text[:300])
            elif first is not None and (text := string_of(first)) is not None:
                prefixes.append(text)
        if re.search(r"""middleware\([^)]*auth|['"]middleware['"]\s*=>[^\]]*auth""", chain):
            guards.append(Wanted("auth", "auth", line=around.line))
    whole = base
    for prefix in reversed(prefixes):
        whole = joined(whole, prefix)
    return whole, tuple(guards)


def _chained_list(node: Node, name: str) -> list[str] | None:
    for around in node.ancestors():
        call = call_of(around)
        if call is None:
            return None
        if call.name == name:
            return [text for a in call.arguments for part in a.value.walk() if (text := string_of(part))]
    return None


def _symfony(root: Node) -> Iterator[LocalRoute]:
    for node in root.find("method_declaration", "function_definition"):
        owner = node.inside("class_declaration")
        prefix = next((text for text, _, _ in _route_attributes(owner)), "") if owner is not None else ""
        for text, methods, line in _route_attributes(node):
            name = node.field("name")
            for method in methods or ["ANY"]:
                yield LocalRoute("", method, joined(prefix, text), line, "symfony", name.text if name is not None else "")


def _route_attributes(node: Node) -> Iterator[tuple[str, list[str], int]]:
    for part in node.children:
        if part.kind != "attribute_list":
            continue
        for match in re.finditer(r"""#\[Route\(\s*(?:path:\s*)?['"]([^'"]*)['"]([^\]]*(?:\[[^\]]*\])?[^\]]*)\]""", part.text):
            yield match[1], re.findall(r"""['"](GET|POST|PUT|PATCH|DELETE)['"]""", match[2]), part.line


_HTTP_ATTRIBUTES = {f"Http{verb.capitalize()}": verb for verb in VERBS.values()}


def routes_csharp(root: Node) -> LocalRoutes:
    """Attribute routes of controllers, and minimal APIs."""
    found = LocalRoutes()
    for node in root.find("class_declaration"):
        found.routes += _controller(node)
    for call in calls_in(root):
        receiver, _, name = call.callee.rpartition(".")
        match = re.fullmatch(r"Map(Get|Post|Put|Patch|Delete|Group|Methods)", name)
        first = call.first_string()
        if match is None or first is None:
            continue
        if match[1] == "Group":
            target = call.node.inside("variable_declarator")
            found.mounts.append(Mount(receiver, first, target.named[0].text if target is not None else "", ""))
        else:
            methods = (
                [VERBS[match[1].lower()]]
                if match[1] != "Methods"
                else [m.upper() for a in call.arguments[1:2] for p in a.value.walk() if (m := string_of(p))]
            )
            found.routes += [
                LocalRoute(re.sub(r"\(\).*", "", receiver), method, first, call.line, "aspnet") for method in methods
            ]
    return found


def _controller(node: Node) -> Iterator[LocalRoute]:
    name = (node.field("name") or node).text.removesuffix("Controller")
    marks = _attributes(node)
    base = next((call.first_string() for call in marks if call.name == "Route"), None)
    if (
        base is None
        and not any(call.name == "ApiController" for call in marks)
        and not any(call.name in _HTTP_ATTRIBUTES for call in calls_in(node))
    ):
        return
    for method in node.find("method_declaration"):
        own = _attributes(method)
        route = next((call.first_string() for call in own if call.name == "Route"), None)
        action = (method.field("name") or method).text
        guards = tuple(Wanted("auth", call.node.text, line=call.line) for call in (*own, *marks) if call.name == "Authorize")
        for call in own:
            verb = _HTTP_ATTRIBUTES.get(call.name)
            if verb is None:
                continue
            path = call.first_string() or route or ""
            whole = path if path.startswith(("/", "~/")) else joined(base or "", path)
            whole = whole.removeprefix("~").replace("[controller]", name.lower()).replace("[action]", action.lower())
            yield LocalRoute("", verb, whole, call.line, "aspnet", action, wants=guards)


def _attributes(node: Node) -> list[Call]:
    return [
        call
        for part in node.children
        if part.kind == "attribute_list"
        for inner in part.named
        if (call := call_of(inner)) is not None
    ]


def routes_rust(root: Node) -> LocalRoutes:
    """Axum's `.route` and `.nest`, and attribute routes of actix and rocket."""
    found = LocalRoutes()
    for call in calls_in(root):
        if call.name == "route" and (path := call.first_string()) is not None and call.positional(1) is not None:
            handlers = call.positional(1)
            verbs = re.findall(r"\b(get|post|put|patch|delete|head|options|any)\(", handlers.text if handlers is not None else "")
            found.routes += [
                LocalRoute(_rust_router(call.node), VERBS.get(verb, "ANY"), path, call.node.named[0].end_line, "axum")
                for verb in verbs
            ]
        elif call.name == "nest" and (path := call.first_string()) is not None:
            child = call.positional(1)
            name = re.sub(r"\(.*", "", child.text, flags=re.DOTALL) if child is not None else ""
            found.mounts.append(Mount(_rust_router(call.node), path, f"fn:{name.rsplit('::', 1)[-1]}", "*"))
    for node in root.find("attribute_item"):
        match = re.match(r"""#\[(?:\w+::)?(get|post|put|patch|delete|head|options)\(\s*"([^"]*)\"""", node.text)
        if match:
            found.routes.append(LocalRoute("", VERBS[match[1]], match[2].split("?")[0], node.line, "rust"))
    return found


def _rust_router(node: Node) -> str:
    around = node.inside("function_item")
    name = around.field("name") if around is not None else None
    return f"fn:{name.text}" if name is not None else ""


def routes_elixir(root: Node) -> LocalRoutes:
    """A Phoenix router."""
    found = LocalRoutes()
    if "Router" not in root.source and ":router" not in root.source:
        return found
    pending: list[tuple[Node, str]] = [(root, "")]
    while pending:
        node, prefix = pending.pop()
        call = call_of(node)
        if call is not None and call.callee == "scope":
            prefix = joined(prefix, call.first_string() or "")
        elif call is not None and call.callee in VERBS and (path := call.first_string()) is not None:
            found.routes.append(LocalRoute("", VERBS[call.callee], joined(prefix, path), call.line, "phoenix"))
        elif call is not None and call.callee == "resources" and (path := call.first_string()) is not None:
            only, excluded = call.argument("only"), call.argument("except")
            for action, (methods, suffix) in {
                **_WEB,
                "new": ("GET", "/new"),
                "delete": ("DELETE", "/{id}"),
                "create": ("POST", ""),
            }.items():
                is_known = action not in ("store", "destroy")
                if (
                    is_known
                    and (only is None or f":{action}" in only.text)
                    and (excluded is None or f":{action}" not in excluded.text)
                ):
                    found.routes += [
                        LocalRoute("", method, joined(prefix, path) + suffix, call.line, "phoenix", action)
                        for method in methods.split()
                    ]
            prefix = joined(prefix, path) + "/{id}"
        pending.extend((child, prefix) for child in reversed(node.children))
    return found
