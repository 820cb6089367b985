-- net price in cents
ALTER TABLE discounts ADD COLUMN cents bigint;
