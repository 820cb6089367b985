CREATE TABLE documents (id bigserial PRIMARY KEY, body bytea NOT NULL, stored_at timestamptz NOT NULL DEFAULT now());
