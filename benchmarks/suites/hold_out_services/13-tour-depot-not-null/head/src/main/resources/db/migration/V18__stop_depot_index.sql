CREATE INDEX IF NOT EXISTS collection_stop_depot_code_idx ON collection_stop (depot_code);
