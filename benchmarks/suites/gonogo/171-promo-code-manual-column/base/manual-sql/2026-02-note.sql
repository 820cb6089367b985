ALTER TABLE purchases ADD COLUMN note text;
