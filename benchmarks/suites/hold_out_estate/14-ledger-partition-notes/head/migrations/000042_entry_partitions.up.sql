-- Monthly partitions, see docs/partitions.md.
-- Don't DROP TABLE entry_... here; it takes ACCESS EXCLUSIVE on entry.
CREATE TABLE IF NOT EXISTS entry_2026_06 PARTITION OF entry FOR VALUES FROM ('2026-06-01') TO ('2026-07-01');
