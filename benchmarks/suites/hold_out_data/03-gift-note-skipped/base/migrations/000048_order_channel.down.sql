ALTER TABLE orders DROP COLUMN channel;
