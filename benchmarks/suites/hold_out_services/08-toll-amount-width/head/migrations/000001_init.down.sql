DROP TABLE toll_postings;
