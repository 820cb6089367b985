"""Which permission of an API token a path takes.

Source: "Accepted Permissions" of every method in Cloudflare's API reference; of several the least is named.
https://developers.cloudflare.com/fundamentals/api/reference/permissions/
"""

from collections.abc import Iterable

from gonogo.pattern import pattern

ACCOUNT, ZONE = "Account", "Zone"

_PATHS = (
    (pattern(r"/accounts"), "Account: Account Settings Read"),
    (pattern(r"/zones"), "Zone: Zone Read"),
    (pattern(r"/zones/[^/]+/workers/routes"), "Zone: Workers Routes Read"),
    (pattern(r"/accounts/[^/]+/workers/.+"), "Account: Workers Scripts Read"),
    (pattern(r"/accounts/[^/]+/storage/kv/.+"), "Account: Workers KV Storage Read"),
    (pattern(r"/accounts/[^/]+/d1/.+"), "Account: D1 Read"),
    (pattern(r"/accounts/[^/]+/r2/.+"), "Account: Workers R2 Storage Read"),
    (pattern(r"/accounts/[^/]+/queues.*"), "Account: Queues Read"),
    (pattern(r"/accounts/[^/]+/hyperdrive/.+"), "Account: Hyperdrive Read"),
)


def permission_of(path: str) -> str:
    """`/accounts/9f…/d1/database` → `Account: D1 Read`. KeyError for a path that no permission was looked up for."""
    bare = path.partition("?")[0]
    for form, permission in _PATHS:
        if form.fullmatch(bare):
            return permission
    raise KeyError(bare)


def token_policy(permissions: Iterable[str]) -> dict[str, object]:
    """What a token needs for these calls and nothing else, as the dashboard's form and the API's `policies` name it."""
    needed = sorted(set(permissions))

    def of(level: str) -> list[dict[str, str]]:
        return [{"name": one.removeprefix(f"{level}: ")} for one in needed if one.startswith(f"{level}: ")]

    return {
        "name": "gonogo reads",
        "policies": [
            {"effect": "allow", "resources": {"com.cloudflare.api.account.*": "*"}, "permission_groups": of(ACCOUNT)},
            {"effect": "allow", "resources": {"com.cloudflare.api.account.zone.*": "*"}, "permission_groups": of(ZONE)},
        ],
    }
