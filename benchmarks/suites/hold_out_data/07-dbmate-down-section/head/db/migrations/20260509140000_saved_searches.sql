-- migrate:up
CREATE TABLE saved_searches (
  id bigserial PRIMARY KEY,
  owner_id bigint NOT NULL,
  query text NOT NULL
);
CREATE INDEX saved_searches_owner ON saved_searches (owner_id);

-- migrate:down
-- cached results may name saved searches
TRUNCATE TABLE items_search_cache;
DROP TABLE saved_searches;
