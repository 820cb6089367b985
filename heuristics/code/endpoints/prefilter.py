"""Which files can say anything about routes."""

from gonogo.pattern import pattern
from heuristics.code.prefilter import Look, holds_any

_SCRIPT = (
    Look(("Router(",), pattern(r"(?<![A-Za-z])(?:Koa|Auto|Itty)?Router\(")),
    Look(
        (
            "new Hono",
            "@Controller",
            "setGlobalPrefix",
            "ventHandler(",
            "new Elysia",
            "fastify(",
            "Fastify(",
            "express(",
        )
    ),
    Look(
        (".get(", ".post(", ".put(", ".patch(", ".delete(", ".all(", ".use(", ".route(", ".register(", ".basePath("),
        pattern(
            r"(?:[aA]pp|[rR]outer|[sS]erver|[fF]astify|instance|api|web|[rR]outes|hono|koa|\br|\bv\d)\s*\.(?:get|post|put|patch|delete|all|use|route|register|basePath|mount)\("
        ),
    ),
    Look(("pathname",), pattern(r"\.url\b")),
)
_VERBS = (".get(", ".post(", ".put(", ".patch(", ".delete(", ".route(", ".api_route(", ".websocket(", ".head(", ".view(")
_LOOKS: dict[str, tuple[Look, ...]] = {
    "python": (
        Look(_VERBS, pattern(r"@[\w.]+\.(?:get|post|put|patch|delete|route|api_route|websocket|head|view)\(")),
        Look(
            (
                "urlpatterns",
                "url_patterns",
                "include_router",
                "register_blueprint",
                "add_api_route",
                "add_url_rule",
                ".add_route",
                "add_resource",
                "add_routes",
                "Mount(",
                "Route(",
                "APIRouter(",
                "Blueprint(",
                "FastAPI(",
                "Flask(",
            )
        ),
        Look(("View", "Resource", "Endpoint"), pattern(r"class \w{1,80}\([^)]{0,300}(?:View|ViewSet|Resource|Endpoint)\b")),
    ),
    "go": (
        Look(("HandleFunc(", ".Handle(", "chi.", "gin.", "echo.", "mux.", "fiber.")),
        Look(('("/',), pattern(r"\.(?:GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|Any|Group|Route|Mount)\(\"")),
        Look(("Register", "Routes"), pattern(r"(?:Register|Routes)\w{0,60}\(")),
    ),
    "java": (Look(("Mapping", "@Path", "@Controller")),),
    "kotlin": (Look(("Mapping", "@Path", "@Controller", "routing", "fun Route.")),),
    "php": (
        Look(("Route::", "#[Route")),
        Look(("->get(", "->post(", "->put(", "->patch(", "->delete(", "->any(", "->map("), pattern(r"\(\s*['\"]/")),
    ),
    "csharp": (Look(("[Http", "[Route", ".Map")),),
    "rust": (Look((".route(", ".nest(")), Look(("#[",), pattern(r"#\[(?:\w+::)?(?:get|post|put|patch|delete)\("))),
    "elixir": (Look(("Router", ":router")),),
    "yaml": (Look(("openapi:", "swagger:", "Events:", "events:", "routes:", "route:")),),
    "json": (Look(('"openapi"', '"swagger"', '"Events"', '"routes"', '"route"', '"pattern"')),),
    "toml": (Look(("route",)),),
    "hcl": (Look(("route_key",)),),
    "ruby": (Look(("routes", "Sinatra", "Grape::", "Roda")),),
    "proto": (Look(("rpc",)),),
    "graphql": (Look(("type ", "interface ", "input ")),),
}
_FILE_ROUTE = pattern(r"(^|/)(app/(.*/)?(route|page)\.[jt]sx?|pages/api/.*\.[jt]sx?|src/routes/(.*/)?\+server\.[jt]s)$")


def may_route(path: str, language: str, text: str) -> bool:
    """Whether anything in the file could be a route; false is certain."""
    if language in ("typescript", "tsx", "javascript"):
        return _FILE_ROUTE.search(path) is not None or holds_any(text, _SCRIPT)
    return holds_any(text, _LOOKS.get(language, ()))
