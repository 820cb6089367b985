ALTER TABLE orders ADD COLUMN channel text;
