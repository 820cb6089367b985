"""Workers: settings, bindings, schedules, tails, and the routes and domains that lead to them."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from context_graph.providers.cloudflare.asking import Asking, chosen, listed, part
from context_graph.providers.cloudflare.faults import is_vanished
from context_graph.providers.cloudflare.services.bindings import bindings_of
from context_graph.providers.cloudflare.services.routes import all_of_host
from context_graph.providers.http_json import ApiRefused
from gonogo.resource import Relation
from gonogo.word import Json

PERMISSIONS = ("Account: Workers Scripts Read",)

RoutesOf = Callable[[], Sequence[Mapping[str, Any]] | None]
"""The routes of every zone of the account; None when one of them could not be read."""


def collect(ask: Asking, routes_of: RoutesOf) -> None:
    """Every Worker with what is set on it and what it is bound to, every custom domain."""
    patterns = _patterns(ask, routes_of)
    subdomain = _subdomain(ask)
    for script in ask.pages(f"{ask.account}/workers/scripts"):
        name = str(script.get("id"))
        with ask.detail(f"Worker {name}"):
            _worker(ask, script, None if patterns is None else patterns[name], subdomain)


def _patterns(ask: Asking, routes_of: RoutesOf) -> Mapping[str, list[str]] | None:
    """Worker → the patterns of its routes and the hosts of its domains; None when one list was not read: then none is complete."""
    found: dict[str, list[str]] = defaultdict(list)
    for domain in ask.pages(f"{ask.account}/workers/domains"):
        with ask.detail(f"domain {domain.get('hostname')}"):
            _domain(ask, domain)
            found[str(domain["service"])].append(str(domain["hostname"]))
    are_domains_whole, routes = ask.is_whole, routes_of()
    for route in routes or ():
        if script := route.get("script"):
            found[str(script)].append(str(route["pattern"]))
    return found if are_domains_whole and routes is not None else None


def _domain(ask: Asking, domain: Mapping[str, Any]) -> None:
    at, host = ask.at("workers_custom_domain", str(domain["id"])), str(domain["hostname"])
    ask.resource(at, "cloudflare.workers_custom_domain", host, {"zone": domain.get("zone_name")})
    worker = ask.at("worker", str(domain["service"]))
    ask.alias(host, worker)
    ask.edge(at, worker, Relation.ROUTES_TO, f"custom domain {host}")
    if zone := domain.get("zone_id"):
        ask.edge(ask.at("zone", str(zone)), at, Relation.ROUTES_TO, f"custom domain {host}")


def _subdomain(ask: Asking) -> str:
    """The account's part of `NAME.SUBDOMAIN.workers.dev`; none was chosen yet in a new account, which is no fault."""
    with ask.detail("workers.dev"):
        return str(ask.one(f"{ask.account}/workers/subdomain").get("subdomain") or "")
    return ""


def _worker(ask: Asking, script: Mapping[str, Any], patterns: list[str] | None, subdomain: str) -> None:
    name = str(script["id"])
    at, path = ask.at("worker", name), f"{ask.account}/workers/scripts/{quote(name, safe='')}"
    attributes: dict[str, Json] = chosen(script, "usage_model logpush")
    if patterns is not None:
        attributes["routes"] = [*sorted(patterns)]
    with ask.detail(f"settings of Worker {name}"):
        try:
            settings = ask.one(f"{path}/settings")
        except ApiRefused as error:
            if is_vanished(error):
                return  # deleted since it was listed
            raise
        attributes |= _of_settings(settings) | bindings_of(ask, at, listed(settings, "bindings"))
        for tail in listed(settings, "tail_consumers"):
            ask.edge(at, ask.at("worker", str(tail["service"])), Relation.TRIGGERS, f"tail consumer {tail['service']}")
    with ask.detail(f"schedules of Worker {name}"):
        schedules = listed(ask.one(f"{path}/schedules"), "schedules")
        attributes["schedule"] = [str(one["cron"]) for one in schedules]
    hosts = [host for pattern in patterns or () if (host := all_of_host(pattern))]
    if subdomain:
        hosts.append(f"{name}.{subdomain}.workers.dev")
    ask.resource(at, "cloudflare.worker", name, attributes, aliases=hosts)


def _of_settings(settings: Mapping[str, Any]) -> dict[str, Json]:
    return chosen(settings, "compatibility_date compatibility_flags usage_model logpush") | {
        "cpu_limit_ms": part(settings, "limits").get("cpu_ms"),
        "placement_mode": part(settings, "placement").get("mode"),
        "observability_enabled": part(settings, "observability").get("enabled"),
        "tail_consumers": sorted(str(tail["service"]) for tail in listed(settings, "tail_consumers")) or None,
    }
