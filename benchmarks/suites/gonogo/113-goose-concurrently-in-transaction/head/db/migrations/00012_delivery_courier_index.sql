-- +goose Up
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_courier_id_idx ON deliveries (courier_id);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS deliveries_courier_id_idx;
