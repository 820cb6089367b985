-- +goose NO TRANSACTION
-- +goose Up
CREATE INDEX CONCURRENTLY IF NOT EXISTS stops_route_id_idx ON stops (route_id);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS stops_route_id_idx;
