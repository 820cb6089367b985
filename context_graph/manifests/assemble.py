"""From drafts to the finished words: addresses made unique, equal environments folded, edges drawn."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from context_graph.manifests.aws_edges import aws_links
from context_graph.manifests.aws_settings import prepare_aws
from context_graph.manifests.kubernetes_edges import kubernetes_links
from context_graph.manifests.named_edges import named_links
from context_graph.manifests.node import Draft, Link, Reading
from context_graph.manifests.permissions import with_directions
from context_graph.manifests.settings import declare
from gonogo.resource import Declared, DeclaredEdge, Relation

MAX_EDGES = 50_000
MAX_ELEMENTS = 20
"""Elements of one block that an edge is drawn to."""
Key = tuple[str, str]
"""Scope and address."""


def assemble(reading: Reading) -> tuple[tuple[Declared, ...], tuple[DeclaredEdge, ...]]:
    """Resources sorted by file and line, edges sorted by source and target."""
    drafts = list(reading.drafts)
    for draft in reading.drafts:
        if draft.kind.startswith("aws."):
            drafts += prepare_aws(draft)
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
    links = list(reading.links) + kubernetes_links(drafts) + named_links(drafts)
    by_scope: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        by_scope[draft.scope].append(draft)
        _name_queue(draft, kinds[draft.scope])
    for scope, members in by_scope.items():
        found = [link for draft in members for link in _links(draft, known[scope], families[scope])]
        links += with_directions(found, members, known[scope])
    resources = _folded(drafts, addresses, names)
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
    scopes: dict[str, set[str]] = defaultdict(set)
    for draft in drafts:
        scopes[draft.address].add(draft.scope)
    return {
        (scope, address): address if len(found) == 1 else f"{scope or '.'}//{address}"
        for address, found in scopes.items()
        for scope in found
    }


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


def _links(draft: Draft, known: Mapping[str, str], families: Mapping[str, list[str]]) -> list[Link]:
    """The draft's edges; a reference to a resource with several elements is one to each of them."""
    if not families:
        return list(aws_links(draft, known))
    found: list[Link] = []
    for link in aws_links(draft, known):
        for source in families.get(link.source, [link.source])[:MAX_ELEMENTS]:
            for target in families.get(link.target, [link.target])[:MAX_ELEMENTS]:
                if source in known and target in known and source != target:
                    found.append(replace(link, source=source, target=target))  # noqa: PERF401
    return found


def _folded(
    drafts: list[Draft], addresses: Mapping[Key, str], names: Mapping[tuple[str, str, str | None], str]
) -> tuple[Declared, ...]:
    """One declaration where all environments say the same."""
    groups: dict[tuple[str, str, str], list[Declared]] = defaultdict(list)
    for draft in drafts:

        def name_of(target: str, scope: str = draft.scope, environment: str | None = draft.environment) -> str:
            return names.get((scope, target, environment), target)

        address = addresses[draft.scope, draft.address]
        groups[draft.scope, address, draft.file].append(declare(draft, address=address, name_of=name_of))
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
    for link in links:
        source = addresses.get((link.scope, link.source), link.source)
        target = addresses.get((link.scope if link.target_scope is None else link.target_scope, link.target), link.target)
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
    kept = [
        edge for edge in strongest.values() if edge.relation != Relation.DEPENDS_ON or (edge.source, edge.target) not in related
    ]
    return tuple(sorted(kept, key=lambda e: (e.source, e.target, str(e.relation), e.file, e.line)))
