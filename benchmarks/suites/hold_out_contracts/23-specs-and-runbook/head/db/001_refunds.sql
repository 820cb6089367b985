CREATE TABLE refunds (id bigserial PRIMARY KEY, payment_id bigint NOT NULL);
CREATE INDEX ix_refunds_payment ON refunds (payment_id);
