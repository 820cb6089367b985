SET lock_timeout = '2s';

ALTER TABLE payouts DROP COLUMN fee_minor;
