-- migrate:up
ALTER TABLE readings VALIDATE CONSTRAINT readings_value_positive;

-- migrate:down
