"""Who in the same repository calls a route: client code and templates whose literal path matches it."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.endpoints.route import VERBS, Route, covers, normal
from heuristics.code.paths import CODE_LANGUAGES, is_docs_path, is_example_path, is_generated_path, is_test_path, language_of
from heuristics.code.syntax import PARSED, parse
from heuristics.code.views import STRING_KINDS, Call, call_of, key_text, string_of


class ClientCall(Record):
    """A literal path that a piece of code calls. `method` is empty when the text doesn't say it."""

    method: str
    path: str
    line: int
    callee: str


def route_callers(tree: SourceTree, route: Route) -> tuple[Place, ...]:
    """The places in a tree that call this route; the declaration of the route itself is none."""
    needle = _needle(route.path)
    if needle is None:
        return ()
    found: list[Place] = []
    for path in sorted({place.file for place in tree.search([needle]).get(needle, ())}):
        if is_test_path(path) or is_example_path(path) or is_docs_path(path) or is_generated_path(path):
            continue
        for call in client_calls(path, tree.text(path) or ""):
            is_declaration = path == route.file and call.line == route.line
            if not is_declaration and _reaches(call, route):
                found.append(Place(file=path, line=call.line, side=tree.side))
    return tuple(dict.fromkeys(found))


def client_calls(path: str, text: str) -> tuple[ClientCall, ...]:
    """Every call of a file that looks like a request to a literal path."""
    language = language_of(path, text.split("\n", 1)[0]) or ""
    if language == "html" or (
        language not in CODE_LANGUAGES
        and path.endswith((".erb", ".hbs", ".ejs", ".jinja", ".j2", ".twig", ".haml", ".slim", ".cshtml"))
    ):
        return tuple(_in_template(text))
    root = parse(text, language) if language in PARSED and language in CODE_LANGUAGES else None
    if root is None:
        return ()
    found: list[ClientCall] = []
    for node in root.walk():
        if node.kind not in STRING_KINDS or (node.parent is not None and node.parent.kind in STRING_KINDS):
            continue
        call = next(
            (c for around, _ in zip(node.ancestors(), range(8), strict=False) if (c := call_of(around)) is not None), None
        )
        outer = node
        for around, _ in zip(node.ancestors(), range(20), strict=False):
            if "binary" not in around.kind and around.kind != "additive_expression":
                break
            outer = around
        whole = string_of(outer, holes=True) or string_of(node, holes=True)
        path_text = request_path(whole) if whole else None
        if path_text is not None and (call is None or not _DECLARES.search(call.callee) or _CLIENT.search(call.callee)):
            found.append(ClientCall(_method(call), path_text, node.line, call.callee if call is not None else ""))
    if "Stub(" in text or "Client(" in text or "grpc" in text:
        found += _grpc(text)
    return tuple(found)


_CLIENT = pattern(
    r"(?i)(requests|httpx|axios|fetch|http\.(get|post|newrequest)|client|session|api|got|ky|resttemplate|webclient|faraday|httparty|guzzle|\$)\b|http::"
)
_DECLARES = pattern(
    r"(?i)^(app|router|server|fastify|r|e|mux|g|v\d+|group|\w*router|\w*routes|bp|blueprint|route)\.(get|post|put|patch|delete|all|use|route|handle\w*|any|api_route|register|method\w*|head|options)$"
    r"|^(get|post|put|patch|delete|match|path|re_path|url|root|namespace|scope|resources?|Controller|Get|Post|Put|Patch|Delete|All|\w*Mapping|Path|include|Mount|Route|APIRouter|Blueprint)$"
    r"|include_router|setGlobalPrefix|HandleFunc|\.Handle$|Route::|startsWith$|Map(Get|Post|Put|Delete)$|^Http(Get|Post|Put|Delete|Patch)$|^require$|^import$|readFile|path\.join|os\.path|open$"
)


def request_path(text: str) -> str | None:
    """The path of a URL or of a text that starts like one; a leading host or base that is put in is cut off."""
    plain = re.sub(r"^\{\}(?=/)", "", text[:2_000].strip())
    plain = re.sub(r"^(https?|wss?)://[^/]+", "", plain)
    plain = plain.split("?")[0].split("#")[0]
    if not re.fullmatch(r"/[\w\-./{}:~@%$+]*", plain) or plain.startswith("//") or len(plain) < 2:
        return None
    return plain


def _method(call: Call | None) -> str:
    if call is None:
        return ""
    name = call.name.lower().removesuffix("async")
    for verb, method in VERBS.items():
        if name == verb or name.startswith((f"{verb}for", f"{verb}asjson")):
            return method
    for argument in call.arguments:
        for pair in argument.value.find("pair", "keyword_argument", "array_element_initializer"):
            if key_text(pair.named[0]).lower() == "method" and (text := string_of(pair.named[-1])):
                return text.upper()
    first = call.first_string()
    if first is not None and first.upper() in VERBS.values():
        return first.upper()
    named = re.search(r"Method(Get|Post|Put|Patch|Delete)\b", call.node.text[:200])
    if named:
        return named[1].upper()
    return "GET" if call.callee in ("fetch", "$fetch") else ""


def _reaches(call: ClientCall, route: Route) -> bool:
    if call.path.startswith("grpc:") or route.path.startswith("grpc:"):
        return call.path == route.path or (
            route.path.startswith("grpc:") and call.path == "grpc:" + route.path.rsplit("/", 1)[-1]
        )
    if call.method and route.method not in ("ANY", call.method) and not (call.method == "HEAD" and route.method == "GET"):
        return False
    path, target = normal(call.path), normal(route.path)
    shown = "/".join(segment if "{}" not in segment else "{}" for segment in path.split("/"))
    return covers(target.rstrip("/") or "/", shown) or _matches_hole(target, shown)


def _matches_hole(target: str, shown: str) -> bool:
    """A path with things put in may be the route: every fixed part agrees."""
    left, right = target.strip("/").split("/"), shown.strip("/").split("/")
    return (
        len(left) == len(right)
        and left[0] == right[0]
        and all(a in (b, "{}") or (b == "{}" and a == "{}") for a, b in zip(left, right, strict=True))
    )


def _needle(path: str) -> str | None:
    """The longest fixed word of a path: what a search of the tree can find."""
    if path.startswith(("grpc:", "graphql:")):
        return re.split(r"[./]", path)[-1]
    fixed = [
        part
        for part in re.findall(r"[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*", re.sub(r"\{[^}]*\}", " ", path))
        if not re.fullmatch(r"v?\d+|api", part)
    ]
    return max(fixed, key=len, default=None)


def _in_template(text: str) -> Iterator[ClientCall]:
    for number, line in enumerate(text.split("\n"), start=1):
        for attribute, path in re.findall(r"""(href|action|src|hx-\w+|fetch\(|url\()\s*=?\s*["'](/[^"'?#]*)""", line):
            method = attribute.removeprefix("hx-").upper() if attribute.startswith("hx-") else ""
            yield ClientCall(
                method if method in VERBS.values() else "",
                re.sub(r"<%=.*?%>|\{\{.*?\}\}|\$\{.*?\}", "{}", path),
                number,
                attribute,
            )


def _grpc(text: str) -> Iterator[ClientCall]:
    for number, line in enumerate(text.split("\n"), start=1):
        for name in re.findall(r"(?i)(?:stub|client)\w*\.(\w+)\(", line):
            yield ClientCall("", "grpc:" + name[0].upper() + name[1:], number, name)
