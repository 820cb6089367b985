ALTER TABLE events ADD COLUMN source text;
