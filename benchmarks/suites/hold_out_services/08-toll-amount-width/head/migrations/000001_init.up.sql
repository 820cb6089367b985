CREATE TABLE toll_postings (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT NOT NULL,
  gantry_id INT NOT NULL,
  amount_minor INT NOT NULL,
  posted_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  KEY ix_account_posted (account_id, posted_at)
) ENGINE=InnoDB;
