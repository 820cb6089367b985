-- migrate:up
ALTER ROLE settle_app SET statement_timeout = '5s';

-- migrate:down
ALTER ROLE settle_app SET statement_timeout = '60s';
