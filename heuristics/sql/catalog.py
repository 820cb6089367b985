"""What is known of the schema when a statement comes: from earlier migrations, a schema file, or the change itself."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import field
from typing import Literal

from gonogo.record import Record
from heuristics.sql.words import Column, Constraint, PartitionBound

RelationKind = Literal["table", "partitioned", "view", "matview", "sequence"]


def key_of(name: str) -> str:
    """The name under which a relation is kept: `public.` and quotes go, case stays as the parser folded it."""
    return name.replace('"', "").replace("`", "").removeprefix("public.")


class Relation(Record, frozen=False):
    """One table or view as far as it was seen."""

    name: str
    kind: RelationKind = "table"
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    constraints: dict[str, Constraint] = field(default_factory=dict[str, Constraint])
    has_rows: bool | None = None
    parent: str | None = None
    bound: PartitionBound | None = None
    inherits: tuple[str, ...] = ()
    of_type: str | None = None
    partition_key: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    reads_columns: tuple[str, ...] = ()
    created_in: str | None = None
    """The mark of the run that created it; None for what stood there before."""
    is_complete: bool = False
    """Its CREATE was read, so a column that is not here does not exist."""


class Index(Record, frozen=False):
    """One index as far as it was seen."""

    name: str
    table: str
    columns: tuple[str, ...] = ()
    is_unique: bool = False
    is_partitioned: bool = False
    has_where: bool = False
    is_constraint: bool = False
    parent: str | None = None
    created_in: str | None = None


class Function(Record, frozen=False):
    """What decides whether a default that calls it rewrites the table."""

    volatility: str
    language: str
    is_inlined: bool


class Domain(Record, frozen=False):
    """A domain and its constraints by name, with whether each is valid."""

    base: str
    constraints: dict[str, bool] = field(default_factory=dict[str, bool])


class Catalog(Record, frozen=False):
    """A schema that grows statement by statement. With `is_complete`, what is not in it does not exist."""

    relations: dict[str, Relation] = field(default_factory=dict[str, Relation])
    indexes: dict[str, Index] = field(default_factory=dict[str, Index])
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    composites: set[str] = field(default_factory=set[str])
    domains: dict[str, Domain] = field(default_factory=dict[str, Domain])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    triggers: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    settings: dict[str, str] = field(default_factory=dict[str, str])
    is_complete: bool = False

    def copy(self) -> "Catalog":
        """An independent copy."""
        return deepcopy(self)

    def relation(self, name: str | None) -> Relation | None:
        """The relation of that name; a bare name also finds the only one in another schema."""
        if name is None:
            return None
        key = key_of(name)
        found = self.relations.get(key) or self.relations.get(key.lower())
        if found is not None:
            return found
        bare = key.rpartition(".")[2]
        if "." in key:
            return self.relations.get(bare) if key.partition(".")[0] in ("main", "dbo") else None
        others = [r for k, r in self.relations.items() if k.rpartition(".")[2] == bare]
        return others[0] if len(others) == 1 else None

    def index(self, name: str | None) -> Index | None:
        """The index of that name, schema or not."""
        return None if name is None else self.indexes.get(key_of(name).rpartition(".")[2])

    def column(self, table: str | None, name: str) -> Column | None:
        """The column, when it is known."""
        relation = self.relation(table)
        return None if relation is None else relation.columns.get(name)

    def known(self, name: str) -> Relation:
        """The relation of that name, made on the spot when it was not seen before."""
        found = self.relation(name)
        if found is None:
            found = self.relations[key_of(name)] = Relation(key_of(name))
        return found

    def partitions(self, name: str) -> tuple[Relation, ...]:
        """The partitions of a table."""
        return tuple(r for r in self.relations.values() if r.parent == key_of(name))

    def descendants(self, name: str) -> tuple[Relation, ...]:
        """Partitions and inheritance children, all the way down."""
        found: dict[str, Relation] = {}
        queue = [key_of(name)]
        while queue:
            above = queue.pop()
            for relation in self.relations.values():
                if relation.name not in found and (relation.parent == above or above in relation.inherits):
                    found[relation.name] = relation
                    queue.append(relation.name)
        return tuple(found.values())

    def referencing(self, name: str) -> Iterator[tuple[Relation, Constraint]]:
        """Foreign keys that point at the table."""
        target = key_of(name)
        for relation in self.relations.values():
            for constraint in relation.constraints.values():
                if constraint.referenced_table is not None and key_of(constraint.referenced_table) == target:
                    yield relation, constraint

    def indexes_of(self, name: str) -> tuple[Index, ...]:
        """The indexes of a table."""
        return tuple(i for i in self.indexes.values() if i.table == key_of(name))

    def views_on(self, name: str, column: str | None = None) -> tuple[Relation, ...]:
        """Views and materialized views that read the table (and the column)."""
        table = key_of(name)
        return tuple(
            r
            for r in self.relations.values()
            if r.kind in ("view", "matview")
            and any(key_of(t) == table for t in r.reads)
            and (column is None or column in r.reads_columns)
        )

    def tables_with_type(self, type_name: str) -> Iterator[tuple[Relation, str]]:
        """Tables with a column of that type, and the column."""
        wanted = type_name.removeprefix("public.")
        for relation in self.relations.values():
            for column in relation.columns.values():
                if column.type.removesuffix("[]").removeprefix("public.") == wanted:
                    yield relation, column.name
