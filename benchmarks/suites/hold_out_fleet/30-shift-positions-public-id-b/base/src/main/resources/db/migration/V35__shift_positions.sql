CREATE TABLE shift_positions (
    id          bigserial PRIMARY KEY,
    shift_id    bigint NOT NULL,
    courier_id  bigint NOT NULL,
    lat         double precision NOT NULL,
    lon         double precision NOT NULL,
    seen_at     timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX shift_positions_shift_courier ON shift_positions (shift_id, courier_id);
