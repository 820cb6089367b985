ALTER TABLE shipments ADD COLUMN carrier_id bigint;
