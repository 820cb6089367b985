-- migrate:up
SET LOCAL lock_timeout = '2s';
ALTER TABLE readings ADD CONSTRAINT readings_value_positive CHECK (value >= 0) NOT VALID;

-- migrate:down
ALTER TABLE readings DROP CONSTRAINT readings_value_positive;
