"""Routes of scripts: what routers of Express, Fastify, Koa and Hono are told, beside what decorators and file names say."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.endpoints.file_routes import compared_paths, routes_of_file
from heuristics.code.endpoints.nest import body_class, controller_routes
from heuristics.code.endpoints.python import is_conditional
from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, Model, Mount, Wanted
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, calls_in, is_function, key_text, string_of

_ROUTER_NAME = pattern(
    r"(?i)^(this\.)?(app|router|server|fastify|instance|api|web|routes?|r|v\d+|\w*router|\w*app|\w*routes|\w*server|hono|koa)$"
)
_MAKES_APP = pattern(r"^(express|fastify|Fastify|Koa|restify\.createServer|new Hono|Hono|OpenAPIHono|Elysia|polka|App)$")
_MAKES_ROUTER = pattern(r"(^|\.)(Router|KoaRouter|AutoRouter|IttyRouter)$")
_CLIENTS = pattern(
    r"(?i)^(axios|http|https|client|api_?client|request|supertest|fetcher|ky|got|\$|cy|nock|scope|mock\w*|cache|redis|map|params|headers|searchparams)\b"
)


def routes_script(root: Node, path: str) -> LocalRoutes:
    """What a script says about routes."""
    found = LocalRoutes()
    found.imports = dict(_imports(root))
    _routers(root, found)
    for call in calls_in(root):
        _call(call, found)
    for node in root.find("class_declaration", "class"):
        found.routes += controller_routes(node)
        body_class(node, found)
    for node in root.find("variable_declarator"):
        _schema(node, found)
    found.routes += compared_paths(root)
    found.routes += routes_of_file(root, path)
    return found


def _imports(root: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in root.find("import_statement"):
        source = next((string_of(part) for part in node.named if part.kind == "string"), None)
        if source is None:
            continue
        for part in node.find("import_specifier"):
            yield part.named[-1].text, (source, part.named[0].text)
        clause = node.child("import_clause")
        for part in clause.named if clause is not None else []:
            if part.kind == "identifier":
                yield part.text, (source, "default")
    for node in root.find("variable_declarator"):
        parts = node.named
        call = call_of(parts[-1]) if len(parts) > 1 else None
        if call is not None and call.callee == "require" and call.first_string():
            yield parts[0].text, (call.first_string() or "", "default")


def _routers(root: Node, found: LocalRoutes) -> None:
    for node in root.find("variable_declarator"):
        parts = node.named
        value = parts[-1] if len(parts) > 1 else None
        call = _innermost(value) if value is not None else None
        if call is None:
            continue
        name = parts[0].text
        if _MAKES_ROUTER.search(call.callee):
            options = next(
                (string_of(pair.named[-1]) for pair in call.node.find("pair") if key_text(pair.named[0]) in ("prefix", "base")),
                None,
            )
            found.routers[name] = options or ""
        elif _MAKES_APP.search(call.callee):
            base = re.search(r"""\.basePath\(\s*["'`]([^"'`]*)""", value.text[:400] if value is not None else "")
            found.routers[name] = base[1] if base else ""
            if not re.search(r"Hono", call.callee):
                found.apps.add(name)


def _innermost(node: Node) -> Call | None:
    """The call at the start of a chain: `new Hono().get(...)` → `Hono`."""
    call = call_of(node)
    for _ in range(30):
        if call is None or not node.named:
            return call
        first = node.named[0]
        if first.kind == "member_expression" and first.named and (inner := call_of(first.named[0])) is not None:
            node, call = first.named[0], inner
        else:
            return call
    return call


def router_of(node: Node, name: str, found: LocalRoutes) -> str:
    """The key of a router: its name, or the function whose parameter it is."""
    if name in found.routers or name in found.apps:
        return name
    for around in node.ancestors():
        if not is_function(around):
            continue
        parameters = around.field("parameters") or around.field("parameter")
        if parameters is None or not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", parameters.text[:300]):
            continue
        declared = around.field("name")
        parent = around.parent
        if declared is None and parent is not None and parent.kind == "variable_declarator":
            declared = parent.named[0]
        if declared is not None:
            return f"fn:{declared.text}"
        return "fn:default" if parent is not None and re.match(r"export\s+default|module\.exports", parent.text[:40]) else name
    return name


def _call(call: Call, found: LocalRoutes) -> None:
    receiver, _, verb = call.callee.rpartition(".")
    base = re.sub(r"\(\).*", "", receiver)
    if verb == "setGlobalPrefix":
        found.global_prefix, found.global_prefix_of = call.first_string() or "", "nestjs"
        return
    if not receiver or _CLIENTS.match(receiver):
        return
    is_router = base in found.routers or base in found.apps or _ROUTER_NAME.match(base) is not None or _chained_from_router(call)
    if not is_router:
        return
    if "(" in receiver and not _chained_from_router(call) and not re.search(r"\.route\(\)", receiver):
        chained = re.sub(r"\.(get|post|put|patch|delete|use|all|options|head|route|on|basePath|openapi)\(\)", "", receiver)
        if "(" in chained:
            return
    router = router_of(call.node, base, found) if not _chained_from_router(call) else _declared_name(call.node) or base
    if verb in VERBS or verb in ("all", "any", "del"):
        _verb(call, verb, receiver, router, found)
    elif verb == "on":
        methods, path = call.positional(0), call.positional(1)
        if methods is not None and path is not None and (text := string_of(path, holes=True)):
            for method in [m for part in methods.walk() if (m := string_of(part))]:
                found.routes.append(_route(call, router, method.upper(), text, call.positional(2)))
    elif verb == "route" and call.arguments:
        _route_option(call, router, found)
    elif verb in ("use", "register", "mount", "basePath"):
        _mount(call, router, found)


def _chained_from_router(call: Call) -> bool:
    first = _innermost(call.node)
    return (
        first is not None
        and first.node is not call.node
        and (_MAKES_APP.search(first.callee) is not None or _MAKES_ROUTER.search(first.callee) is not None)
    )


def _declared_name(node: Node) -> str | None:
    around = node.inside("variable_declarator")
    return around.named[0].text if around is not None else None


def _verb(call: Call, verb: str, receiver: str, router: str, found: LocalRoutes) -> None:
    first = call.positional(0)
    text = string_of(first, holes=True) if first is not None else None
    method = {"all": "ANY", "any": "ANY", "del": "DELETE"}.get(verb) or VERBS[verb]
    if ".route()" in receiver + "()" and "route()" in receiver:
        outer = _route_call(call.node)
        if outer is not None and (path := outer.first_string()) is not None:
            found.routes.append(_route(call, router, method, path, call.positional(0)))
        return
    if first is not None and first.kind == "array":
        paths = [p for part in first.named if (p := string_of(part, holes=True))]
    else:
        paths = [text] if text is not None else []
    handler = call.arguments[-1].value if len(call.arguments) > 1 else None
    if handler is None or (handler.kind == "object" and not re.search(r"handler\s*[:(]", handler.text)):
        return
    for path in paths:
        if path.startswith(("/", "*", ":", "{}/")) or path == "":
            found.routes.append(_route(call, router, method, path.removeprefix("{}"), handler))


def _route_call(node: Node) -> Call | None:
    for _ in range(100):
        first = node.named[0] if node.named else None
        inner = first.named[0] if first is not None and first.kind == "member_expression" and first.named else None
        call = call_of(inner) if inner is not None else None
        if call is None or inner is None:
            return None
        if call.name == "route":
            return call
        node = inner
    return None


def _route(call: Call, router: str, method: str, path: str, handler: Node | None) -> LocalRoute:
    text = handler.text if handler is not None and len(handler.text) < 4_000 else ""
    is_named = re.fullmatch(r"[\w.]+", text) is not None
    guards = [
        a.value
        for a in call.arguments[1:-1]
        if re.search(r"(?i)auth|jwt|session|permission|guard|requireUser|verify", a.value.text[:200])
    ]
    schemas = re.findall(
        r"""z?[vV]alidat\w*\(\s*["'](?:json|form|body)["']\s*,\s*(\w+)|validate(?:Body|Request)?\(\s*(\w+)""",
        call.node.text[:2_000],
    )
    return LocalRoute(
        router=router,
        method=method,
        path=path,
        line=call.node.named[0].end_line if call.node.named else call.line,
        framework="express",
        handler=text if is_named else "",
        conditional=is_conditional(call.node),
        is_redirect=re.search(r"\.redirect\(|status\(\s*(410|30\d)", text) is not None,
        wants=tuple(Wanted("auth", guard.text[:60], line=guard.line) for guard in guards),
        models=tuple(("body", a or b) for a, b in schemas),
    )


def _route_option(call: Call, router: str, found: LocalRoutes) -> None:
    """`fastify.route({ method, url })` is a route; `app.route("/x", sub)` mounts."""
    first = call.positional(0)
    if first is not None and first.kind == "object":
        options = {key_text(pair.named[0]): pair.named[-1] for pair in first.named if pair.kind == "pair"}
        url, methods = options.get("url") or options.get("path"), options.get("method")
        text = string_of(url, holes=True) if url is not None else None
        if text is not None and methods is not None:
            for method in [m for part in methods.walk() if (m := string_of(part))]:
                found.routes.append(_route(call, router, method.upper(), text, options.get("handler")))
        return
    if call.positional(1) is not None:
        _mount(call, router, found)


def _mount(call: Call, router: str, found: LocalRoutes) -> None:
    prefix = call.first_string() or ""
    for pair in call.node.find("pair"):
        if key_text(pair.named[0]) == "prefix" and call.name == "register":
            prefix = string_of(pair.named[-1], holes=True) or prefix
    candidates = [a.value for a in call.arguments if string_of(a.value) is None]
    candidates = candidates[:1] if call.name == "register" else candidates[-1:]
    for child in candidates:
        inner = call_of(child)
        text = child.text
        if inner is not None and inner.callee in ("require", "import") and inner.first_string():
            found.mounts.append(Mount(router, prefix, "default", inner.first_string() or "", is_conditional(call.node)))
            continue
        if inner is not None and re.search(r"\.routes\(\)$", text.strip()):
            text = text.split(".routes")[0]
        if not re.fullmatch(r"[\w.]+", text):
            continue
        first, _, rest = text.partition(".")
        if first in found.imports:
            module, name = found.imports[first]
            found.mounts.append(Mount(router, prefix, rest or name, module, is_conditional(call.node)))
        elif first in found.routers or call.name == "register":
            found.mounts.append(
                Mount(router, prefix, text if first in found.routers else f"fn:{text}", "", is_conditional(call.node))
            )
        elif prefix and _ROUTER_NAME.match(first):
            found.mounts.append(Mount(router, prefix, first, "", is_conditional(call.node)))


def _schema(node: Node, found: LocalRoutes) -> None:
    """`const Body = z.object({ ... })`."""
    parts = node.named
    call = call_of(parts[-1]) if len(parts) > 1 else None
    if call is None or call.callee not in ("z.object", "z.strictObject", "Type.Object", "v.object", "yup.object", "Joi.object"):
        return
    first = call.positional(0)
    fields: dict[str, Wanted] = {}
    for pair in first.named if first is not None else []:
        if pair.kind == "pair":
            field, text = key_text(pair.named[0]), pair.named[-1].text
            is_optional = re.search(r"optional\(|Optional\(|\.default\(|nullish\(|\.catch\(", text) is not None
            fields[field] = Wanted("body", field, re.sub(r"\s+", "", text), not is_optional, pair.line)
    found.models[parts[0].text] = Model(parts[0].text, "", node.line, fields)
