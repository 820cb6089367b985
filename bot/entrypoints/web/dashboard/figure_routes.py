"""The pages of figures: prevented incidents, calibration, overrides, cost and time, benchmarks."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.entrypoints.web.dashboard.charts import Column, Span, columns, spans
from bot.entrypoints.web.dashboard.figures import by_week, calibration, override_rates, percentile, spent
from bot.entrypoints.web.dashboard.parts import Parts, signed_in
from bot.entrypoints.web.dashboard.session import Viewer
from bot.storage.app_dashboard_rows import Spending
from gonogo.record import Record

PERIODS = (30, 90, 365)
"""Days."""


class Asked(Record):
    """What the form above the figures says."""

    repository: str
    days: int


class Scope(Record):
    """Of which repositories, from when to when."""

    repository_ids: tuple[int, ...]
    since: datetime
    until: datetime


def figure_routes(parts: Parts) -> list[Route]:
    """One route a page."""

    async def scoped(request: Request, viewer: Viewer) -> tuple[Scope, dict[str, Any]]:
        days = request.query_params.get("days", "")
        asked = Asked(
            request.query_params.get("repository", "")[:200],
            int(days) if days in {str(p) for p in PERIODS} else PERIODS[1],
        )
        repositories, chosen = await parts.readable(viewer, repository=asked.repository)
        now = parts.clock()
        scope = Scope(tuple(r.id for r in chosen.repositories), now - timedelta(days=asked.days), now)
        return scope, {"asked": asked, "repositories": repositories, "unanswered": chosen.unanswered, "viewer": viewer}

    async def prevented(request: Request, viewer: Viewer) -> Response:
        scope, told = await scoped(request, viewer)
        rows = await parts.stored(parts.store.prevented, repository_ids=scope.repository_ids, since=scope.since)
        names = {r.id: f"{r.owner}/{r.name}" for r in told["repositories"]}
        weeks = by_week(((r.merged_at, r) for r in rows), since=scope.since, until=scope.until)
        return parts.templates.page(
            request,
            "prevented",
            prevented=[{"row": r, "repository": names.get(r.repository_id, told["asked"].repository)} for r in rows],
            weeks=weeks,
            chart=columns(
                [Column(_week(week), len(found)) for week, found in weeks],
                says=f"Prevented incidents by week: {len(rows)} in {told['asked'].days} days, "
                f"at most {max((len(found) for _, found in weeks), default=0)} in one week.",
            ),
            **told,
        )

    async def calibrated(request: Request, viewer: Viewer) -> Response:
        scope, told = await scoped(request, viewer)
        merged = await parts.stored(parts.dashboard.merged, scope.repository_ids, since=scope.since)
        return parts.templates.page(
            request, "calibration", found=calibration(merged), merged=[m for m in merged if m.was_right is not None][:50], **told
        )

    async def overridden(request: Request, viewer: Viewer) -> Response:
        scope, told = await scoped(request, viewer)
        overrides = await parts.stored(parts.dashboard.overrides, scope.repository_ids, since=scope.since)
        blocked = await parts.stored(parts.dashboard.blocked, scope.repository_ids, since=scope.since)
        return parts.templates.page(request, "overrides", overrides=overrides, rates=override_rates(blocked), **told)

    async def spending(request: Request, viewer: Viewer) -> Response:
        scope, told = await scoped(request, viewer)
        rows = await parts.stored(parts.dashboard.spending, scope.repository_ids, since=scope.since)
        weeks = by_week(((r.concluded_at, r) for r in rows), since=scope.since, until=scope.until)
        return parts.templates.page(
            request,
            "spending",
            found=spent(rows),
            time_chart=spans(_times(weeks), unit="s", says="Seconds from the event to the verdict, by week: p50 and p99."),
            cost_chart=columns(
                [Column(_week(week), round(sum(r.cost for r in found), 2)) for week, found in weeks],
                says=f"Dollars paid to models by week: {sum(r.cost for r in rows):.2f} in all.",
            ),
            **told,
        )

    async def benchmarks(request: Request, viewer: Viewer) -> Response:
        return parts.templates.page(request, "benchmarks", viewer=viewer)

    pages = {
        "/prevented": prevented,
        "/calibration": calibrated,
        "/overrides": overridden,
        "/spending": spending,
        "/benchmarks": benchmarks,
    }
    return [Route(path, signed_in(parts, page)) for path, page in pages.items()]


def _times(weeks: Sequence[tuple[date, Sequence[Spending]]]) -> list[Span]:
    found: list[Span] = []
    for week, rows in weeks:
        seconds = [r.took.total_seconds() for r in rows]
        found.append(Span(_week(week), percentile(seconds, 0.5) or 0.0, percentile(seconds, 0.99) or 0.0))
    return found


def _week(monday: date) -> str:
    return f"{monday:%d %b}".lstrip("0")
