"""Plays a run statement by statement: what is created, locked and held, and which statement is slow meanwhile."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby

from gonogo.record import Record
from heuristics.sql.catalog import Catalog, key_of
from heuristics.sql.durations import milliseconds
from heuristics.sql.engines import DEFAULT_VERSION, Family, family_of
from heuristics.sql.model.draft import Scene, stronger
from heuristics.sql.model.mysql import mysql_effect
from heuristics.sql.model.postgres import postgres_effect
from heuristics.sql.model.sqlite import sqlite_effect
from heuristics.sql.replay import apply_operation
from heuristics.sql.words import Action, Effect, Operation, Simulated

_MARK = "this change"
_PROBES = (11, 18)
_MOVES_DATA = frozenset({Action.UPDATE, Action.DELETE, Action.DATA})
_RENAMES = frozenset({Action.DROP_TABLE, Action.RENAME_TABLE, Action.SET_SCHEMA})


def facts(
    operation: Operation,
    *,
    server_version: int | None,
    table_is_empty: bool | None = None,
    is_new_table: bool = False,
    catalog: Catalog | None = None,
    engine: str = "",
) -> Effect:
    """What the operation does by itself on that server, as far as the catalog knows the schema."""
    known = catalog.copy() if catalog is not None else Catalog()
    family = _family(operation, engine)
    here: frozenset[str] = frozenset()
    if operation.table is not None and (table_is_empty is not None or is_new_table):
        relation = known.known(operation.table)
        relation.has_rows = not table_is_empty if table_is_empty is not None else relation.has_rows
        here = frozenset({relation.name}) if is_new_table else here
    scene = Scene(known, 0, in_transaction=operation.statement.in_transaction, created_here=here)
    return _effect(operation, scene, family=family, server_version=server_version)[0]


def simulate(
    operations: Sequence[Operation], *, engine: str, server_version: int | None, catalog: Catalog | None = None
) -> tuple[Simulated, ...]:
    """Every operation in its place in the run, in the order given.

    `catalog` is the schema before the run; it is not changed. With an empty `engine` each statement's own dialect decides.
    """
    state = _State(catalog.copy() if catalog is not None else Catalog(), engine=engine, server_version=server_version)
    for _, group in groupby(operations, key=lambda op: (op.statement.file, op.statement.line, op.statement.sql)):
        state.play(list(group))
    return tuple(_with_commits(state.played))


def statement_effect(simulated: Iterable[Simulated]) -> Effect:
    """The effect of a whole statement: its operations together, under every lock that is held while it runs."""
    parts = list(simulated)
    locks: dict[str, str] = {}
    for part in parts:
        for table, mode in part.effect.locks.items():
            locks[table] = stronger(locks.get(table), mode)
    return Effect(
        locks=locks,
        blocks_reads=_union(p.blocks_reads for p in parts),
        blocks_writes=_union(p.blocks_writes for p in parts),
        rewrites=_union(p.effect.rewrites for p in parts),
        scans=_union(p.effect.scans for p in parts),
        error=next((p.error for p in parts if p.error is not None), None),
        depends_on=_union(p.effect.depends_on for p in parts),
        algorithm=next((p.effect.algorithm for p in parts if p.effect.algorithm is not None), None),
    )


def _union(parts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(sorted({item for part in parts for item in part}))


class _State(Record, frozen=False):
    catalog: Catalog
    engine: str
    server_version: int | None
    played: list[Simulated] = field(default_factory=list[Simulated])
    transaction: str | None = None
    file: str | None = None
    held: dict[str, str] = field(default_factory=dict[str, str])
    blocked_reads: set[str] = field(default_factory=set[str])
    blocked_writes: set[str] = field(default_factory=set[str])
    fresh_labels: set[str] = field(default_factory=set[str])
    new_types: set[str] = field(default_factory=set[str])
    gone: set[str] = field(default_factory=set[str])
    timeouts: dict[str, int] = field(default_factory=dict[str, int])
    local_timeouts: dict[str, int] = field(default_factory=dict[str, int])
    failed: bool = False

    def play(self, group: list[Operation]) -> None:
        """One statement with all its operations."""
        self._enter(group[0])
        dropped = frozenset(op.name for op in group if op.action is Action.DROP_CONSTRAINT and op.name)
        effects: list[tuple[Operation, Effect, str | None, bool, dict[str, str]]] = []
        for op in group:
            here = self._created_here()
            scene = Scene(
                self.catalog,
                0,
                in_transaction=self.transaction is not None,
                created_here=here,
                dropped_constraints=dropped if not op.in_function else frozenset(),
                fresh_labels=frozenset(self.fresh_labels),
            )
            effect, proof = _effect(op, scene, family=_family(op, self.engine), server_version=self.server_version)
            self._hold(effect, here)
            effects.append((op, effect, proof, self._is_here(op, here), dict(self.held)))
            self._remember(op)
            apply_operation(self.catalog, op, mark=_MARK)
        together = dict(self.held)
        reads, writes = tuple(sorted(self.blocked_reads)), tuple(sorted(self.blocked_writes))
        for op, effect, proof, is_here, held_then in effects:
            held = held_then if op.in_function else together
            self.played.append(self._simulated(op, effect, proof, held=held, is_here=is_here, reads=reads, writes=writes))
        if any(p.error is not None and not p.effect.depends_on for p in self.played[-len(group) :]):
            self.failed = True
        if self.transaction is None:
            self._release()

    def _simulated(
        self,
        op: Operation,
        effect: Effect,
        proof: str | None,
        *,
        held: dict[str, str],
        is_here: bool,
        reads: tuple[str, ...],
        writes: tuple[str, ...],
    ) -> Simulated:
        is_slow = bool(effect.scans or effect.rewrites) or (op.action in _MOVES_DATA and not is_here)
        is_slow = is_slow or (op.action is Action.INSERT and bool(op.reads))
        blocking = {t: held.get(t, "AccessExclusive" if t in reads else "Share") for t in (*writes, *reads)}
        return Simulated(
            operation=op,
            effect=effect,
            created_here=is_here,
            held=held,
            blocks_reads=reads,
            blocks_writes=writes,
            slow_under=blocking if is_slow and effect.error is None else {},
            lock_timeout_ms=self.local_timeouts.get("lock_timeout", self.timeouts.get("lock_timeout")),
            statement_timeout_ms=self.local_timeouts.get("statement_timeout", self.timeouts.get("statement_timeout")),
            error=effect.error,
            proof=proof,
            is_reached=not self.failed,
        )

    def _enter(self, op: Operation) -> None:
        """A new file forgets the session's settings, a new transaction releases what the last one held."""
        statement = op.statement
        if statement.transaction != self.transaction or statement.transaction is None:
            self._release()
            self.transaction = statement.transaction
        if statement.file != self.file:
            self.file = statement.file
            self.timeouts = {}

    def _release(self) -> None:
        self.held, self.blocked_reads, self.blocked_writes = {}, set(), set()
        self.fresh_labels, self.new_types, self.local_timeouts = set(), set(), {}

    def _created_here(self) -> frozenset[str]:
        made = {r.name for r in self.catalog.relations.values() if r.created_in == _MARK}
        return frozenset(made - self.gone)

    def _is_here(self, op: Operation, here: frozenset[str]) -> bool:
        table = op.table
        if table is None and op.name is not None and (index := self.catalog.index(op.name)) is not None:
            table = index.table
        relation = self.catalog.relation(table)
        return relation is not None and relation.name in here

    def _hold(self, effect: Effect, here: frozenset[str]) -> None:
        for table, mode in effect.locks.items():
            if key_of(table) not in here:
                self.held[table] = stronger(self.held.get(table), mode)
        self.blocked_reads.update(effect.blocks_reads)
        self.blocked_writes.update(effect.blocks_writes)

    def _remember(self, op: Operation) -> None:
        if op.action in _RENAMES and op.table is not None:
            relation = self.catalog.relation(op.table)
            if relation is None or relation.created_in != _MARK:
                self.gone.add(key_of(op.table))
        elif op.action is Action.CREATE_TYPE and op.name is not None:
            self.new_types.add(key_of(op.name))
        elif op.action is Action.ADD_ENUM_VALUE and self.transaction is not None and key_of(op.name or "") not in self.new_types:
            self.fresh_labels.add(op.value or "")
        elif op.action is Action.SET_SETTING and op.name in ("lock_timeout", "statement_timeout"):
            self._set_timeout(op, op.name)

    def _set_timeout(self, op: Operation, name: str) -> None:
        is_local = op.details.get("scope") == "local"
        if is_local and self.transaction is None:
            return  # a warning, and no effect
        target = self.local_timeouts if is_local else self.timeouts
        value = milliseconds(op.value) if op.value is not None else None
        if value is None:
            target.pop(name, None)
        else:
            target[name] = value


def _family(op: Operation, engine: str) -> Family:
    return family_of(engine) if engine else op.statement.dialect


def _effect(op: Operation, scene: Scene, *, family: Family, server_version: int | None) -> tuple[Effect, str | None]:
    version = server_version if server_version is not None else DEFAULT_VERSION[family]
    scene = replace(scene, version=version)
    match family:
        case "mysql" | "mariadb":
            return mysql_effect(op, scene, is_mariadb=family == "mariadb")
        case "sqlite":
            return sqlite_effect(op, scene)
        case "postgres" | "unknown":
            scene = replace(scene, version=version or DEFAULT_VERSION["postgres"])
            effect, proof = postgres_effect(op, scene)
            if server_version is not None:
                return effect, proof
            return _noting_versions(op, scene, effect), proof


def _noting_versions(op: Operation, scene: Scene, effect: Effect) -> Effect:
    """When no version is known: say where another one would answer differently."""
    for version in _PROBES:
        other, _ = postgres_effect(op, replace(scene, version=version))
        if (other.rewrites, other.scans, other.error) != (effect.rewrites, effect.scans, effect.error):
            what = other.error or (f"rewrites {', '.join(other.rewrites)}" if other.rewrites else "touches fewer rows")
            side = f"PostgreSQL {version} or older" if version == _PROBES[0] else f"PostgreSQL {version}"
            effect = replace(effect, depends_on=(*effect.depends_on, f"the server is not {side} (there: {what})"))
    return effect


def _with_commits(played: list[Simulated]) -> Iterator[Simulated]:
    """Marks what a script begins and never commits."""
    lost: set[str] = set()
    open_key: str | None = None
    for item in played:
        op = item.operation
        if op.action is not Action.TRANSACTION:
            continue
        if op.value in ("begin", "start"):
            open_key = op.statement.transaction
        elif op.value in ("commit", "rollback"):
            if op.value == "rollback" and op.statement.transaction is not None:
                lost.add(op.statement.transaction)
            open_key = None
    if open_key is not None:
        lost.add(open_key)
    for item in played:
        yield replace(item, is_committed=False) if item.operation.statement.transaction in lost else item
