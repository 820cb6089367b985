"""The routes of a tree, what a change does to them, and who calls them."""

from heuristics.code.endpoints.callers import ClientCall, client_calls, request_path, route_callers
from heuristics.code.endpoints.compare import (
    Narrowed,
    Rerouted,
    added_routes,
    conditional_routes,
    narrowed_routes,
    redirected_routes,
    removed_routes,
    rerouted_routes,
)
from heuristics.code.endpoints.extract import RouteSet, route_set, routes
from heuristics.code.endpoints.route import Route, Wanted, covers

__all__ = [
    "ClientCall",
    "Narrowed",
    "Rerouted",
    "Route",
    "RouteSet",
    "Wanted",
    "added_routes",
    "client_calls",
    "conditional_routes",
    "covers",
    "narrowed_routes",
    "redirected_routes",
    "removed_routes",
    "request_path",
    "rerouted_routes",
    "route_callers",
    "route_set",
    "routes",
]
