ALTER TABLE parcels VALIDATE CONSTRAINT parcels_depot_id_present;
