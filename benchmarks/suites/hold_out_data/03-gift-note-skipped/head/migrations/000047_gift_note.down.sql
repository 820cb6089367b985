ALTER TABLE orders DROP COLUMN gift_note;
