-- +goose Up
CREATE INDEX samples_device_at_idx ON samples (device_id, at DESC);

-- +goose Down
DROP INDEX samples_device_at_idx;
