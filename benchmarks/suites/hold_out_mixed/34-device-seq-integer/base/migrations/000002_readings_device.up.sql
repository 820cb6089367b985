CREATE INDEX CONCURRENTLY readings_device_idx ON readings (device_id, taken_at);
