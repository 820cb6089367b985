"""What a rule is, and what it may look at: the change, both trees, what manifests declare, production facts."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Protocol, cast

from gonogo.change import ChangeSet, Side
from gonogo.context import Database, ProductionContext
from gonogo.finding import Finding, RuleId
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Declared, DeclaredEdge, SettingChange
from gonogo.word import ResourceId
from heuristics.code import ValueChange, is_test_path, value_changes
from heuristics.schema.servers import server_of
from heuristics.sql import Simulated, is_migration_path, known_schema, migrations_in, simulate
from heuristics.sql.engines import version_number


class RuleInfo(Record):
    """A rule's identity. The page is docs/rules/<id>.md."""

    id: RuleId
    title: str
    since: str


class Declarations(Record):
    """What the manifests of one side declare."""

    resources: tuple[Declared, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()


COMPARED_AT_MOST = 4_000_000
"""Characters of both sides of changed files in which values are compared: about 20 s of work."""


class RuleContext(Record):
    """Everything that rules and playbooks see of one change. Costly readings are made once, when first asked for."""

    repository: ResourceId
    changes: ChangeSet
    trees: Mapping[Side, SourceTree]
    production: ProductionContext
    declared: Mapping[Side, Declarations]
    settings: tuple[SettingChange, ...]
    live: Mapping[str, ResourceId]
    """Key of a declaration (`live_key`) → the live resource that it was joined to."""

    @property
    def base(self) -> SourceTree:
        """The tree before the change."""
        return self.trees["base"]

    @property
    def head(self) -> SourceTree:
        """The tree after the change."""
        return self.trees["head"]

    def live_of(self, declared: Declared) -> ResourceId | None:
        """The live resource that realises a declaration, where it was joined."""
        return self.live.get(live_key(declared))

    def once[T](self, make: Callable[["RuleContext"], T]) -> T:
        """What a detector finds in this change; it runs when it is first asked for, by a rule or by a playbook."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    @cached_property
    def _made(self) -> dict[object, object]:
        return {}

    @cached_property
    def migrations(self) -> tuple[Simulated, ...]:
        """Every operation that the changed migrations will still run in production, simulated in the order they run."""
        paths = [f.head_path for f in self.changes.files if f.head_path and is_migration_path(f.head_path) and f.hunks]
        if not paths:
            return ()
        from heuristics.schema.history import applied_ids  # noqa: PLC0415  what a schema is made of loads with the first migration
        from heuristics.schema.known import with_production  # noqa: PLC0415
        from heuristics.schema.pending import pending_operations  # noqa: PLC0415
        from heuristics.schema.retyped import with_model_types  # noqa: PLC0415

        operations = migrations_in(paths, self.head)
        database = self.database_of({op.table for op in operations if op.table})
        operations = pending_operations(operations, self.changes, applied_ids(database.applied_migrations) if database else None)
        before = with_production(known_schema(operations, self.base, but=paths), database)
        operations = tuple(with_model_types(operations, before, self.changes, self.base))
        server = self.server_of({op.table for op in operations if op.table})
        engine = server.engine if server else ""
        return simulate(operations, engine=engine, server_version=server_version(server), catalog=before)

    @cached_property
    def values(self) -> tuple[ValueChange, ...]:
        """Every literal that changed in code and in application configuration, outside tests and `not_compared`."""
        return tuple(c for path, before, after in self._compared[0] for c in value_changes(path, before, after))

    @property
    def not_compared(self) -> tuple[str, ...]:
        """Changed files whose values were left out because the change is very large."""
        return self._compared[1]

    @cached_property
    def _compared(self) -> tuple[tuple[tuple[str, str, str], ...], tuple[str, ...]]:
        """(path, base text, head text) of what is compared, smallest files first, and the paths beyond the limit."""
        sides: list[tuple[str, str, str]] = []
        for file in self.changes.files:
            if file.is_binary or not file.head_path or not file.base_path or not file.hunks or is_test_path(file.path):
                continue
            before, after = self.base.text(file.base_path), self.head.text(file.head_path)
            if before is not None and after is not None and before != after:
                sides.append((file.head_path, before, after))
        sides.sort(key=lambda side: (len(side[1]) + len(side[2]), side[0]))
        left, kept = COMPARED_AT_MOST, 0
        for _, before, after in sides:
            left -= len(before) + len(after)
            kept += left >= 0
        return tuple(sorted(sides[:kept])), tuple(sorted(path for path, _, _ in sides[kept:]))

    def database_of(self, tables: set[str]) -> Database | None:
        """The one database among those read that holds these tables; the only database when none was read by table."""
        databases = self.production.databases
        holding = [d for d in databases if any(d.table(t) for t in tables)]
        if len(holding) == 1:
            return holding[0]
        return databases[0] if not holding and len(databases) == 1 else None

    def server_of(self, tables: set[str]) -> Database | None:
        """The same with engine and version as its configuration states them; the one database in reach when no statistics were read."""
        return server_of(self.database_of(tables), self.repository, self.production)


class Rule(Protocol):
    """A module with INFO and check. Ids equal paths and never change."""

    @property
    def INFO(self) -> RuleInfo:  # noqa: N802  a module's constant
        """Who it is."""
        ...

    def check(self, context: RuleContext) -> Iterator[Finding]:
        """What it sees in this change."""
        ...


def live_key(declared: Declared) -> str:
    """Identity of a declaration on either side: kind, address and environment."""
    return declared.key


def server_version(database: Database | None) -> int | None:
    """The version as the models take it (15 of '15.5', 80036 of MySQL '8.0.36'); None when it was not read."""
    return version_number(database.engine, database.version) if database else None
