DELETE FROM invoices;
INSERT INTO invoices (id, total_minor) VALUES (1, 1250);
