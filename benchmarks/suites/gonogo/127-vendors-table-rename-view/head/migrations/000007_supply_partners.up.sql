BEGIN;
SET LOCAL lock_timeout = '2s';
ALTER TABLE vendors RENAME TO supply_partners;
CREATE VIEW vendors AS SELECT * FROM supply_partners;
COMMIT;
