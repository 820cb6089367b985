CREATE TABLE depot (
    id   integer PRIMARY KEY,
    name text NOT NULL
);
