-- +goose Up
ALTER TABLE deliveries ADD COLUMN state text NOT NULL DEFAULT 'new';

-- +goose Down
ALTER TABLE deliveries DROP COLUMN state;
