"""What a change takes from the surface, adds to it and narrows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gonogo.resource import Place
from heuristics.code import (
    Creation,
    Read,
    Route,
    added_routes,
    conditional_routes,
    redirected_routes,
    removed_routes,
    rerouted_routes,
)
from heuristics.code.endpoints.route import methods_of
from heuristics.rule import RuleContext
from heuristics.surface.endpoints import removed_endpoints
from heuristics.surface.inputs import narrowed_endpoints
from heuristics.surface.listing import Surface

_STRICTNESS = {"default": 0, "optional": 1, "required": 2}


@dataclass(frozen=True, slots=True)
class NarrowedRoute:
    """A route that asks more of its callers, gives them less, or answers them otherwise."""

    route: Route
    place: Place
    how: str
    where: str = ""
    name: str = ""
    old_type: str = ""
    new_type: str = ""


@dataclass(frozen=True, slots=True)
class NarrowedRead:
    """A name that copes less with absence than it did."""

    read: Read
    was: Literal["required", "optional", "default"]


@dataclass(frozen=True, slots=True)
class NarrowedCreation:
    """A name that is given in fewer places than it was, or may come out empty."""

    creation: Creation
    how: str


@dataclass(frozen=True, slots=True)
class SurfaceChange:
    """Removed places are on the base side, all others on the head side."""

    removed: Surface
    added: Surface
    narrowed_routes: tuple[NarrowedRoute, ...]
    narrowed_reads: tuple[NarrowedRead, ...]
    narrowed_creates: tuple[NarrowedCreation, ...]


def compared(context: RuleContext, before: Surface, after: Surface) -> SurfaceChange:
    """Routes by what answers them, names by kind and name."""
    gone = _whole(removed_routes(context.base, context.head), before.routes)
    of_manifests = tuple(e.route for e in removed_endpoints(context) if not any(e.route.path == r.path for r in gone))
    return SurfaceChange(
        removed=Surface((*gone, *of_manifests), _reads_only_in(before, after), _creates_only_in(before, after)),
        added=Surface(
            _whole(added_routes(context.base, context.head), after.routes),
            _reads_only_in(after, before),
            _creates_only_in(after, before),
        ),
        narrowed_routes=tuple(_narrowed_routes(context)),
        narrowed_reads=tuple(_narrowed_reads(before.reads, after.reads)),
        narrowed_creates=tuple(_narrowed_creates(before.creates, after.creates)),
    )


def _whole(gone: Sequence[Route], every: Sequence[Route]) -> tuple[Route, ...]:
    """One row for a route that goes with all its methods, else one for each method that goes."""
    left = {(route.method, route.path) for route in gone}
    found: list[Route] = []
    for route in every:
        methods = methods_of(route.method)
        going = [m for m in methods if (m, route.path) in left]
        found += [route] if len(going) == len(methods) else [replace(route, method=m) for m in going]
    return tuple(dict.fromkeys(found))


def _reads_only_in(side: Surface, other: Surface) -> tuple[Read, ...]:
    there = {(r.kind, r.name) for r in other.reads}
    return tuple(r for r in side.reads if (r.kind, r.name) not in there)


def _creates_only_in(side: Surface, other: Surface) -> tuple[Creation, ...]:
    there = {(c.kind, c.name) for c in other.creates}
    return tuple(c for c in side.creates if (c.kind, c.name) not in there)


def _narrowed_routes(context: RuleContext) -> Iterator[NarrowedRoute]:
    for one in narrowed_endpoints(context):
        narrowed = one.narrowed
        yield NarrowedRoute(
            narrowed.route,
            one.place,
            narrowed.how,
            where=narrowed.place,
            name=narrowed.name,
            old_type=narrowed.old_type,
            new_type=narrowed.new_type,
        )
    for route in conditional_routes(context.base, context.head):
        yield NarrowedRoute(route, _place(route), "behind a condition")
    for route in redirected_routes(context.base, context.head):
        yield NarrowedRoute(route, _place(route), "points elsewhere")
    for pair in rerouted_routes(context.base, context.head):
        yield NarrowedRoute(pair.base, _place(pair.head), "another handler answers", name=pair.head.handler)


def _place(route: Route) -> Place:
    return Place(file=route.file, line=route.line)


def _narrowed_reads(before: Sequence[Read], after: Sequence[Read]) -> Iterator[NarrowedRead]:
    was = _strictest(before)
    for key, read in _strictest(after).items():
        old = was.get(key)
        if old is not None and _STRICTNESS[read.requirement] > _STRICTNESS[old.requirement]:
            yield NarrowedRead(read, old.requirement)


def _strictest(reads: Sequence[Read]) -> dict[tuple[str, str], Read]:
    found: dict[tuple[str, str], Read] = {}
    for read in reads:
        kept = found.get((read.kind, read.name))
        if kept is None or _STRICTNESS[read.requirement] > _STRICTNESS[kept.requirement]:
            found[read.kind, read.name] = read
    return found


def _narrowed_creates(before: Sequence[Creation], after: Sequence[Creation]) -> Iterator[NarrowedCreation]:
    for key in dict.fromkeys((c.kind, c.name) for c in after):
        old = [c for c in before if (c.kind, c.name) == key]
        new = [c for c in after if (c.kind, c.name) == key]
        if not old:
            continue
        gone = {(c.file, c.environment) for c in old} - {(c.file, c.environment) for c in new}
        if all(c.may_be_empty for c in new) and not all(c.may_be_empty for c in old):
            yield NarrowedCreation(new[0], "may come out empty")
        elif gone and len(new) < len(old):
            listed = ", ".join(sorted(f"{file} {environment}" if environment else file for file, environment in gone))
            yield NarrowedCreation(new[0], f"no longer given in {listed}")
