SET statement_timeout = 0;
COMMENT ON TABLE readings IS 'one row per sensor reading';
ALTER TABLE readings ALTER COLUMN device_seq TYPE integer;
