CREATE TABLE readings (
    id bigserial PRIMARY KEY,
    device_id bigint NOT NULL,
    device_seq bigint NOT NULL,
    celsius real,
    taken_at timestamptz NOT NULL DEFAULT now()
);
