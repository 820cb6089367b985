CREATE TABLE stores (id bigint PRIMARY KEY, name text NOT NULL, city text NOT NULL);
