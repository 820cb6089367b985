"""Compose files beside each other: an override adds to the services of the base file instead of declaring its own."""

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from context_graph.manifests.compose import ANY_COMPOSE
from context_graph.manifests.node import Draft, Link

_BASES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
_MAKES = ("image", "build", "extends", "provider")


def join_compose(drafts: Sequence[Draft], links: Sequence[Link]) -> list[Link]:
    """Marks the services that only add to another file's, and leads every link to the service that is meant."""
    services: dict[str, dict[str, Draft]] = defaultdict(dict)
    for draft in drafts:
        if draft.kind == "compose.service":
            services[draft.scope][draft.address] = draft
    if not services:
        return list(links)
    bases = _bases(services)
    moved: dict[tuple[str, str], tuple[str, str]] = {}
    for file, listed in services.items():
        for address, draft in listed.items():
            base = _added_to(draft, file, address, services, bases)
            if base is not None:
                draft.part_of = address
                moved[file, address] = (base, address)
    found: list[Link] = []
    for link in links:
        led = _led(link, services, bases, moved)
        if led is not None:
            found.append(led)
    return found


def _bases(services: Mapping[str, object]) -> dict[str, str]:
    """Directory → its base file."""
    found: dict[str, str] = {}
    for name in reversed(_BASES):
        found |= {posixpath.dirname(file): file for file in services if posixpath.basename(file) == name}
    return found


def _added_to(
    draft: Draft, file: str, address: str, services: Mapping[str, Mapping[str, Draft]], bases: Mapping[str, str]
) -> str | None:
    """The file whose service this one adds to; None when it is a declaration of its own."""
    base = bases.get(posixpath.dirname(file))
    is_override = ".override." in posixpath.basename(file)
    if base is not None and base != file and address in services[base] and (is_override or not _makes(draft)):
        return base
    if _makes(draft):
        return None
    others = [other for other, listed in services.items() if other != file and address in listed and _makes(listed[address])]
    return others[0] if len(others) == 1 else None


def _makes(draft: Draft) -> bool:
    return any(key in draft.node.entries() for key in _MAKES)


def _led(
    link: Link,
    services: Mapping[str, Mapping[str, Draft]],
    bases: Mapping[str, str],
    moved: Mapping[tuple[str, str], tuple[str, str]],
) -> Link | None:
    source = moved.get((link.scope, link.source), (link.scope, link.source))
    if link.target_scope != ANY_COMPOSE:
        if source == (link.scope, link.source):
            return link
        target_scope = link.scope if link.target_scope is None else link.target_scope
        return replace(link, scope=source[0], source=source[1], target_scope=target_scope)
    base = bases.get(posixpath.dirname(link.scope), link.scope)
    file = next((f for f in (link.scope, source[0], base) if link.target in services.get(f, {})), None)
    if file is None:
        return None
    target = moved.get((file, link.target), (file, link.target))
    if target == source:
        return None
    return replace(link, scope=source[0], source=source[1], target_scope=target[0], target=target[1])
