ALTER TABLE depots ADD COLUMN region text;
