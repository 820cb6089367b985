ALTER TABLE tariffs ADD COLUMN valid_to date;
