"""Database migrations of a change: what SQL they run, and what it does on the server."""

from heuristics.sql.alternatives import safe_alternative, safe_statements
from heuristics.sql.catalog import Catalog
from heuristics.sql.dialect import guess_dialect
from heuristics.sql.migrations import known_schema, migrations_in
from heuristics.sql.ordering import OrderingKind, OrderingProblem, Outcome, ordering_problems
from heuristics.sql.paths import is_migration_path
from heuristics.sql.simulate import facts, simulate, statement_effect
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
    "guess_dialect",
    "is_migration_path",
    "known_schema",
    "migrations_in",
    "ordering_problems",
    "safe_alternative",
    "safe_statements",
    "simulate",
    "statement_effect",
]
