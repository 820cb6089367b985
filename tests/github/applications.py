"""The API and the web of the loopback GitHub as ASGI applications, made once a process; each request brings the hub it is for."""

from functools import cache

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from tests.github import routes_apps, routes_checks, routes_comments, routes_pulls, routes_repositories, routes_web
from tests.github.authority import Refusal
from tests.github.git_http import ADDRESS, serve_git
from tests.github.hub import Hub

ROUTERS = (
    routes_apps.router,
    routes_pulls.router,
    routes_checks.router,
    routes_comments.router,
    routes_web.api,
    routes_repositories.router,
)


@cache
def api() -> FastAPI:
    made = _application()
    for router in ROUTERS:
        made.include_router(router)
    return made


@cache
def web() -> FastAPI:
    made = _application()
    made.include_router(routes_web.web)
    made.add_api_route("/{rest:path}", _git, methods=["GET", "POST"])
    return made


def _application() -> FastAPI:
    made = FastAPI(openapi_url=None)
    made.add_exception_handler(Refusal, _refused)
    made.add_exception_handler(404, _missing)
    return made


async def _git(request: Request) -> Response:
    if (match := ADDRESS.fullmatch(request.url.path)) is None:
        return Response("Not Found", 404, media_type="text/plain")
    return await serve_git(request, request.scope["hub"], match["owner"], match["name"], match["what"])


async def _refused(request: Request, refused: Exception) -> Response:
    """A refusal; of a renamed repository the way to its new address."""
    assert isinstance(refused, Refusal)
    hub: Hub = request.scope["hub"]
    parts = request.url.path.split("/")
    if refused.status == 404 and parts[1] == "repos" and len(parts) > 3:
        moved = hub.world.former_names.get(f"{parts[2]}/{parts[3]}".lower())
        if moved and hub.world.repository(parts[2], parts[3]) is None:
            target = "/".join([hub.world.api_url, "repositories", str(moved), *parts[4:]])
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(target + query, 301 if request.method == "GET" else 307)
    return JSONResponse(refused.body(), refused.status, headers=refused.headers)


async def _missing(request: Request, error: Exception) -> Response:
    return JSONResponse(Refusal(404, "Not Found").body(), 404)
