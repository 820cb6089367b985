CREATE TABLE merchant_tags (store_id bigint NOT NULL REFERENCES stores (id), tag text NOT NULL, PRIMARY KEY (store_id, tag));
