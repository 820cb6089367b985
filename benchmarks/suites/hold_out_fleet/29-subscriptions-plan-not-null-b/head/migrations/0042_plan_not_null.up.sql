-- the importer sets it since 2026-01
ALTER TABLE subscriptions ALTER COLUMN plan_id SET NOT NULL;
