CREATE INDEX scan_events_depot ON scan_events (depot_id, scanned_at);
