SET lock_timeout = '2s';
ALTER TABLE parcels
    ALTER COLUMN depot_id SET NOT NULL;
