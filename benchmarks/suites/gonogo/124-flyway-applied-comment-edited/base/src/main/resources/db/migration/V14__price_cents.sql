-- gross price in cents
ALTER TABLE prices ADD COLUMN cents bigint;
