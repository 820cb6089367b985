LATEST = "SELECT kind, cents, booked_at FROM entries WHERE account_id = %s ORDER BY booked_at DESC LIMIT 50"
FEES = "SELECT sum(cents) FROM entries WHERE account_id = %s AND kind = 'fee'"
