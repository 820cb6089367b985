BEGIN;
DROP VIEW vendors;
ALTER TABLE supply_partners RENAME TO vendors;
COMMIT;
