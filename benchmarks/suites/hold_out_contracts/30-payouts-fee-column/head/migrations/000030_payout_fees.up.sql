CREATE TABLE payout_fees (payout_id bigint PRIMARY KEY REFERENCES payouts (id), fee_minor bigint NOT NULL);
