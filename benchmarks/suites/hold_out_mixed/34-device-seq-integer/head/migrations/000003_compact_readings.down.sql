ALTER TABLE readings ALTER COLUMN device_seq TYPE bigint;
