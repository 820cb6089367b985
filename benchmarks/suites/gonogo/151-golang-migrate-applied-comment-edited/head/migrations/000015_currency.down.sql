ALTER TABLE discounts DROP COLUMN currency;
