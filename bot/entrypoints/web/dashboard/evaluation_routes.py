"""The list of evaluations and the page of one."""

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.entrypoints.web.dashboard.evaluation_page import evaluation_of, page_of
from bot.entrypoints.web.dashboard.parts import NotThere, Parts, signed_in
from bot.entrypoints.web.dashboard.session import Viewer
from bot.entrypoints.web.dashboard.words import OUTCOMES
from bot.storage.app_dashboard_rows import Listed, Wanted
from bot.storage.app_rows import EvaluationFilter, EvaluationState, Outcome

PAGE = 30
MAX_EARLIER = 50

_OUTCOMES = tuple((o.value, "go, nothing to reach" if o is Outcome.NOTHING else OUTCOMES[o.value]) for o in Outcome)
_STATES = tuple((s.value, {"concluded": "concluded"}.get(s.value) or OUTCOMES[s.value]) for s in EvaluationState)


def evaluation_routes(parts: Parts) -> list[Route]:
    """`/`, `/evaluations/{id}` and `/evaluations/{id}/report.json`."""

    async def home(request: Request) -> Response:
        if await parts.viewer(request) is None:
            return parts.templates.page(request, "landing", can_sign_in=parts.sign_in is not None)
        return await signed_in(parts, listing)(request)

    async def listing(request: Request, viewer: Viewer) -> Response:
        asked = {name: request.query_params.get(name, "")[:200] for name in ("repository", "outcome", "state", "text")}
        after = _after(request.query_params.get("after", ""))
        repositories, chosen = await parts.readable(viewer, repository=asked["repository"])
        wanted = Wanted(
            repository_ids=tuple(r.id for r in chosen.repositories),
            outcomes=tuple(o for o in Outcome if o.value == asked["outcome"]) or None,
            states=tuple(s for s in EvaluationState if s.value == asked["state"]) or None,
            text=asked["text"],
            after=after,
            limit=PAGE + 1,
        )
        found = await parts.stored(parts.dashboard.listed, wanted)
        shown, told = found[:PAGE], {name: value for name, value in asked.items() if value}
        last = shown[-1].evaluation if len(found) > PAGE else None
        return parts.templates.page(
            request,
            "evaluations",
            viewer=viewer,
            asked=asked,
            listed=shown,
            repositories=repositories,
            unanswered=chosen.unanswered,
            outcomes=_OUTCOMES,
            states=_STATES,
            is_filtered=bool(told),
            is_later_page=after is not None,
            first_page=f"/?{urlencode(told)}" if told else "/",
            next_page=f"/?{urlencode({**told, 'after': f'{last.created_at.isoformat()}_{last.id}'})}" if last else "",
        )

    async def one(request: Request, viewer: Viewer) -> Response:
        listed = await _may_see(request, viewer)
        row = listed.evaluation
        documents = await parts.stored(parts.store.documents, row.id)
        earlier, taken = [row], []
        if row.pull_request_id is not None:
            which = EvaluationFilter(pull_request_id=row.pull_request_id, repository_ids=(row.repository_id,), limit=MAX_EARLIER)
            earlier = await parts.stored(parts.store.evaluations_of, which)
            taken = await parts.stored(parts.store.acknowledgements, row.pull_request_id, with_expired=True)

        def drawn() -> Response:
            told = page_of(
                listed,
                evaluation_of(documents),
                acknowledgements=[t for t in taken if t.evaluation_id == row.id or t.expired_at is None],
                earlier=earlier,
                web_url=parts.web_url,
            )
            has_report = documents.report is not None
            return parts.templates.page(request, "evaluation", viewer=viewer, has_report=has_report, **_with_defaults(told))

        return await asyncio.to_thread(drawn)  # some documents take a while, and webhooks must not wait for them

    async def report(request: Request, viewer: Viewer) -> Response:
        listed = await _may_see(request, viewer)
        documents = await parts.stored(parts.store.documents, listed.evaluation.id)
        if documents.report is None:
            raise NotThere
        name = f"gonogo-{listed.name}-{listed.evaluation.head_sha[:8]}.json"
        safe = "".join(c if c.isascii() and (c.isalnum() or c in "-._") else "-" for c in name)
        headers = {"Content-Disposition": f'attachment; filename="{safe}"'}
        return Response(documents.report, media_type="application/json", headers=headers)

    async def _may_see(request: Request, viewer: Viewer) -> Listed:
        listed = await parts.stored(parts.dashboard.one, request.path_params["id"])
        repository = await parts.stored(parts.store.repository, listed.evaluation.repository_id) if listed else None
        readable = await parts.access.readable(viewer.login, [repository] if repository else [])
        if listed is None or not readable.repositories:
            raise NotThere
        return listed

    return [
        Route("/", home),
        Route("/evaluations/{id}", signed_in(parts, one)),
        Route("/evaluations/{id}/report.json", signed_in(parts, report)),
    ]


def _with_defaults(told: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"risks": [], "refuted": [], "live": [], "forecasts": [], "signals": [], "stages": []}
    return {**empty, "slice": None, "slice_picture": "", "stages_s": 0.0, **told}


def _after(text: str) -> tuple[datetime, str] | None:
    """`created_at_id` of the last one of the page before; anything else is the first page."""
    at, _, last = text.partition("_")
    with contextlib.suppress(ValueError, OverflowError):
        then = datetime.fromisoformat(at)
        if last and then.tzinfo is not None:
            return then.astimezone(UTC), last
    return None
