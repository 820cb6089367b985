"""Which live resource of Cloudflare a declaration names: by account and Cloudflare's own id, or by account, place and name.

A live id is `cloudflare:WHAT:ACCOUNT/OWN`. Ids of another form (a snapshot's) say nothing about account and place.
"""

from collections.abc import Iterable, Mapping, Sequence

from gonogo.pattern import pattern
from gonogo.resource import Declared
from gonogo.word import ResourceId

_LIVE = pattern(r"cloudflare:[a-z0-9_]+:([0-9a-f]{32})/(.+)")
_ACCOUNT = pattern(r"[0-9a-f]{32}")
_BY_ID: Mapping[str, tuple[str, str]] = {
    "cloudflare.kv_namespace": ("kv_namespace", "id"),
    "cloudflare.hyperdrive": ("hyperdrive", "id"),
    "cloudflare.d1.database": ("d1_database", "database_id"),
}


def account_of(resource: str) -> str:
    """The account in a live id; empty where there is none."""
    found = _LIVE.fullmatch(resource)
    return found[1] if found else ""


def accounts_of_files(declared: Sequence[Declared]) -> dict[str, frozenset[str]]:
    """File → the accounts that its Workers are deployed to, where they say so."""
    found: dict[str, set[str]] = {}
    for one in declared:
        if one.kind.startswith("cloudflare.") and (account := _text(one, "account_id")) and _ACCOUNT.fullmatch(account):
            found.setdefault(one.file, set()).add(account)
    return {file: frozenset(accounts) for file, accounts in found.items()}


def ids_of(declared: Declared, accounts: Iterable[str]) -> list[ResourceId]:
    """The live ids that a declaration which holds Cloudflare's id may have, one in each account."""
    what, key = _BY_ID.get(declared.kind, ("", ""))
    own = _text(declared, key) if what else None
    return [ResourceId(f"cloudflare:{what}:{account}/{own}") for account in sorted(accounts)] if own else []


def may_be(declared: Declared, resource: ResourceId, accounts: frozenset[str]) -> bool:
    """False when account, jurisdiction or Cloudflare's own id say that a resource of the same name is another one."""
    found = _LIVE.fullmatch(resource)
    if found is None or not declared.kind.startswith("cloudflare."):
        return True
    account, own = found[1], found[2]
    if accounts and account not in accounts:
        return False
    if declared.kind == "cloudflare.r2.bucket":
        jurisdiction = _text(declared, "jurisdiction")
        return own.rpartition("/")[0] == (jurisdiction if jurisdiction and jurisdiction != "default" else "")
    _, key = _BY_ID.get(declared.kind, ("", ""))
    said = _text(declared, key) if key else None
    return said is None or said == own


def _text(declared: Declared, key: str) -> str | None:
    setting = declared.settings.get(key)
    return setting.value if setting is not None and isinstance(setting.value, str) else None
