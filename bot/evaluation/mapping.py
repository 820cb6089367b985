"""Which resources a change can reach: the graph of production joined with what the manifests of both sides declare."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from fnmatch import fnmatchcase

from context_graph.affected import HUB_IN_DEGREE, Start, affected_resources
from context_graph.deploying import declared_deploys
from context_graph.graph import MemoryGraph
from context_graph.joining import join_live
from context_graph.kinds import unknown_kinds
from context_graph.manifests import Manifests, read_manifests, setting_changes, touches_manifests
from context_graph.named_groups import named_groups
from context_graph.newly_named import newly_named
from gonogo.change import ChangeSet, Side
from gonogo.context import Gap, ProductionContext
from gonogo.errors import ProductionUnreachable
from gonogo.policy import Policy
from gonogo.ports import Graph, Provider, SourceTree
from gonogo.record import Record
from gonogo.resource import AffectedResource, Declared, Edge, Relation, SettingChange
from gonogo.word import ResourceId
from heuristics.laptop import local_files
from heuristics.rule import Declarations, RuleContext, live_key
from heuristics.sql import is_migration_path, migrations_in

UNKNOWN_REPOSITORY = "github.repository"

_NONE = ResourceId("")


class Mapped(Record):
    """What the change reaches, and how declarations and production were joined."""

    repository: ResourceId = _NONE
    is_known: bool = False
    """True when the graph knows this repository."""
    affected: tuple[AffectedResource, ...] = ()
    edges: tuple[Edge, ...] = ()
    known_ids: frozenset[ResourceId] = frozenset()
    """Those of the affected resources that production knows."""
    declared: Mapping[Side, Declarations] = field(default_factory=dict[Side, Declarations])
    settings: tuple[SettingChange, ...] = ()
    live: Mapping[str, ResourceId] = field(default_factory=dict[str, ResourceId])
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ids(self) -> frozenset[ResourceId]:
        """The resources whose facts bear on the change: those it reaches, and the repository where the graph knows it."""
        return frozenset({*(a.resource for a in self.affected), *([self.repository] if self.is_known else [])})

    def rule_context(self, changes: ChangeSet, trees: dict[Side, SourceTree], production: ProductionContext) -> RuleContext:
        """What rules and playbooks see: files that only developers' machines run are left out."""
        local = local_files(changes, trees, production, self.repository)
        files = tuple(f for f in changes.files if f.path not in local)
        return RuleContext(
            repository=self.repository,
            changes=changes.model_copy(update={"files": files}) if local else changes,
            trees=trees,
            production=production,
            declared=self.declared,
            settings=tuple(c for c in self.settings if c.declared.file not in local),
            live=self.live,
        )


def map_change(changes: ChangeSet, trees: dict[Side, SourceTree], provider: Provider | None, policy: Policy) -> Mapped:
    """Join, walk, rank. A snapshot that answers nothing at all is ProductionUnreachable."""
    base, head = _manifests(changes, trees)
    settings = setting_changes(base, head)
    declared: dict[Side, Declarations] = {
        "base": Declarations(base.resources, base.edges),
        "head": Declarations(head.resources, head.edges),
    }
    gaps = [Gap(stage="affected", what=f"{n.file}" + (f" line {n.line}" if n.line else ""), why=n.why) for n in head.not_read]
    graph = _graph(provider)
    repository, notes = own_repository(changes.repository, graph.repositories())
    own_edges = graph.edges_from([repository])
    deploys_to = {e.target for e in own_edges if e.relation is Relation.DEPLOYS_TO}
    live = join_live([*base.resources, *head.resources], graph, deploys_to)

    starts = [
        *_named_by_manifests(settings, head.resources, live),
        *_holding_migrated_tables(changes, trees["head"], provider),
        *_mapped_by_policy(changes, policy, graph),
        *newly_named(settings, head.resources, changes.files, graph),
        *named_groups(settings, repository, graph),
    ]
    is_known = bool(own_edges or graph.kinds_of([repository]))
    affected, cut = affected_resources(repository, starts, graph)
    if not affected and not is_known:
        affected = (
            AffectedResource(
                resource=repository,
                kind=UNKNOWN_REPOSITORY,
                path=(repository,),
                why="the graph does not know this repository",
                is_named=True,
            ),
        )
        if provider is not None:
            gaps.append(
                Gap(
                    stage="affected",
                    what=repository,
                    why="the graph does not know this repository; evaluated from the diff alone",
                )
            )
    ids = {a.resource for a in affected}
    return Mapped(
        repository=repository,
        is_known=is_known,
        affected=affected,
        edges=(*_edges_around(ids, graph), *(() if deploys_to else declared_deploys(repository, head.resources, live))),
        known_ids=frozenset(graph.kinds_of(ids)),
        declared=declared,
        settings=settings,
        live=live,
        gaps=(*gaps, *cut),
        notes=(*notes, *unknown_kinds(affected)),
    )


def own_repository(named: str, listed: Sequence[ResourceId]) -> tuple[ResourceId, list[str]]:
    """The graph's id of this repository: letter case does not matter; a local one may be the snapshot's only one."""
    same = next((r for r in listed if r.lower() == named.lower()), None)
    if same:
        return same, []
    if named.startswith("local:") and len(listed) == 1:
        return listed[0], [
            f"no remote and no configuration names this repository; taken to be {listed[0]}, the snapshot's only one"
        ]
    return ResourceId(named), []


def _manifests(changes: ChangeSet, trees: dict[Side, SourceTree]) -> tuple[Manifests, Manifests]:
    head = read_manifests(trees["head"])
    if not touches_manifests(trees["head"], [p for f in changes.files for p in (f.base_path, f.head_path) if p]):
        return head, head  # no manifest differs, so both sides declare the same
    return read_manifests(trees["base"]), head


def _graph(provider: Provider | None) -> Graph:
    if provider is None:
        return MemoryGraph((), {})
    graph = provider.graph()
    if graph.is_empty() and not provider.tables() and provider.now() is None:
        said = "; ".join(f"{g.what}: {g.why}" for g in list(provider.gaps())[:3]) or "it holds no facts"
        raise ProductionUnreachable(
            "context", f"no source of production facts answered ({said})", "check the snapshot, or pass --production none"
        )
    return graph


def _edges_around(ids: Collection[ResourceId], graph: Graph) -> tuple[Edge, ...]:
    """Every edge that touches one of these; of a hub only those that leave it and those between two of these."""
    degrees = graph.in_degrees(ids)
    found = [*graph.edges_from(ids), *graph.edges_to([at for at in ids if degrees.get(at, 0) <= HUB_IN_DEGREE])]
    return tuple(sorted(dict.fromkeys(found), key=lambda e: (e.source, e.target, e.relation)))


def _mapped_by_policy(changes: ChangeSet, policy: Policy, graph: Graph) -> Iterable[Start]:
    for prefix, ids in policy.resources.items():
        if any(f.path.startswith(prefix) or fnmatchcase(f.path, prefix) for f in changes.files):
            for resource in graph.kinds_of([ResourceId(r) for r in ids]):
                yield Start(resource, f"{prefix} is mapped to it in the configuration", is_named=True)


def _named_by_manifests(
    settings: Sequence[SettingChange], declared: Sequence[Declared], live: Mapping[str, ResourceId]
) -> Iterable[Start]:
    """Live resources whose declaration differs between the sides; then all that the head declares."""
    for change in settings:
        if found := live.get(live_key(change.declared)):
            yield Start(found, f"{change.declared.file} line {change.declared.line} declares it and changes", is_named=True)
    for one in declared:
        if (found := live.get(live_key(one))) is not None:
            yield Start(found, f"{one.file} line {one.line} declares it", is_named=False)


def _holding_migrated_tables(changes: ChangeSet, head: SourceTree, provider: Provider | None) -> Iterable[Start]:
    """The database that alone holds a table which a changed migration names."""
    paths = [f.head_path for f in changes.files if f.head_path and is_migration_path(f.head_path)]
    if not paths or provider is None:
        return
    migrated = {op.table.rpartition(".")[2].lower() for op in migrations_in(paths, head) if op.table}
    held = provider.tables()
    for table in sorted(migrated):
        holding = [database for database, names in held.items() if table in {n.lower() for n in names}]
        if len(holding) == 1:
            yield Start(holding[0], f"it alone holds table {table}, which a migration of this change names", is_named=True)
