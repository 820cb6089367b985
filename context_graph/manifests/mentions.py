"""One node for what several Workers of the tree are bound to: a binding only mentions what it points to."""

from collections.abc import Sequence
from dataclasses import replace

from context_graph.manifests.node import Draft, Link
from context_graph.manifests.wrangler_forms import BY_ID
from gonogo.pattern import pattern

_REAL_ID = pattern(r"[0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_OBJECT = "cloudflare.durable_object"
Place = tuple[str, str]


def merge_mentions(drafts: Sequence[Draft], links: Sequence[Link]) -> tuple[list[Draft], list[Link]]:
    """The drafts without second mentions of one thing, and the links led to what stays.

    A mention meets the Worker that the tree declares under that name, else the first mention. Names are one in an
    account; ids too, but for placeholders such as `DEV_KV`, which are a thing of their own in every file.
    """
    declared: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        if draft.kind == "cloudflare.worker" and draft.name and "is_reference" not in draft.extra:
            declared.setdefault((draft.kind, draft.name), draft)
    objects = _objects_of(drafts)
    kept: list[Draft] = []
    first: dict[tuple[str, str], Draft] = {}
    moved: dict[Place, Place] = {}
    for draft in drafts:
        if not draft.kind.startswith("cloudflare.") or "is_reference" not in draft.extra or not _is_global(draft):
            kept.append(draft)
            continue
        script = draft.address.rpartition("/")[2].removesuffix(f".{draft.name}")
        same = objects.get((script, draft.name or "")) if draft.kind == _OBJECT else declared.get((draft.kind, draft.name or ""))
        same = same or first.setdefault((draft.kind, draft.address), draft)
        if same is draft:
            kept.append(draft)
        else:
            moved[draft.scope, draft.address] = (same.scope, same.address)
    if not moved:
        return kept, list(links)
    return kept, [_led(link, moved) for link in links]


def _objects_of(drafts: Sequence[Draft]) -> dict[tuple[str, str], Draft]:
    """Script and class → the class of durable objects that this Worker of the tree has."""
    scripts = {
        (draft.scope, draft.environment): draft.name or ""
        for draft in drafts
        if draft.kind == "cloudflare.worker" and "is_reference" not in draft.extra
    }
    return {
        (scripts[draft.scope, draft.environment], draft.name or ""): draft
        for draft in drafts
        if draft.kind == _OBJECT and "is_own" in draft.extra and (draft.scope, draft.environment) in scripts
    }


def _is_global(draft: Draft) -> bool:
    if "is_own" in draft.extra:
        return False
    return draft.kind not in BY_ID or _REAL_ID.fullmatch(draft.address.rpartition("/")[2]) is not None


def _led(link: Link, moved: dict[Place, Place]) -> Link:
    target_scope = link.scope if link.target_scope is None else link.target_scope
    source = moved.get((link.scope, link.source))
    target = moved.get((target_scope, link.target))
    if source is not None:
        link = replace(link, scope=source[0], source=source[1], target_scope=target_scope)
    if target is not None:
        link = replace(link, target_scope=target[0], target=target[1])
    return link
