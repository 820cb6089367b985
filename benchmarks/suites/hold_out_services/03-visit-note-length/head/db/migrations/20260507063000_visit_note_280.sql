-- migrate:up
ALTER TABLE visit_notes ALTER COLUMN note TYPE varchar(280);

-- migrate:down
ALTER TABLE visit_notes ALTER COLUMN note TYPE text;
