ALTER TABLE redemptions ADD COLUMN note text;
