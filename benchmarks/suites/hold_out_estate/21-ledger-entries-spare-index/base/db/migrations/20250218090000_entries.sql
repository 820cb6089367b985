-- migrate:up
CREATE TABLE entries (
  id         bigserial PRIMARY KEY,
  account_id bigint      NOT NULL REFERENCES accounts (id),
  kind       text        NOT NULL,
  cents      bigint      NOT NULL,
  booked_at  timestamptz NOT NULL
);
CREATE INDEX entries_account_id_idx ON entries (account_id);

-- migrate:down
DROP TABLE entries;
