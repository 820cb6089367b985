CREATE TABLE inventory (player TEXT NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX inventory_player ON inventory (player);
