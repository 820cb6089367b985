ALTER TABLE carriers DROP COLUMN contact;
