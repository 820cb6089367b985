"""Endpoints that ask more of their callers, or give them less, and whether callers in the repository keep up."""

import re

from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import Narrowed, narrowed_routes, route_callers
from heuristics.rule import RuleContext
from heuristics.surface.endpoints import changed_paths
from heuristics.surface.gateway_auth import newly_guarded
from heuristics.surface.schemas import newly_required
from heuristics.surface.tightened import tightened_demands


class NarrowedEndpoint(Record):
    """One demand that is new, with the callers of the repository that meet it at head and those that don't."""

    narrowed: Narrowed
    place: Place
    callers: tuple[Place, ...]
    keeping_up: tuple[Place, ...]

    @property
    def label(self) -> str:
        """The endpoint."""
        route = self.narrowed.route
        return route.path if route.path.startswith(("grpc:", "graphql:")) else f"{route.method} {route.path}"

    @property
    def behind(self) -> tuple[Place, ...]:
        """Callers that don't know of the field."""
        return tuple(c for c in self.callers if c not in self.keeping_up)


def narrowed_endpoints(context: RuleContext) -> tuple[NarrowedEndpoint, ...]:
    """Every new demand on callers, one for each endpoint and field."""
    paths = changed_paths(context)
    found: list[NarrowedEndpoint] = []
    in_code = [*narrowed_routes(context.base, context.head, paths)[:100], *newly_required(context)] if paths else []
    every = dict.fromkeys([*in_code, *newly_guarded(context), *(tightened_demands(context) if paths else ())])
    seen: set[tuple[tuple[str, str], str, str]] = set()
    for narrowed in every:
        key = (narrowed.route.key, narrowed.how, narrowed.name)
        if key in seen:
            continue
        seen.add(key)
        place = narrowed.head or narrowed.base or Place(file=narrowed.route.file, line=narrowed.route.line)
        callers = tuple(c for c in route_callers(context.head, narrowed.route) if c.file not in (place.file, narrowed.route.file))
        keeping = tuple(c for c in callers if _mentions(context, c.file, narrowed.name))
        found.append(NarrowedEndpoint(narrowed, place, callers, keeping))
    return tuple(found)


def _mentions(context: RuleContext, path: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", context.head.text(path) or "") is not None
