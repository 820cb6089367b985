"""The rules that a statement and a schema are enough for, in reading order."""

from heuristics.rule import Rule
from heuristics.rules.migrations import (
    add_not_null_without_default,
    backfill_in_transaction,
    changes_every_row,
    column_dropped,
    column_renamed,
    enum_label_renamed,
    index_dropped,
    predicted_error,
    relied_on_changed,
    statement_not_analysed,
    table_dropped,
    table_renamed,
    truncate,
    type_narrowed,
    unique_over_existing_rows,
)
from heuristics.rules.mysql import copies_table
from heuristics.rules.postgres import (
    add_column_volatile_default,
    check_not_valid,
    concurrently_in_transaction,
    foreign_key_not_valid,
    index_not_concurrent,
    lock_timeout_missing,
    partition_scan,
    refresh_blocks_reads,
    reindex_not_concurrent,
    set_not_null_scan,
    type_change_rewrites,
    unique_builds_index,
    vacuum_full,
    validated_in_same_transaction,
)

LINT_RULES: tuple[Rule, ...] = (
    add_column_volatile_default,
    check_not_valid,
    concurrently_in_transaction,
    foreign_key_not_valid,
    index_not_concurrent,
    lock_timeout_missing,
    partition_scan,
    refresh_blocks_reads,
    reindex_not_concurrent,
    set_not_null_scan,
    type_change_rewrites,
    unique_builds_index,
    vacuum_full,
    validated_in_same_transaction,
    copies_table,
    add_not_null_without_default,
    backfill_in_transaction,
    changes_every_row,
    column_dropped,
    column_renamed,
    enum_label_renamed,
    index_dropped,
    predicted_error,
    relied_on_changed,
    statement_not_analysed,
    table_dropped,
    table_renamed,
    truncate,
    type_narrowed,
    unique_over_existing_rows,
)

ADVICE = frozenset(rule.INFO.id for rule in (lock_timeout_missing, index_dropped, type_narrowed, unique_over_existing_rows))
"""What the statement alone does not settle: rows, queries and sessions of production do. It is told, and does not fail a lint."""
