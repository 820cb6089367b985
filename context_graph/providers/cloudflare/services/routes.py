"""Routes of a zone: which requests a Worker answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from context_graph.providers.cloudflare.asking import Asking
from gonogo.pattern import pattern
from gonogo.resource import Relation

PERMISSIONS = ("Zone: Workers Routes Read",)

_WHOLE_HOST = pattern(r"(?:https?://)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:/\*)?")


def collect(ask: Asking, zone: str, routes: Iterable[Mapping[str, Any]]) -> None:
    """Every route of one zone; one without a Worker is there to let requests pass by it."""
    for route in routes:
        with ask.detail(f"route {route.get('pattern')}"):
            at, matched = ask.at("workers_route", str(route["id"])), str(route["pattern"])
            script = route.get("script")
            ask.resource(at, "cloudflare.workers_route", matched, {"pattern": matched, "script": script})
            ask.edge(ask.at("zone", zone), at, Relation.ROUTES_TO, f"route {matched}")
            if isinstance(script, str) and script:
                ask.edge(at, ask.at("worker", script), Relation.ROUTES_TO, f"route {matched}")


def all_of_host(matched: str) -> str:
    """The host of a pattern that takes all of its requests; empty when it takes only some, or those of many hosts."""
    found = _WHOLE_HOST.fullmatch(matched.lower())
    return found[1] if found else ""
