ALTER TABLE orders ADD COLUMN source text;
