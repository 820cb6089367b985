-- migrate:up transaction:false
DROP INDEX CONCURRENTLY IF EXISTS entries_account_id_idx;

-- migrate:down transaction:false
CREATE INDEX CONCURRENTLY entries_account_id_idx ON entries (account_id);
