CREATE TABLE invoices (id bigint PRIMARY KEY, total_minor bigint NOT NULL);
