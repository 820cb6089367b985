ALTER TABLE orders ADD COLUMN gift_note text;
