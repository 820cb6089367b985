ALTER TABLE toll_postings MODIFY COLUMN amount_minor INT NOT NULL;
