"""What is asked of PostgreSQL. All of it is readable by a role with pg_monitor and nothing else, but where it says SELECT.

Sources: PostgreSQL documentation, 'Monitoring Database Activity' and 'System Catalogs', versions 11 to 18.
"""

SERVER = """
SELECT current_setting('server_version') AS version, current_database() AS database, pg_is_in_recovery() AS is_replica,
       (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()) AS stats_reset,
       pg_has_role(current_user, 'pg_monitor', 'MEMBER') AS is_monitor, current_user AS role
"""

INITIALISED = "SELECT to_timestamp(((system_identifier >> 32) & 4294967295)::bigint) AS at FROM pg_control_system()"
"""When the cluster was made: counters that were never reset are not older."""

COUNTERS = """
SELECT clock_timestamp() AS at, relid::bigint AS relation,
       n_tup_ins + n_tup_upd + n_tup_del AS writes, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS reads,
       n_tup_ins AS inserts, n_dead_tup AS dead
FROM pg_stat_user_tables
"""

INDEX_COUNTERS = "SELECT indexrelid::bigint AS relation, idx_scan AS scans FROM pg_stat_user_indexes"

TABLES = """
SELECT c.oid::bigint AS relation, n.nspname AS schema, c.relname AS name, c.reltuples::float8 AS row_estimate,
       c.relkind::text AS kind, c.relispartition AS is_partition,
       (SELECT i.inhparent::bigint FROM pg_inherits i WHERE i.inhrelid = c.oid AND c.relispartition) AS parent,
       has_table_privilege(c.oid, 'SELECT') AS may_select
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'm') AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
ORDER BY n.nspname, c.relname
LIMIT %(limit)s
"""

SIZES = "SELECT oid::bigint AS relation, pg_total_relation_size(oid) AS bytes FROM unnest(%(relations)s::oid[]) AS oid"
"""Takes a weak lock on each relation for an instant, so it waits behind whoever has one of them exclusively: `lock_timeout`."""

PAGES = """
SELECT c.oid::bigint AS relation,
       (c.relpages + coalesce(t.relpages, 0) + coalesce((SELECT sum(x.relpages) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
         WHERE i.indrelid IN (c.oid, t.oid)), 0)) * current_setting('block_size')::bigint AS bytes
FROM pg_class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.oid = ANY(%(relations)s::oid[])
"""
"""Sizes as the last VACUUM or ANALYZE left them: no lock is taken."""

INDEXES = """
SELECT x.oid::bigint AS relation, i.indrelid::bigint AS table_relation, n.nspname AS schema, t.relname AS table, x.relname AS name,
       pg_get_indexdef(x.oid) AS definition, x.relpages::bigint * current_setting('block_size')::bigint AS bytes,
       i.indisvalid AS is_valid, i.indisunique AS is_unique, x.relkind::text AS kind
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE t.relkind IN ('r', 'p', 'm') AND t.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
ORDER BY n.nspname, x.relname
LIMIT %(limit)s
"""

COLUMNS = """
SELECT a.attrelid::bigint AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
       CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS "default"
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'm') AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
ORDER BY a.attrelid, a.attnum
LIMIT %(limit)s
"""

STATISTICS = """
SELECT schemaname AS schema, tablename AS table, attname AS column, null_frac::float8 AS null_fraction, n_distinct::float8 AS n_distinct,
       CASE WHEN n_distinct BETWEEN 0 AND 100 THEN most_common_vals::text::text[] END AS most_common_vals,
       CASE WHEN n_distinct BETWEEN 0 AND 100 THEN most_common_freqs::float8[] END AS most_common_freqs
FROM pg_stats WHERE schemaname <> 'information_schema' AND schemaname !~ '^pg_'
ORDER BY inherited
LIMIT %(limit)s
"""
"""Needs SELECT on the column: the view leaves out the others. Of a table with children, the row with theirs comes last."""

CONSTRAINTS = """
SELECT n.nspname AS schema, t.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition,
       k.convalidated AS validated,
       CASE k.contype WHEN 'c' THEN 'CHECK' WHEN 'f' THEN 'FOREIGN KEY' WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE'
         WHEN 'x' THEN 'EXCLUDE' WHEN 'n' THEN 'NOT NULL' ELSE k.contype::text END AS type
FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE k.contype <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
ORDER BY n.nspname, t.relname, k.conname
LIMIT %(limit)s
"""

TRANSACTIONS = """
SELECT count(*) AS open_transactions, count(*) FILTER (WHERE state LIKE 'idle in transaction%') AS idle_in_transaction,
       max(extract(epoch FROM clock_timestamp() - xact_start))::float8 AS longest_transaction_s
FROM pg_stat_activity
WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database() AND backend_type = 'client backend'
"""

CONNECTIONS = """
SELECT count(*) AS connections, count(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting_for_locks
FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""

REPLICAS = """
SELECT application_name AS name, state, sync_state, extract(epoch FROM replay_lag)::float8 AS replay_lag_s,
       pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, replay_lsn)::float8
         AS replay_lag_bytes
FROM pg_stat_replication ORDER BY application_name
"""

SLOTS = """
SELECT slot_name AS name, slot_type AS type, active,
       CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 END AS retained_bytes
FROM pg_replication_slots ORDER BY slot_name
"""

STANDBY_LAG = """
SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
       ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END AS replica_lag_s
"""

SETTINGS = """
SELECT name, CASE WHEN unit IS NULL OR reset_val IN ('0', '-1') THEN reset_val
       WHEN unit = '8kB' THEN reset_val::bigint * 8 || 'kB' ELSE reset_val || unit END AS value
FROM pg_settings WHERE name = ANY(%(names)s)
"""
"""`reset_val` is what a new session gets; this one has time-outs of its own."""

SETTING_NAMES = [
    "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout", "deadlock_timeout",
    "max_connections", "superuser_reserved_connections", "reserved_connections", "max_locks_per_transaction",
    "default_transaction_isolation", "autovacuum", "maintenance_work_mem", "max_parallel_maintenance_workers", "wal_level",
    "synchronous_commit", "synchronous_standby_names", "max_wal_size", "hot_standby_feedback", "max_standby_streaming_delay",
    "log_lock_waits", "shared_buffers", "work_mem", "max_replication_slots", "TimeZone",
]  # fmt: skip
"""Settings that decide who waits for whom, how long, and how many may come."""
