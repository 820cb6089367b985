CREATE TABLE scan_event (
    id           serial PRIMARY KEY,
    barcode      varchar(64) NOT NULL,
    depot_id     integer     NOT NULL,
    carrier_code varchar(24) NOT NULL,
    scanned_at   timestamptz NOT NULL
);
CREATE INDEX scan_event_barcode ON scan_event (barcode);
