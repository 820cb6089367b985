ALTER TABLE vendors ADD COLUMN contact text;
