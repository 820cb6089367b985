"""The accounts that a token opens, and a collector for every part of each: an account, or a zone, fails for itself."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

from context_graph.collecting import Collected, Collector, Scope
from context_graph.providers.cloudflare.api import CloudflareApi
from context_graph.providers.cloudflare.asking import FAULTS, GLOBAL, ODD_DATA, Asking
from context_graph.providers.cloudflare.faults import said
from context_graph.providers.cloudflare.registry import SERVICES
from context_graph.providers.cloudflare.services import routes, workers, zones
from gonogo.errors import ProductionUnreachable

PROVIDER = "cloudflare"


class CloudflareCollector:
    """Implements context_graph.collecting.Collector."""

    def __init__(self, ask: Asking, collect: Callable[[Asking], None]) -> None:
        self._ask, self._collect = ask, collect

    @property
    def scope(self) -> Scope:
        """What it answers for."""
        return self._ask.scope

    def collect(self) -> Collected:
        """Read it. What Cloudflare refuses is a status; data of a shape that we do not know leaves the scope partial."""
        try:
            self._collect(self._ask)
        except (*FAULTS, *ODD_DATA) as error:
            return self._ask.collected(ended_by=error)
        return self._ask.collected()


def accounts_of(api: CloudflareApi) -> Sequence[str]:
    """Ids of the accounts that the token may see. Raises ProductionUnreachable when it sees none."""
    try:
        found = [str(account["id"]) for account in api.pages("/accounts", per_page=50)]
    except (*FAULTS, *ODD_DATA) as error:
        raise ProductionUnreachable(
            "context", f"Cloudflare: {said(error)}", "check CLOUDFLARE_API_TOKEN, or name the account: CLOUDFLARE_ACCOUNT_ID"
        ) from error
    if not found:
        raise ProductionUnreachable(
            "context", "Cloudflare: the token sees no account", "name it: CLOUDFLARE_ACCOUNT_ID"
        )  # an account's own token, or one without Account Settings Read, gets an empty list
    return found


def collectors_of(api: CloudflareApi, accounts: Sequence[str], *, now: datetime) -> Iterator[Collector]:
    """One for every part of every account, and one for the routes of each of its zones."""
    for account in dict.fromkeys(accounts):
        yield from _of_account(api, account, now)


def _of_account(api: CloudflareApi, account: str, now: datetime) -> Iterator[Collector]:
    def ask(service: str, region: str = GLOBAL) -> Asking:
        return Asking(Scope(PROVIDER, account, region, service), api, now)

    asked = ask("zones")
    with_id = [z for z in asked.pages("/zones", per_page=50, where={"account.id": account}) if isinstance(z.get("id"), str)]
    held = [_Zone(str(zone["id"]), ask("routes", str(zone.get("name") or zone["id"]))) for zone in with_id]
    are_zones_whole = asked.is_whole
    yield CloudflareCollector(asked, lambda a: zones.collect(a, with_id))
    for zone in held:
        yield CloudflareCollector(zone.ask, zone.collect)

    def routes_of() -> Sequence[Mapping[str, Any]] | None:
        read = [zone.routes() for zone in held]
        is_whole = are_zones_whole and all(one is not None for one in read)
        return [route for one in read for route in one or ()] if is_whole else None

    yield CloudflareCollector(ask("workers"), lambda a: workers.collect(a, routes_of))
    for service in SERVICES:
        yield CloudflareCollector(ask(service.name), service.collect)


class _Zone:
    """A zone whose routes are read once, for its own scope and for the Workers that they lead to."""

    def __init__(self, zone: str, ask: Asking) -> None:
        self.ask, self._zone = ask, zone
        self._read: Sequence[Mapping[str, Any]] | None = None
        self._is_whole = False
        self._once = Lock()

    def collect(self, ask: Asking) -> None:
        """Note every route."""
        self.routes()
        routes.collect(ask, self._zone, self._read or ())

    def routes(self) -> Sequence[Mapping[str, Any]] | None:
        """All routes of the zone; None when they could not be read."""
        with self._once:
            if self._read is None:
                self._read = list(self.ask.pages(f"/zones/{self._zone}/workers/routes"))
                self._is_whole = self.ask.is_whole
            return self._read if self._is_whole else None
