ALTER TABLE vendors DROP COLUMN contact;
