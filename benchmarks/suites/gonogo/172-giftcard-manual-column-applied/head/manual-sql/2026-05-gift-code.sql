ALTER TABLE redemptions ADD COLUMN gift_code text;
