"""Hyperdrive: which database a configuration leads to, how many connections it opens, what it caches. Never who signs in with what."""

from context_graph.providers.cloudflare.asking import Asking, part
from gonogo.resource import Relation

PERMISSIONS = ("Account: Hyperdrive Read",)


def collect(ask: Asking) -> None:
    """Every configuration; its origin's host is looked for among all known resources."""
    for config in ask.pages(f"{ask.account}/hyperdrive/configs"):
        with ask.detail(f"Hyperdrive configuration {config.get('id')}"):
            origin, caching = part(config, "origin"), part(config, "caching")
            at = ask.at("hyperdrive", str(config["id"]))
            attributes = {
                "origin_host": origin.get("host"),
                "origin_port": origin.get("port"),
                "database_name": origin.get("database"),
                "engine": origin.get("scheme"),
                "connection_limit": config.get("origin_connection_limit"),
                "caching_disabled": caching.get("disabled"),
                "cache_max_age_s": caching.get("max_age"),
                "cache_stale_while_revalidate_s": caching.get("stale_while_revalidate"),
            }
            ask.resource(at, "cloudflare.hyperdrive", str(config["name"]), attributes)
            if isinstance(host := origin.get("host"), str):
                ask.mention(at, host, "origin host", Relation.CONNECTS_TO)
