ALTER TABLE collection_stop
    ALTER COLUMN depot_code SET NOT NULL;
