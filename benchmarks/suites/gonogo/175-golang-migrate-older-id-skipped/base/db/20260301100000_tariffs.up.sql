CREATE TABLE tariffs (id bigserial PRIMARY KEY, name text NOT NULL, valid_from date NOT NULL);
