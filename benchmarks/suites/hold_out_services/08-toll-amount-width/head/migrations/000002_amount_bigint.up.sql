ALTER TABLE toll_postings MODIFY COLUMN amount_minor BIGINT NOT NULL;
