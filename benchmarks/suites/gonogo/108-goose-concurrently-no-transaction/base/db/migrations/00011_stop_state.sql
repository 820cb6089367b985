-- +goose Up
ALTER TABLE stops ADD COLUMN state text NOT NULL DEFAULT 'new';

-- +goose Down
ALTER TABLE stops DROP COLUMN state;
