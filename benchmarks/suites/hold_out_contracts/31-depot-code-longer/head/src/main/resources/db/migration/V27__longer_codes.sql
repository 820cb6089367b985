-- partner codes have up to 72 characters
ALTER TABLE scan_events MODIFY COLUMN depot_code VARCHAR(80) NOT NULL;
