"""Every rule, in reading order. A rule that is not listed does not run."""

from heuristics.later import LaterRule, mentions_sql
from heuristics.rule import Rule
from heuristics.rules.aws_lambda import concurrency_lowered, memory_lowered, time_out_lowered
from heuristics.rules.cache import key_changed as cache_key_changed
from heuristics.rules.cache import life_shortened as cache_life_shortened
from heuristics.rules.cache import switched_off as cache_switched_off
from heuristics.rules.calls import added_in_loop, blocks_event_loop, limit_removed
from heuristics.rules.capacity import autoscaling_lowered as capacity_autoscaling_lowered
from heuristics.rules.capacity import concurrency_lowered as capacity_concurrency_lowered
from heuristics.rules.capacity import concurrency_raised, pool_raised, throughput_lowered
from heuristics.rules.capacity import cpu_limit_lowered as capacity_cpu_limit_lowered
from heuristics.rules.capacity import eviction_disabled as capacity_eviction_disabled
from heuristics.rules.capacity import instance_downsized as capacity_instance_downsized
from heuristics.rules.capacity import limit_lowered as capacity_limit_lowered
from heuristics.rules.capacity import memory_lowered as capacity_memory_lowered
from heuristics.rules.capacity import replicas_lowered as capacity_replicas_lowered
from heuristics.rules.config import name_missing, name_removed
from heuristics.rules.dependencies import removed_api
from heuristics.rules.flags import turned
from heuristics.rules.http import endpoint_removed, input_narrowed, origin_removed, retries_raised
from heuristics.rules.http import time_out_lowered as http_time_out_lowered
from heuristics.rules.iam import action_removed
from heuristics.rules.logs import level_lowered, whole_body_logged
from heuristics.rules.network import record_moved, rule_removed, tls_narrowed
from heuristics.rules.queues import (
    batch_outlasts_time_out,
    consumer_removed,
    dead_letters_removed,
    max_receive_lowered,
    message_field_removed,
    visibility_below_time_out,
)
from heuristics.rules.regex import catastrophic
from heuristics.rules.retention import shortened as retention_shortened
from heuristics.rules.rollout import all_at_once as rollout_all_at_once
from heuristics.rules.rollout import grace_shortened as rollout_grace_shortened
from heuristics.rules.rollout import probe_path_missing as rollout_probe_path_missing
from heuristics.rules.rollout import probe_tightened as rollout_probe_tightened
from heuristics.rules.rollout import readiness_removed as rollout_readiness_removed
from heuristics.rules.schedule import more_frequent as schedule_more_frequent
from heuristics.rules.schedule import same_minute as schedule_same_minute
from heuristics.rules.schedule import spread_removed as schedule_spread_removed
from heuristics.rules.schedule import switched_off as schedule_switched_off
from heuristics.rules.stateful import removed as state_removed
from heuristics.rules.stateful import replaced as state_replaced

_OF_SQL = tuple(
    LaterRule(f"heuristics.rules.{name}", mentions_sql)
    for name in (
        "postgres.add_column_volatile_default",
        "postgres.check_not_valid",
        "postgres.concurrently_in_transaction",
        "postgres.foreign_key_not_valid",
        "postgres.index_not_concurrent",
        "postgres.lock_timeout_missing",
        "postgres.partition_scan",
        "postgres.refresh_blocks_reads",
        "postgres.reindex_not_concurrent",
        "postgres.set_not_null_scan",
        "postgres.type_change_rewrites",
        "postgres.unique_builds_index",
        "postgres.vacuum_full",
        "postgres.validated_in_same_transaction",
        "mysql.copies_table",
        "migrations.add_not_null_without_default",
        "migrations.applied_file_edited",
        "migrations.applied_file_removed",
        "migrations.backfill_in_transaction",
        "migrations.changes_every_row",
        "migrations.column_dropped",
        "migrations.column_renamed",
        "migrations.enum_label_renamed",
        "migrations.index_dropped",
        "migrations.older_than_applied",
        "migrations.predicted_error",
        "migrations.relied_on_changed",
        "migrations.statement_not_analysed",
        "migrations.table_dropped",
        "migrations.table_renamed",
        "migrations.truncate",
        "migrations.two_heads",
        "migrations.type_narrowed",
        "migrations.unique_over_existing_rows",
    )
)

RULES: tuple[Rule, ...] = (
    *_OF_SQL,
    time_out_lowered,
    memory_lowered,
    concurrency_lowered,
    visibility_below_time_out,
    batch_outlasts_time_out,
    max_receive_lowered,
    http_time_out_lowered,
    retries_raised,
    capacity_memory_lowered,
    capacity_concurrency_lowered,
    concurrency_raised,
    pool_raised,
    throughput_lowered,
    name_missing,
    name_removed,
    consumer_removed,
    dead_letters_removed,
    message_field_removed,
    endpoint_removed,
    input_narrowed,
    origin_removed,
    action_removed,
    record_moved,
    rule_removed,
    tls_narrowed,
    state_replaced,
    state_removed,
    retention_shortened,
    capacity_replicas_lowered,
    capacity_autoscaling_lowered,
    capacity_cpu_limit_lowered,
    capacity_instance_downsized,
    capacity_limit_lowered,
    capacity_eviction_disabled,
    rollout_probe_tightened,
    rollout_probe_path_missing,
    rollout_readiness_removed,
    rollout_all_at_once,
    rollout_grace_shortened,
    cache_life_shortened,
    cache_switched_off,
    cache_key_changed,
    schedule_more_frequent,
    schedule_same_minute,
    schedule_switched_off,
    schedule_spread_removed,
    removed_api,
    turned,
    level_lowered,
    whole_body_logged,
    added_in_loop,
    blocks_event_loop,
    limit_removed,
    catastrophic,
)
