-- migrate:up
CREATE TABLE items (id bigserial PRIMARY KEY, title text NOT NULL);

-- migrate:down
DROP TABLE items;
