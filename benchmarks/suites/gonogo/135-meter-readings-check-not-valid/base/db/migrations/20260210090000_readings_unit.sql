-- migrate:up
ALTER TABLE readings ADD COLUMN unit text NOT NULL DEFAULT 'kWh';

-- migrate:down
ALTER TABLE readings DROP COLUMN unit;
