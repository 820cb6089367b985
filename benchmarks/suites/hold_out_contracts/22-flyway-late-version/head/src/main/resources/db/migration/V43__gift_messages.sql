CREATE TABLE gift_messages (
  order_id bigint PRIMARY KEY,
  body text NOT NULL
);
