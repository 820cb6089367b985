SET work_mem = '256MB';
SET max_parallel_workers_per_gather = 2;
BEGIN;
DELETE FROM balances_daily WHERE day >= current_date - 1;
INSERT INTO balances_daily (account_id, day, balance)
SELECT account_id, current_date, sum(amount) FROM entries GROUP BY account_id;
COMMIT;
