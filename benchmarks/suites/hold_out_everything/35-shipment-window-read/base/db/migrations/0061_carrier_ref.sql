ALTER TABLE shipments ADD COLUMN carrier_ref text;
