"""What every page is made with, and how a page is reached: signed in, or not at all."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bot.entrypoints.web.dashboard.access import Access, Readable
from bot.entrypoints.web.dashboard.rendering import Templates
from bot.entrypoints.web.dashboard.session import Sessions, Viewer
from bot.github.sign_in import SignIn
from bot.storage.app_dashboard import Dashboard
from bot.storage.app_rows import RepositoryRow
from bot.storage.app_sessions import EndedSessions
from bot.storage.app_store import AppStore
from gonogo.record import Record

MAX_REPOSITORIES = 200
"""Repositories that a page over all of them looks at: those evaluated last. Any other is found by its name."""


class NotThere(Exception):
    """There is no such page, or not for this person: the answer is the same."""


class Parts(Record):
    """Collaborators of the pages. `sign_in` is None where no client of the App is configured."""

    public_url: str
    web_url: str
    store: AppStore
    dashboard: Dashboard
    access: Access
    sessions: Sessions
    ended: EndedSessions
    templates: Templates
    sign_in: SignIn | None
    clock: Callable[[], datetime]

    async def stored[**P, T](self, call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The answer of a call of the store, which blocks."""
        return await asyncio.to_thread(call, *args, **named)

    async def viewer(self, request: Request) -> Viewer | None:
        """Who is signed in; None as well for a copy of the cookie of a session that was signed out."""
        viewer = self.sessions.viewer(request)
        if viewer is None or await self.stored(self.ended.has_ended, viewer.nonce):
            return None
        return viewer

    async def readable(self, viewer: Viewer, *, repository: str) -> tuple[Sequence[RepositoryRow], Readable]:
        """Everything to choose from, and what was chosen: `owner/name`, or all; NotThere when that is not for this person."""
        listed = await self.stored(self.dashboard.repositories_evaluated, limit=MAX_REPOSITORIES)
        all_of_it = await self.access.readable(viewer.login, listed)
        if not repository:
            return all_of_it.repositories, all_of_it
        owner, _, name = repository.partition("/")
        found = await self.stored(self.store.repository_named, owner, name)
        chosen = await self.access.readable(viewer.login, [found] if found else [])
        if not chosen.repositories:
            raise NotThere
        return all_of_it.repositories, chosen


Page = Callable[[Request, Viewer], Awaitable[Response]]


def signed_in(parts: Parts, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """The page for who is signed in; everybody else is sent to sign in, whether there is such a page or not."""

    async def answer(request: Request) -> Response:
        viewer = await parts.viewer(request)
        if viewer is None:
            wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"/sign-in?{urlencode({'next': wanted})}", 303)
        try:
            return await page(request, viewer)
        except NotThere:
            return not_there(parts, request, viewer)

    return answer


def not_there(parts: Parts, request: Request, viewer: Viewer | None) -> Response:
    """404: for what is not there and for what this person may not see."""
    told: dict[str, Any] = {
        "title": "Not found",
        "says": "There is no such page here, or it belongs to a repository that you may not read on GitHub.",
        "link": ("/", "To the evaluations"),
    }
    return parts.templates.page(request, "message", viewer=viewer, status=404, **told)
