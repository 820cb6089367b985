"""Database migrations of a change: what SQL they run, and what it does on the server.

Readers, grammars and models load when a migration is there: most changes have none.
"""

from collections.abc import Iterable, Sequence

from gonogo.change import ChangeSet
from gonogo.ports import SourceTree
from heuristics.sql.catalog import Catalog
from heuristics.sql.order_words import OrderingKind, OrderingProblem, Outcome
from heuristics.sql.paths import is_migration_path
from heuristics.sql.words import Action, Column, Constraint, Dialect, Effect, Operation, Simulated, Statement

__all__ = [
    "Action",
    "Catalog",
    "Column",
    "Constraint",
    "Dialect",
    "Effect",
    "Operation",
    "OrderingKind",
    "OrderingProblem",
    "Outcome",
    "Simulated",
    "Statement",
    "facts",
    "framework_of_file",
    "guess_dialect",
    "is_migration_path",
    "known_schema",
    "migrations_in",
    "ordering_problems",
    "parsed",
    "safe_alternative",
    "safe_statements",
    "simulate",
    "statement_effect",
]


def migrations_in(changed_paths: Sequence[str], tree: SourceTree, *, dialect: Dialect | None = None) -> tuple[Operation, ...]:
    """The operations of the migration files among these paths, in the order they will run.

    Every statement of such a file is among them: one that cannot be read has the action `not_analysed`.
    """
    if not any(is_migration_path(path) for path in changed_paths):
        return ()
    from heuristics.sql import migrations  # noqa: PLC0415

    return migrations.migrations_in(changed_paths, tree, dialect=dialect)


def known_schema(operations: Sequence[Operation], tree: SourceTree, *, but: Sequence[str]) -> Catalog:
    """What the tree says about the tables and indexes of these operations: its schema file, else its other migrations.

    `but` are the files of the change itself. Give the base tree where there is one: a schema file of the head is newer.
    """
    from heuristics.sql import migrations  # noqa: PLC0415

    return migrations.known_schema(operations, tree, but=but)


def framework_of_file(path: str, tree: SourceTree) -> str | None:
    """The framework or runner that a migration file belongs to; None when it is not one."""
    from heuristics.sql import migrations  # noqa: PLC0415

    return migrations.framework_of_file(path, tree)


def guess_dialect(tree: SourceTree) -> Dialect:
    """The database that most signs of the repository point at; `unknown` when there is none."""
    from heuristics.sql import dialect  # noqa: PLC0415

    return dialect.guess_dialect(tree)


def parsed(statement: Statement) -> tuple[Operation, ...]:
    """The operations of one PostgreSQL statement; one that cannot be parsed is `not_analysed`."""
    from heuristics.sql.postgres import read_postgres  # noqa: PLC0415

    return read_postgres(statement)


def ordering_problems(changes: ChangeSet, base: SourceTree, head: SourceTree) -> tuple[OrderingProblem, ...]:
    """Everything that is out of order among the migrations of a change, worst outcomes as the runner decides them.

    A file that is edited or removed matters when production has applied it: the caller asks for that.
    """
    from heuristics.sql import ordering  # noqa: PLC0415

    return ordering.ordering_problems(changes, base, head)


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
    from heuristics.sql import simulation  # noqa: PLC0415

    return simulation.facts(
        operation,
        server_version=server_version,
        table_is_empty=table_is_empty,
        is_new_table=is_new_table,
        catalog=catalog,
        engine=engine,
    )


def simulate(
    operations: Sequence[Operation], *, engine: str, server_version: int | None, catalog: Catalog | None = None
) -> tuple[Simulated, ...]:
    """Every operation in its place in the run, in the order given.

    `catalog` is the schema before the run; it is not changed. With an empty `engine` each statement's own dialect decides.
    """
    from heuristics.sql import simulation  # noqa: PLC0415

    return simulation.simulate(operations, engine=engine, server_version=server_version, catalog=catalog)


def statement_effect(simulated: Iterable[Simulated]) -> Effect:
    """The effect of a whole statement: its operations together, under every lock that is held while it runs."""
    from heuristics.sql import simulation  # noqa: PLC0415

    return simulation.statement_effect(simulated)


def safe_alternative(operation: Operation) -> str:
    """What to write instead, in the words of the operation's own framework."""
    from heuristics.sql import alternatives  # noqa: PLC0415

    return alternatives.safe_alternative(operation)


def safe_statements(operation: Operation) -> tuple[tuple[str, ...], ...]:
    """The SQL of the safe way, one inner tuple a transaction."""
    from heuristics.sql import alternatives  # noqa: PLC0415

    return alternatives.safe_statements(operation)
