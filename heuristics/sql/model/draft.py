"""An effect while it is being worked out, and the scene it plays in."""

from dataclasses import field

from gonogo.record import Record
from heuristics.sql.catalog import Catalog, Relation, key_of
from heuristics.sql.words import LOCK_MODES, Effect, Operation

STRENGTH = {name: place for place, name in enumerate(LOCK_MODES)}
BLOCKS_WRITES = frozenset({"Share", "ShareRowExclusive", "Exclusive", "AccessExclusive"})
BLOCKS_READS = frozenset({"AccessExclusive"})


def stronger(left: str | None, right: str) -> str:
    """The stronger of two locks."""
    return right if left is None or STRENGTH.get(right, 0) > STRENGTH.get(left, 0) else left


class Scene(Record, frozen=False):
    """Where an operation meets the server."""

    catalog: Catalog
    version: int
    in_transaction: bool = False
    created_here: frozenset[str] = frozenset()
    """Tables that this change made: nobody else uses them."""
    dropped_constraints: frozenset[str] = frozenset()
    """Dropped by the same statement, whose drops run first."""
    fresh_labels: frozenset[str] = frozenset()
    """Enum labels that this transaction added and has not committed."""

    def is_absent(self, table: str | None) -> bool:
        """True when the catalog is complete and has no such relation."""
        return self.catalog.is_complete and self.catalog.relation(table) is None

    def with_children(self, op: Operation) -> list[str]:
        """The table and, unless ONLY is said, its partitions and inheritance children."""
        if op.table is None:
            return []
        relation = self.catalog.relation(op.table)
        below = () if op.is_only or relation is None else self.catalog.descendants(relation.name)
        return [op.table, *(r.name for r in below)]


class Draft(Record, frozen=False):
    """Locks, scans and the rest, added one by one."""

    scene: Scene
    locks: dict[str, str] = field(default_factory=dict[str, str])
    scanned: list[str] = field(default_factory=list[str])
    rewritten: list[str] = field(default_factory=list[str])
    reads: set[str] = field(default_factory=set[str])
    writes: set[str] = field(default_factory=set[str])
    unwritable: set[str] = field(default_factory=set[str])
    """Materialized views: nobody writes them, so nobody waits to."""
    error: str | None = None
    notes: list[str] = field(default_factory=list[str])
    proof: str | None = None

    def lock(self, table: str | None, mode: str) -> None:
        """Take a lock; the strongest one on each table stays."""
        if table is not None and not self.scene.is_absent(table):
            name = self._name(table)
            self.locks[name] = stronger(self.locks.get(name), mode)

    def scan(self, table: str | None) -> None:
        """Read every row; a partitioned table's rows are those of its partitions."""
        self.scanned.extend(t for t in self._stored(table) if t not in self.scanned)

    def rewrite(self, table: str | None) -> None:
        """Write every row again; includes the scan."""
        self.rewritten.extend(t for t in self._stored(table) if t not in self.rewritten)
        self.scan(table)

    def truncate(self, table: str | None) -> None:
        """New, empty storage."""
        self.rewritten.extend(t for t in self._stored(table) if t not in self.rewritten)

    def fail(self, code: str, text: str) -> None:
        """The statement is refused; the first reason stays."""
        self.error = self.error or f"{code} {text}"

    def note(self, text: str) -> None:
        """Something that is not known and would change the answer."""
        if text not in self.notes:
            self.notes.append(text)

    def finish(self) -> Effect:
        """The effect; a statement that fails leaves no other mark."""
        if self.error is not None:
            return Effect(locks=dict(self.locks), error=self.error, depends_on=tuple(self.notes))
        here = self.scene.created_here
        reads = {t for t, m in self.locks.items() if m in BLOCKS_READS} | self.reads
        writes = {
            t for t, m in self.locks.items() if m in BLOCKS_WRITES and t not in self.unwritable and not self._is(t, "matview")
        } | self.writes
        if self.scene.version < 14:
            writes |= {p.name for t, m in self.locks.items() if m == "AccessExclusive" for p in self.scene.catalog.partitions(t)}
        return Effect(
            locks=dict(self.locks),
            blocks_reads=tuple(sorted(t for t in reads if key_of(t) not in here)),
            blocks_writes=tuple(sorted(t for t in writes if key_of(t) not in here)),
            rewrites=tuple(self.rewritten),
            scans=tuple(self.scanned),
            depends_on=tuple(self.notes),
        )

    def _name(self, table: str) -> str:
        relation = self.scene.catalog.relation(table)
        return relation.name if relation is not None else key_of(table)

    def _is(self, table: str, kind: str) -> bool:
        relation = self.scene.catalog.relation(table)
        return relation is not None and relation.kind == kind

    def _stored(self, table: str | None) -> list[str]:
        if table is None or self.scene.is_absent(table):
            return []
        relation = self.scene.catalog.relation(table)
        if relation is None:
            return [key_of(table)]
        if relation.kind == "partitioned":
            leaves = [r for r in self.scene.catalog.descendants(relation.name) if r.kind != "partitioned"]
            return [r.name for r in leaves if _may_have_rows(r)] or ([relation.name] if relation.has_rows is None else [])
        return [relation.name] if _may_have_rows(relation) else []


def _may_have_rows(relation: Relation) -> bool:
    return relation.has_rows is not False
