ALTER TABLE purchases ADD COLUMN promo_code text;
