"""Which routes run a line of code, followed from the line through its callers to the handlers."""

import re
from dataclasses import field
from typing import Protocol

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code import Route, language_of, routes
from heuristics.code.syntax import parse
from heuristics.code.views import calls_in
from heuristics.code.word_sets import words
from heuristics.hot.spots import Spot, function_at, uses

_DEPTH_LIMIT = 5
_VISITS_LIMIT = 60
_ENTRIES = words(
    "handler lambda_handler main fetch perform handle consume process on_message onMessage run scheduled queue execute "
    "processMessage process_message"
)
_HEALTH = pattern(
    r"(?i)/(-/)?(health|healthz|ready|readyz|readiness|live|livez|liveness|ping|metrics|status|version|favicon\S*|robots\.txt)$"
)


class _Sides(Protocol):
    @property
    def head(self) -> SourceTree: ...


class Reach(Record):
    """The routes whose requests run a line. `is_every_request`: a middleware or the entry of a function runs it."""

    routes: tuple[Route, ...] = ()
    is_every_request: bool = False

    @property
    def label(self) -> str:
        """The routes in words."""
        if self.is_every_request:
            return "every request"
        shown = [f"{r.method} {r.path}" if r.method != "ANY" else r.path for r in self.routes[:3]]
        return ", ".join(shown) + (" …" if len(self.routes) > 3 else "")


class _Walk(Record, frozen=False):
    tree: SourceTree
    every: tuple[Route, ...]
    found: dict[tuple[str, str], Route] = field(default_factory=dict[tuple[str, str], Route])
    is_every_request: bool = False
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


def reach_of(context: _Sides, file: str, line: int, *, name: str = "") -> Reach:
    """The routes that run a line at head; with `name`, those that use a constant of that name defined there."""
    tree = context.head
    walk = _Walk(tree, served_routes(tree))
    pending: list[tuple[str, int, str, int]] = [(file, line, name, 0)]
    while pending and len(walk.seen) < _VISITS_LIMIT:
        at, number, symbol, depth = pending.pop(0)
        spot = function_at(tree, at, number)
        if not symbol and _answers_here(walk, at, number, spot):
            continue
        wanted = symbol or (spot.name if spot is not None else "")
        if not wanted or (at, wanted) in walk.seen or depth > _DEPTH_LIMIT:
            continue
        walk.seen.add((at, wanted))
        scope = spot.scope if spot is not None and not symbol else ""
        for user, place in uses(tree, at, wanted, scope):
            if not _registers(walk, user, place, wanted):
                pending.append((user, place, "", depth + 1))
    return Reach(tuple(walk.found.values()), walk.is_every_request)


def served_routes(tree: SourceTree) -> tuple[Route, ...]:
    """The routes of a tree that requests of users come by."""
    return tuple(r for r in routes(tree) if not r.is_redirect and not _HEALTH.search(r.path))


def _registers(walk: _Walk, file: str, line: int, handler: str) -> bool:
    """Note the routes that a line gives this handler to; true when there are any."""
    mine = [r for r in walk.every if r.file == file and _last(r.handler) == handler and _spans(walk.tree, r, line)]
    walk.found.update({(r.method, r.path): r for r in mine})
    return bool(mine)


def _spans(tree: SourceTree, route: Route, line: int) -> bool:
    start, end = declaration_of(tree, route)
    return start <= line <= end


def _answers_here(walk: _Walk, file: str, line: int, spot: Spot | None) -> bool:
    """Note the routes that the line or its function answers; true when there are any."""
    mine = [r for r in walk.every if _answers(walk.tree, r, file, line, spot)]
    walk.found.update({(r.method, r.path): r for r in mine})
    if mine:
        return True
    if _is_middleware(walk.tree, file, line):
        walk.is_every_request = True
        walk.found.update({(r.method, r.path): r for r in walk.every if r.file == file})
        return True
    is_entry = spot is not None and spot.name in _ENTRIES and not _is_timed(walk.tree, file, spot)
    if is_entry and not any(r.file == file for r in walk.every):
        walk.is_every_request = True
        return True
    return False


def _is_timed(tree: SourceTree, file: str, spot: Spot) -> bool:
    """Whether the clock calls a function: `@Scheduled` and its kin above it."""
    above = (tree.text(file) or "").split("\n")[max(0, spot.start - 4) : spot.start]
    return (
        re.search(r"@(?:Scheduled|Cron|Schedule|Schedules|Interval|periodic_task|TimerTrigger)\b", "\n".join(above)[:2000])
        is not None
    )


def _answers(tree: SourceTree, route: Route, file: str, line: int, spot: Spot | None) -> bool:
    if route.file == file:
        if spot is None or not (spot.start <= route.line <= spot.end):
            start, end = declaration_of(tree, route)
            if start <= line <= end:
                return True
        if spot is not None:
            above = spot.start - 5 <= route.line <= spot.start
            inside = spot.start <= route.line <= min(spot.end, spot.start + 5) and language_of(file) in (
                "java",
                "kotlin",
                "csharp",
                "php",
            )
            return _last(route.handler) == spot.name or ((above or inside) and not route.handler)
        return False
    return spot is not None and _last(route.handler) == spot.name and _is_controller(route, spot)


def _last(handler: str) -> str:
    return re.split(r"[#.:@]+", handler)[-1]


def _is_controller(route: Route, spot: Spot) -> bool:
    """Rails and its kin: `AuditsController.index` answers a path with the segment `audits`."""
    owner = re.sub(
        r"_?controller$", "", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spot.scope.rpartition(".")[0].rpartition(".")[2]).lower()
    )
    named = (
        re.split(r"[#@]", route.handler)[0].rpartition("/")[2].lower().removesuffix("controller")
        if re.search(r"[#@]", route.handler)
        else ""
    )
    return bool(owner) and (named == owner or owner in route.path.lower().replace("-", "_").split("/"))


def declaration_of(tree: SourceTree, route: Route) -> tuple[int, int]:
    """The lines of the call that declares a route, its inline handler included."""
    language = language_of(route.file)
    root = parse(tree.text(route.file) or "", language) if language else None
    if root is None:
        return route.line, route.line
    ends = [c.node.end_line for c in calls_in(root) if c.line == route.line and len(c.arguments) > 1]
    return route.line, max(ends, default=route.line)


def _is_middleware(tree: SourceTree, file: str, line: int) -> bool:
    lines = (tree.text(file) or "").split("\n")
    written = lines[line - 1][:500] if line <= len(lines) else ""
    return re.search(
        r"\.(?:use|addHook|before_request|before_action|middleware|Use|UseMiddleware|add_middleware)\s*\(|^\s*before_action\b|@\w+\.(?:before_request|middleware)", written
    ) is not None  # fmt: skip
