"""The dashboard as one application: pages, sign-in, style sheet, and a page for what is not there."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.entrypoints.web.dashboard.access import Access
from bot.entrypoints.web.dashboard.evaluation_routes import evaluation_routes
from bot.entrypoints.web.dashboard.figure_routes import figure_routes
from bot.entrypoints.web.dashboard.parts import Parts, not_there
from bot.entrypoints.web.dashboard.rendering import SHEET, Templates
from bot.entrypoints.web.dashboard.session import Sessions
from bot.entrypoints.web.dashboard.signing import signing_routes
from bot.github.app import GitHubApp
from bot.github.sign_in import SignIn
from bot.server_settings import ServerSettings
from bot.storage.app_dashboard import Dashboard
from bot.storage.app_sessions import EndedSessions
from bot.storage.app_store import AppStore

log = logging.getLogger("gonogo.web")

_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_A_DAY = {"Cache-Control": "public, max-age=86400"}


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


def dashboard_app(
    settings: ServerSettings, *, engine: sa.Engine, github: GitHubApp, clock: Callable[[], datetime] = utc_now
) -> FastAPI:
    """All pages under `/`."""
    sessions = Sessions(settings.session_key, is_https=settings.public_url.startswith("https://"))
    parts = Parts(
        public_url=settings.public_url,
        web_url=settings.github_url,
        store=AppStore(engine),
        dashboard=Dashboard(engine),
        access=Access(github, clock=clock),
        sessions=sessions,
        ended=EndedSessions(engine),
        templates=Templates(clock=clock, form_token=sessions.form_token),
        sign_in=_sign_in(settings),
        clock=clock,
    )

    async def sheet(request: Request) -> Response:
        return FileResponse(SHEET, media_type="text/css", headers=_FOREVER if request.query_params.get("v") else _A_DAY)

    async def icon(_: Request) -> Response:
        return FileResponse(SHEET.with_suffix(".svg"), media_type="image/svg+xml", headers=_A_DAY)

    async def robots(_: Request) -> Response:
        return PlainTextResponse("User-agent: *\nDisallow: /\n")

    async def missing(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code != 404:
            return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)
        try:
            viewer = await parts.viewer(request)
        except SQLAlchemyError as database_error:
            return await unavailable(request, database_error)
        return not_there(parts, request, viewer)

    async def unavailable(request: Request, error: Exception) -> Response:
        log.error("database not reached", extra={"why": type(error).__name__})
        told: dict[str, Any] = {"title": "Not now", "says": "The database does not answer. Try again in a minute.", "link": None}
        return parts.templates.page(request, "message", viewer=None, status=503, **told)

    app = FastAPI(
        title="gonogo",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        exception_handlers={HTTPException: missing, SQLAlchemyError: unavailable},
    )
    app.router.routes += [
        *evaluation_routes(parts),
        *figure_routes(parts),
        *signing_routes(parts),
        Route("/static/gonogo.css", sheet),
        Route("/static/gonogo.svg", icon),
        Route("/robots.txt", robots),
    ]
    return app


def _sign_in(settings: ServerSettings) -> SignIn | None:
    if settings.github_client_id is None or settings.github_client_secret is None:
        return None
    return SignIn(
        client_id=settings.github_client_id,
        client_secret=settings.github_client_secret.get_secret_value(),
        api_url=settings.github_api_url,
        web_url=settings.github_url,
    )
