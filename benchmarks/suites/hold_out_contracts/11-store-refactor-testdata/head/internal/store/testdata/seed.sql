DROP TABLE IF EXISTS invoices;
CREATE TABLE invoices (id bigint PRIMARY KEY, total_minor bigint NOT NULL);
INSERT INTO invoices (id, total_minor) VALUES (1, 1250);
