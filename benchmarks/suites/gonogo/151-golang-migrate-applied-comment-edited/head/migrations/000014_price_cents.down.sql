ALTER TABLE discounts DROP COLUMN cents;
