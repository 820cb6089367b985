CREATE TABLE seats (
    id bigserial PRIMARY KEY,
    venue_id bigint NOT NULL,
    row_no int NOT NULL,
    label text
);
