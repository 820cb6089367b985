-- migrate:up
CREATE ROLE settle_app LOGIN;
GRANT SELECT, INSERT, UPDATE ON postings, closes TO settle_app;
ALTER ROLE settle_app SET statement_timeout = '60s';

-- migrate:down
DROP ROLE settle_app;
