SET lock_timeout = '2s';
ALTER TABLE parcels
    ADD CONSTRAINT parcels_depot_id_present CHECK (depot_id IS NOT NULL) NOT VALID;
