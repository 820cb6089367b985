import os

import psycopg

from fx import rate


def main() -> None:
    with psycopg.connect(os.environ["LEDGER_DSN"], options="-c statement_timeout=30s") as db:
        for account, cents, currency in db.execute("SELECT account_id, cents, currency FROM due_today").fetchall():
            db.execute("INSERT INTO postings (account_id, cents, kind) VALUES (%s, %s, 'invoice')", (account, round(cents * rate(currency))))


if __name__ == "__main__":
    main()
