ALTER TABLE prices ADD COLUMN currency char(3);
