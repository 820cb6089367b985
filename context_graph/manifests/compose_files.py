"""Compose files that make one project: a service is found in whichever of them it stands, and an override only adds to it."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from context_graph.manifests.compose import ANY_COMPOSE, INCLUDES
from context_graph.manifests.node import Draft, Link

_BASES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
_MAKES = ("image", "build", "extends", "provider")
Place = tuple[str, str]
"""File and address."""


def join_compose(drafts: Sequence[Draft], links: Sequence[Link]) -> list[Link]:
    """Marks the services that only add to another file's, and leads every link to the service that is meant."""
    services: dict[str, dict[str, Draft]] = defaultdict(dict)
    stored: list[Draft] = []
    for draft in drafts:
        if draft.kind == "compose.service":
            services[draft.scope][draft.address] = draft
        elif draft.kind.startswith("compose."):
            stored.append(draft)
    if not services:
        return [link for link in links if link.relation != INCLUDES]
    bases = _bases({*services, *(link.source for link in links if link.relation == INCLUDES)})
    moved: dict[Place, Place] = {}
    for file, listed in services.items():
        for address, draft in listed.items():
            base = _added_to(draft, file, address, services, bases)
            if base is not None:
                draft.part_of = address
                moved[file, address] = (base, address)
    _move_stored(stored, services, bases, moved)
    meant = _Project(services, stored, bases, moved, [link for link in links if link.relation == INCLUDES])
    led = (_led(link, meant, moved) for link in links if link.relation != INCLUDES)
    return [link for link in led if link is not None]


class _Project:
    """Which file and address a name means: in the file itself, in what it adds to, else in the one file of the project that has it."""

    def __init__(
        self,
        services: Mapping[str, Mapping[str, Draft]],
        stored: Sequence[Draft],
        bases: Mapping[str, str],
        moved: Mapping[Place, Place],
        includes: Sequence[Link],
    ) -> None:
        self._bases, self._moved = bases, moved
        self._known: dict[str, dict[str, str]] = defaultdict(dict)
        for file, listed in services.items():
            for address, draft in listed.items():
                for alias in _aliases(draft):
                    self._known[file].setdefault(f"services.{alias}", address)
            self._known[file] |= {address: address for address in listed}
        for draft in stored:
            self._known[draft.scope][draft.address] = draft.address
        self._groups = _groups(self._known, bases, includes)

    def place(self, address: str, file: str, added_to: str) -> Place | None:
        """None when nothing is called so."""
        base = self._bases.get(posixpath.dirname(file), file)
        for where in (file, added_to, base):
            found = self._known.get(where, {}).get(address)
            if found is not None:
                return self._moved.get((where, found), (where, found))
        elsewhere = {
            self._moved.get((where, found), (where, found))
            for where in self._groups.get(file, ())
            if (found := self._known[where].get(address)) is not None
        }
        return next(iter(elsewhere)) if len(elsewhere) == 1 else None


def _aliases(draft: Draft) -> Iterator[str]:
    """What else a service is found by on its networks: https://docs.docker.com/reference/compose-file/services/#aliases."""
    for key in ("container_name", "hostname"):
        found = draft.node.get(key)
        if found is not None and (name := found.string()):
            yield name
    networks = draft.node.get("networks")
    for network in (networks.entries() if networks is not None else {}).values():
        listed = network.get("aliases")
        yield from (name for item in (listed.items() if listed is not None else []) if (name := item.string()))


def _groups(known: Mapping[str, object], bases: Mapping[str, str], includes: Sequence[Link]) -> dict[str, set[str]]:
    """File → the files of its project: those beside a base file, and what they include."""
    groups: dict[str, set[str]] = {}

    def join(files: set[str]) -> None:
        whole = set(files).union(*(groups.get(file, set[str]()) for file in files))
        groups.update(dict.fromkeys(whole, whole))

    folders: dict[str, set[str]] = defaultdict(set)
    for file in known:
        if posixpath.dirname(file) in bases:
            folders[posixpath.dirname(file)].add(file)
    for files in folders.values():
        join(files)
    including: dict[str, set[str]] = defaultdict(set)
    for link in includes:
        beside = folders.get(posixpath.dirname(link.source), set[str]())
        including[link.source] |= {file for file in (link.target, link.source, *beside) if file in known}
    for files in including.values():
        join(files)
    return groups


def _bases(files: set[str]) -> dict[str, str]:
    """Directory → its base file."""
    found: dict[str, str] = {}
    for name in reversed(_BASES):
        found |= {posixpath.dirname(file): file for file in files if posixpath.basename(file) == name}
    return found


def _added_to(
    draft: Draft, file: str, address: str, services: Mapping[str, Mapping[str, Draft]], bases: Mapping[str, str]
) -> str | None:
    """The file whose service this one adds to; None when it is a declaration of its own."""
    base = bases.get(posixpath.dirname(file))
    if base is not None and base != file and address in services.get(base, {}) and (_is_override(file) or not _makes(draft)):
        return base
    if _makes(draft):
        return None
    others = [other for other, listed in services.items() if other != file and address in listed and _makes(listed[address])]
    return others[0] if len(others) == 1 else None


def _move_stored(
    stored: Sequence[Draft], services: Mapping[str, Mapping[str, Draft]], bases: Mapping[str, str], moved: dict[Place, Place]
) -> None:
    """A volume, secret or configuration that an override names again is the base file's."""
    declared = {(draft.scope, draft.address) for draft in stored}
    for draft in stored:
        base = bases.get(posixpath.dirname(draft.scope))
        only_adds = _is_override(draft.scope) or not any(_makes(service) for service in services.get(draft.scope, {}).values())
        if base is not None and base != draft.scope and only_adds and (base, draft.address) in declared:
            draft.part_of = draft.address
            moved[draft.scope, draft.address] = (base, draft.address)


def _is_override(file: str) -> bool:
    return ".override." in posixpath.basename(file)


def _makes(draft: Draft) -> bool:
    return any(key in draft.node.entries() for key in _MAKES)


def _led(link: Link, project: _Project, moved: Mapping[Place, Place]) -> Link | None:
    source = moved.get((link.scope, link.source), (link.scope, link.source))
    if link.target_scope != ANY_COMPOSE:
        if source == (link.scope, link.source):
            return link
        target_scope = link.scope if link.target_scope is None else link.target_scope
        return replace(link, scope=source[0], source=source[1], target_scope=target_scope)
    target = project.place(link.target, link.scope, source[0])
    if target is None or target == source:
        return None
    return replace(link, scope=source[0], source=source[1], target_scope=target[0], target=target[1])
