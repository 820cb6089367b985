ALTER TABLE sessions ADD COLUMN IF NOT EXISTS tariff_id bigint;
