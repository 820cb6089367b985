SET lock_timeout = '2s';
DROP TABLE sessions_v1;
