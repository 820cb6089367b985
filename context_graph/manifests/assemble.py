"""From drafts to the finished words: addresses made unique, equal environments folded, edges drawn."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from context_graph.manifests.aws_edges import aws_links
from context_graph.manifests.aws_settings import prepare_aws
from context_graph.manifests.compose_files import join_compose
from context_graph.manifests.deploys import find_deployed
from context_graph.manifests.kubernetes_edges import kubernetes_links
from context_graph.manifests.kustomize import mark_patches
from context_graph.manifests.mentions import merge_mentions
from context_graph.manifests.named_edges import named_links
from context_graph.manifests.node import Draft, Link, Reading
from context_graph.manifests.permissions import with_directions
from context_graph.manifests.settings import declare
from context_graph.manifests.stacks import apart, join_stacks
from gonogo.resource import Declared, DeclaredEdge, Relation

MAX_EDGES = 50_000
MAX_ELEMENTS = 20
"""Elements of one block that an edge is drawn to."""
_SAID = ("depends_on", "DependsOn", "links")
"""How a dependency is called that the manifest states as such; one that only follows from a use is not said twice."""
Key = tuple[str, str]
"""Scope and address."""


def assemble(reading: Reading, *, with_settings: bool = True) -> tuple[tuple[Declared, ...], tuple[DeclaredEdge, ...]]:
    """Resources sorted by file and line, edges sorted by source and target."""
    drafts, found_links = merge_mentions(reading.drafts, reading.links)
    found_links = join_compose(drafts, found_links)
    mark_patches(drafts)
    found_links = find_deployed(drafts, found_links)
    for draft in tuple(drafts):
        if draft.kind.startswith("aws."):
            drafts += prepare_aws(draft)
    foreign = join_stacks(reading, drafts)
    addresses = _unique_addresses(drafts)
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for draft in drafts:
        kinds[draft.scope][draft.address] = draft.kind
    families = _families(kinds)
    names = {(draft.scope, draft.address, draft.environment): draft.name or draft.address for draft in drafts}
    known = {
        scope: {**{base: listed[members[0]] for base, members in families[scope].items()}, **listed}
        for scope, listed in kinds.items()
    }
    for scope, targets in foreign.items():
        for target in targets:
            there, address = apart(target, scope)
            if address in kinds[there]:
                known[scope][target] = kinds[there][address]
    links = found_links + kubernetes_links(drafts) + named_links(drafts)
    by_scope: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_scope[draft.scope].append(draft)
        _name_queue(draft, kinds[draft.scope])
    for scope, members in by_scope.items():
        found = [link for draft in members for link in aws_links(draft, known[scope])]
        links += _expanded(with_directions(found, members, known[scope]), kinds[scope], families[scope])
    resources = _folded(drafts, addresses, names, with_settings=with_settings)
    return resources, _edges(links, addresses)


def _name_queue(draft: Draft, kinds: Mapping[str, str]) -> None:
    """An event source says `queue` too when its source is one, whatever the format calls it."""
    if draft.kind != "aws.lambda.event_source_mapping" or "queue" in draft.extra:
        return
    source = draft.node.get("EventSourceArn") or draft.node.get("arn")
    if source is not None and any(kinds.get(reference.target) == "aws.sqs.queue" for reference in source.references):
        draft.extra["queue"] = source


def bare_address(address: str) -> str:
    """The address without the root that was put before it to make it unique."""
    return address.rpartition("//")[2]


def _unique_addresses(drafts: Iterable[Draft]) -> dict[Key, str]:
    """The address alone where one scope has it; a part that has its owner's address gives way to the owner."""
    scopes: dict[str, dict[str, bool]] = defaultdict(dict)
    for draft in drafts:
        is_whole = not draft.part_of
        scopes[draft.address][draft.scope] = scopes[draft.address].get(draft.scope, False) or is_whole
    found: dict[Key, str] = {}
    for address, listed in scopes.items():
        whole = [scope for scope, is_whole in listed.items() if is_whole]
        alone = next(iter(whole or listed)) if len(whole or listed) == 1 else None
        for scope in listed:
            found[scope, address] = address if scope == alone else f"{scope or '.'}//{address}"
    return found


def _families(kinds: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, list[str]]]:
    """Address without indices → the addresses of all its elements."""
    families: dict[str, dict[str, list[str]]] = {}
    for scope, listed in kinds.items():
        family: dict[str, list[str]] = defaultdict(list)
        for address in listed:
            if "[" in address:
                family[_without_indices(address)].append(address)
        families[scope] = family
    return families


def _without_indices(address: str) -> str:
    kept: list[str] = []
    for part in address.split("["):
        kept.append(part.partition("]")[2] if kept else part)
    return "".join(kept)


def _expanded(links: list[Link], kinds: Mapping[str, str], families: Mapping[str, list[str]]) -> list[Link]:
    """A reference to a resource with several elements is one to each of them."""
    if not families:
        return links
    found: list[Link] = []
    for link in links:
        if link.source not in families and link.target not in families:
            found.append(link)
            continue
        sources = families.get(link.source, ()) if link.source not in kinds else ()
        targets = families.get(link.target, ()) if link.target not in kinds else ()
        found += [
            replace(link, source=source, target=target)
            for source in sources[:MAX_ELEMENTS] or (link.source,)
            for target in targets[:MAX_ELEMENTS] or (link.target,)
            if source != target
        ]
    return found


def _folded(
    drafts: list[Draft],
    addresses: Mapping[Key, str],
    names: Mapping[tuple[str, str, str | None], str],
    *,
    with_settings: bool,
) -> tuple[Declared, ...]:
    """One declaration where all environments say the same."""
    groups: dict[tuple[str, str, str], list[Declared]] = defaultdict(list)
    for draft in drafts:

        def name_of(target: str, scope: str = draft.scope, environment: str | None = draft.environment) -> str:
            there, bare = apart(target, scope)
            return names.get((there, bare, environment), bare)

        address = addresses[draft.scope, draft.address]
        groups[draft.scope, address, draft.file].append(
            declare(draft, address=address, name_of=name_of if with_settings else None)
        )
    found: list[Declared] = []
    for declared in groups.values():
        first = declared[0]
        same = len(declared) > 1 and all(
            d.settings == first.settings and d.name == first.name and d.line == first.line for d in declared
        )
        found += [first.model_copy(update={"environment": None})] if same and first.environment else declared
    return tuple(sorted(_numbered(found), key=lambda d: (d.file, d.line, d.address, d.environment or "")))


def _numbered(found: list[Declared]) -> list[Declared]:
    """The same address twice in one environment (a base and a patch, an object declared again): the file tells them apart."""
    seen: dict[tuple[str, str | None], int] = {}
    result: list[Declared] = []
    for declared in found:
        key = (declared.address, declared.environment)
        seen[key] = seen.get(key, 0) + 1
        result.append(
            declared
            if seen[key] == 1
            else declared.model_copy(update={"address": f"{declared.file}:{seen[key]}//{declared.address}"})
        )
    return result


def _edges(links: Iterable[Link], addresses: Mapping[Key, str]) -> tuple[DeclaredEdge, ...]:
    strongest: dict[tuple[str, str, str], DeclaredEdge] = {}
    related: set[tuple[str, str]] = set()
    said: set[tuple[str, str]] = set()
    for link in links:
        source, target = (
            addresses.get(place, place[1])
            for place in (
                apart(link.source, link.scope),
                apart(link.target, link.scope if link.target_scope is None else link.target_scope),
            )
        )
        key = (source, target, str(link.relation))
        if key in strongest or len(strongest) >= MAX_EDGES:
            continue
        strongest[key] = DeclaredEdge(
            source=source,
            target=target,
            relation=Relation(link.relation),
            file=link.file,
            line=max(1, link.line),
            evidence=link.evidence,
        )
        if link.relation != Relation.DEPENDS_ON:
            related.add((source, target))
        elif link.evidence.startswith(_SAID):
            said.add((source, target))
    kept = [
        edge
        for edge in strongest.values()
        if edge.source != edge.target
        and (
            edge.relation != Relation.DEPENDS_ON
            or (edge.source, edge.target) not in related
            or (edge.source, edge.target) in said
        )
    ]
    return tuple(sorted(kept, key=lambda e: (e.source, e.target, str(e.relation), e.file, e.line)))
