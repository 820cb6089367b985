ALTER TABLE carriers ADD COLUMN contact text;
