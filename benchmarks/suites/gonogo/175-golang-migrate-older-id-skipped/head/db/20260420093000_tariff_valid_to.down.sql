ALTER TABLE tariffs DROP COLUMN valid_to;
