ALTER TABLE shipments ADD COLUMN delivery_from timestamptz;
ALTER TABLE shipments ADD COLUMN delivery_to timestamptz;
