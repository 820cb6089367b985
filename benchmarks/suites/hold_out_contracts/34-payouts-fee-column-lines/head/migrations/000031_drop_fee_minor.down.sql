ALTER TABLE payouts ADD COLUMN fee_minor bigint;
