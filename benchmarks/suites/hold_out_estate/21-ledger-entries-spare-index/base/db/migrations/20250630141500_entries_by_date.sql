-- migrate:up transaction:false
CREATE INDEX CONCURRENTLY entries_account_id_booked_at_idx ON entries (account_id, booked_at DESC);

-- migrate:down transaction:false
DROP INDEX CONCURRENTLY entries_account_id_booked_at_idx;
