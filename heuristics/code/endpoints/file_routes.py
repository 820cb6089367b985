"""Routes without a router: files whose names are paths (Next.js, SvelteKit, Nuxt), and handlers that compare the path themselves."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.endpoints.route import VERBS, LocalRoute
from heuristics.code.syntax import Node
from heuristics.code.views import calls_in, is_function, string_of


def routes_of_file(root: Node, path: str) -> Iterator[LocalRoute]:
    """Frameworks whose file names are routes."""
    next_app = (
        re.search(r"(?:^|/)app/(.*?)(?:^|/)?(route|page)\.[jt]sx?$", "/" + path)
        if re.search(r"(^|/)(src/)?app/(.*/)?(route|page)\.[jt]sx?$", path)
        else None
    )
    if next_app:
        folder = re.sub(r"(^|/)(\([^)]*\)|@\w+)(?=/|$)", "", next_app[1].strip("/"))
        if next_app[2] == "page":
            yield LocalRoute("", "GET", folder, 1, "nextjs")
        else:
            for name, line in _exports(root):
                yield LocalRoute("", name, folder, line, "nextjs", name)
        return
    pages = re.search(r"(?:^|/)pages/(api/.*)\.[jt]sx?$", path)
    if pages:
        text = root.source
        methods = sorted(
            {
                m.upper()
                for m in re.findall(r"""method\s*={2,3}\s*["'](\w+)["']|case\s+["'](GET|POST|PUT|PATCH|DELETE)["']""", text)
                for m in m
                if m
            }
        ) or ["ANY"]
        for method in methods:
            yield LocalRoute("", method, re.sub(r"(^|/)index$", "", pages[1]), 1, "nextjs")
    svelte = re.search(r"(?:^|/)src/routes/(.*?)/?\+(server|page)(\.server)?\.[jt]s$", path)
    if svelte and svelte[2] == "server":
        for name, line in _exports(root):
            yield LocalRoute("", name, re.sub(r"(^|/)\([^)]*\)", "", svelte[1]), line, "sveltekit", name)
    nuxt = re.search(r"(?:^|/)server/((?:api|routes)/.*?)(?:\.(get|post|put|patch|delete))?\.[jt]s$", path)
    if nuxt and re.search(r"\w*[eE]ventHandler\(", root.source):
        yield LocalRoute("", VERBS.get(nuxt[2] or "", "ANY"), re.sub(r"^routes/|(^|/)index$", "", nuxt[1]), 1, "nuxt")


def _exports(root: Node) -> Iterator[tuple[str, int]]:
    for node in root.find("export_statement"):
        for name in re.findall(
            r"\b(?:function\s+|const\s+|let\s+|,\s*|\{\s*|as\s+)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", node.text[:600]
        ):
            yield name, node.line


def compared_paths(root: Node) -> Iterator[LocalRoute]:
    """`url.pathname === "/orders" && req.method === "POST"`, `startsWith`, and `switch (url.pathname)`."""
    if "pathname" not in root.source or ".url" not in root.source or "Response" not in root.source:
        return  # only what answers requests routes by them
    for node in root.find("binary_expression"):
        parts = node.named
        if (
            len(parts) == 2
            and any(c.kind in ("===", "==") for c in node.children)
            and parts[0].text.endswith("pathname")
            and (text := string_of(parts[1]))
        ):
            yield LocalRoute("", _method_around(node), text, node.line, "worker")
    for call in calls_in(root):
        if call.callee.endswith("pathname.startsWith") and (text := call.first_string()) and text.startswith("/"):
            yield LocalRoute("", _method_around(call.node), text + "*", call.line, "worker")
    for node in root.find("switch_case"):
        around = node.inside("switch_statement")
        if (
            around is not None
            and re.match(r"\(\s*[\w.]*pathname\s*\)", (around.field("value") or around).text)
            and node.named
            and (text := string_of(node.named[0]))
        ):
            yield LocalRoute("", _method_in(node.text) or "ANY", text, node.line, "worker")


_PATHNAME = pattern(r"(?:^|\.)(pathname|path)$")


def _method_around(node: Node) -> str:
    for around in node.ancestors():
        if around.kind == "if_statement":
            condition = around.field("condition")
            method = _method_in(condition.text) if condition is not None else None
            if method:
                return method
        if is_function(around):
            break
    return "ANY"


def _method_in(text: str) -> str | None:
    match = re.search(r"""method\s*={2,3}\s*["'](\w+)["']""", text)
    return match[1].upper() if match else None
