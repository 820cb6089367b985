"""Every rule, in reading order. A rule that is not listed does not run."""

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
from heuristics.rules.migrations import (
    add_not_null_without_default,
    applied_file_edited,
    applied_file_removed,
    backfill_in_transaction,
    changes_every_row,
    column_dropped,
    column_renamed,
    enum_label_renamed,
    index_dropped,
    older_than_applied,
    predicted_error,
    statement_not_analysed,
    table_dropped,
    table_renamed,
    truncate,
    two_heads,
    type_narrowed,
    unique_over_existing_rows,
)
from heuristics.rules.mysql import (
    copies_table,
)
from heuristics.rules.network import record_moved, rule_removed, tls_narrowed
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

RULES: tuple[Rule, ...] = (
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
    applied_file_edited,
    applied_file_removed,
    backfill_in_transaction,
    changes_every_row,
    column_dropped,
    column_renamed,
    enum_label_renamed,
    index_dropped,
    older_than_applied,
    predicted_error,
    statement_not_analysed,
    table_dropped,
    table_renamed,
    truncate,
    two_heads,
    type_narrowed,
    unique_over_existing_rows,
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
