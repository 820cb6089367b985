"""Zones of an account: the domains that requests come in by."""

from collections.abc import Iterable, Mapping
from typing import Any

from context_graph.providers.cloudflare.asking import Asking

PERMISSIONS = ("Zone: Zone Read",)


def collect(ask: Asking, zones: Iterable[Mapping[str, Any]]) -> None:
    """Every zone that the token may see."""
    for zone in zones:
        with ask.detail(f"zone {zone.get('id')}"):
            attributes = {"status": zone.get("status"), "paused": zone.get("paused"), "type": zone.get("type")}
            ask.resource(ask.at("zone", str(zone["id"])), "cloudflare.zone", str(zone["name"]), attributes)
