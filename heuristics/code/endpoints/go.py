"""Routes of Go: net/http, gin, echo, chi, gorilla, fiber."""

import re

from heuristics.code.endpoints.python import is_conditional
from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, Mount
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, calls_in, is_function, string_of

_METHODS = {
    **{v: v for v in VERBS.values()},
    **{v.capitalize(): v for v in VERBS.values()},
    "Any": "ANY",
    "All": "ANY",
    "ANY": "ANY",
}


def routes_go(root: Node) -> LocalRoutes:
    """What a Go file says about routes."""
    found = LocalRoutes()
    for call in calls_in(root):
        _call(call, found)
    return found


def _call(call: Call, found: LocalRoutes) -> None:
    receiver, _, name = call.callee.rpartition(".")
    first = call.positional(0)
    text = string_of(first, holes=True) if first is not None else None
    if not receiver:
        _handed(call, found)
    elif name in ("HandleFunc", "Handle", "HandlerFunc") and text is not None:
        _handle(call, receiver, text, found)
    elif name in ("Method", "MethodFunc") and text is not None and len(call.arguments) > 2:
        path = call.positional(1)
        _add(call, receiver, text.upper(), (string_of(path, holes=True) or "") if path is not None else "", found, at=2)
    elif (
        name in _METHODS
        and text is not None
        and len(call.arguments) > 1
        and receiver != "http"
        and (text.startswith("/") or text == "")
    ):
        _add(call, receiver, _METHODS[name], text, found, at=len(call.arguments) - 1)
    elif name in ("Group", "Route", "Subrouter", "PathPrefix", "With") or name == "Mount":
        _group(call, receiver, name, text, found)
    else:
        _handed(call, found)


def _handle(call: Call, receiver: str, pattern: str, found: LocalRoutes) -> None:
    match = re.fullmatch(r"(?:([A-Z]+)\s+)?([^\s/]*)(/.*)", pattern)
    if match is None:
        return
    path = match[3]
    if (
        receiver.split(".", maxsplit=1)[0] in ("http", "mux")
        and path.endswith("/")
        and len(path) > 1
        and "gorilla" not in call.node.source
        and "{$}" not in path
    ):
        path += "*"  # a pattern that ends in a slash serves everything below it
    methods = [match[1]] if match[1] else _chained_methods(call.node) or ["ANY"]
    for method in methods:
        _add(call, receiver, method, path.replace("{$}", ""), found, at=1)


def _chained_methods(node: Node) -> list[str]:
    """gorilla: `r.HandleFunc(...).Methods("GET", "POST")`."""
    around = node.parent
    outer = (
        call_of(around.parent)
        if around is not None and around.kind == "selector_expression" and around.parent is not None
        else None
    )
    if outer is None or outer.name != "Methods":
        return []
    return [
        text.upper() if (text := string_of(a.value)) else a.value.text.replace("http.Method", "").upper() for a in outer.arguments
    ]


def _add(call: Call, receiver: str, method: str, path: str, found: LocalRoutes, *, at: int) -> None:
    handler = call.positional(at)
    text = handler.text if handler is not None else ""
    chained = re.match(r"(\w+)\.(PathPrefix|Group|Route)\(", call.node.text)
    prefix = ""
    if chained:
        inner = next((c for c in calls_in(call.node) if c.name == chained[2]), None)
        prefix = inner.first_string() or "" if inner is not None else ""
        receiver = chained[1]
    base = receiver.split("(")[0].split(".")[0] if "(" in receiver else receiver
    found.routes.append(
        LocalRoute(
            _router(call.node, base),
            method,
            prefix.rstrip("/") + path,
            call.line,
            "go",
            text if re.fullmatch(r"[\w.]+", text) else "",
            is_conditional(call.node),
            "http.Redirect" in text,
        )
    )


def _router(node: Node, name: str) -> str:
    """A router is known by the function it is a variable or parameter of."""
    for around in node.ancestors():
        if is_function(around):
            parameters = around.field("parameters")
            is_parameter = (
                parameters is not None and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", parameters.text) is not None
            )
            if around.kind == "func_literal" and is_parameter:
                return f"func:{around.start}"
            declared = around.field("name")
            if is_parameter and declared is not None:
                return f"fn:{declared.text}"
            if around.kind != "func_literal":
                return f"{declared.text if declared is not None else ''}.{name}"
    return name


def _group(call: Call, receiver: str, name: str, text: str | None, found: LocalRoutes) -> None:
    prefix = text or ""
    if name == "Subrouter":
        inner = next((c for c in calls_in(call.node) if c.name == "PathPrefix"), None)
        prefix = inner.first_string() or "" if inner is not None else ""
    base = re.split(r"[.(]", receiver)[0] if "(" in receiver else receiver
    parent = _router(call.node, base)
    literal = next((a.value for a in call.arguments if a.value.kind == "func_literal"), None)
    if literal is not None:
        found.mounts.append(Mount(parent, prefix, f"func:{literal.start}", "", is_conditional(call.node)))
        return
    if name == "Mount":
        child = call.positional(1)
        inner = call_of(child) if child is not None else None
        if inner is not None:
            found.mounts.append(Mount(parent, prefix, f"ret:{inner.name}", "*"))
        elif child is not None:
            found.mounts.append(Mount(parent, prefix, _router(call.node, child.text), ""))
        return
    target = call.node.inside("short_var_declaration", "assignment_statement", "var_spec")
    if target is not None and target.named and re.fullmatch(r"[\w.]+", target.named[0].text):
        found.mounts.append(Mount(parent, prefix, _router(call.node, target.named[0].text), "", is_conditional(call.node)))
    around = call.node.parent
    if around is not None and around.kind == "argument_list" and around.parent is not None:
        outer = call_of(around.parent)
        if outer is not None:
            found.mounts.append(Mount(parent, prefix, f"fn:{outer.name}", "*", is_conditional(call.node)))


def _handed(call: Call, found: LocalRoutes) -> None:
    """`RegisterUsers(v1)`: the routes of that function come below what it is handed."""
    for argument in call.arguments[:3]:
        if argument.value.kind == "identifier" and re.search(
            r"(?i)^(r|e|g|v\d+|api|app|mux|\w*router|\w*group|engine|rg|public|private|protected|auth\w*|admin)$",
            argument.value.text,
        ):
            found.mounts.append(
                Mount(_router(call.node, argument.value.text), "", f"fn:{call.name}", "*", is_conditional(call.node))
            )
