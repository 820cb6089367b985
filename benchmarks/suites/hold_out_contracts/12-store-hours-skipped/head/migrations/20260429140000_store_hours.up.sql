CREATE TABLE store_hours (
  store_id bigint NOT NULL REFERENCES stores (id),
  weekday smallint NOT NULL,
  opens time NOT NULL,
  closes time NOT NULL,
  PRIMARY KEY (store_id, weekday)
);
