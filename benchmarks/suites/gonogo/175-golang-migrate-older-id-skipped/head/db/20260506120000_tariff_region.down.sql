ALTER TABLE tariffs DROP COLUMN region;
