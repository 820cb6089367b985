-- partner codes have up to 72 characters
ALTER TABLE scan_events MODIFY COLUMN hub_code VARCHAR(80) NOT NULL;
