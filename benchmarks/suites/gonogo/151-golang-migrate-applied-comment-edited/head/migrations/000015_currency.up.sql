ALTER TABLE discounts ADD COLUMN currency char(3);
