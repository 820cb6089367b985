ALTER TABLE events DROP COLUMN archived;
