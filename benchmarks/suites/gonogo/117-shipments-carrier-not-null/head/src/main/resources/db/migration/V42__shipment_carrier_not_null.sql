-- every shipment has a carrier since 2025-07
ALTER TABLE shipments
    ALTER COLUMN carrier_id SET NOT NULL;
