ALTER TABLE users ADD COLUMN seen_at timestamptz;
