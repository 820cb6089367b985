CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_started_at_idx ON sessions (started_at);
