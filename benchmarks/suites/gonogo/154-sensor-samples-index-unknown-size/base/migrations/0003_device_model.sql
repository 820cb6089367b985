-- +goose Up
ALTER TABLE devices ADD COLUMN model text;

-- +goose Down
ALTER TABLE devices DROP COLUMN model;
