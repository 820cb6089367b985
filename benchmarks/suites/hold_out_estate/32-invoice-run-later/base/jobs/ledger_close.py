import logging
import os

import psycopg

log = logging.getLogger("ledger-close")


def main() -> None:
    with psycopg.connect(os.environ["LEDGER_DSN"]) as db:
        db.execute("LOCK TABLE postings IN SHARE MODE")
        log.info("close started")
        db.execute("INSERT INTO balances SELECT account_id, current_date, sum(cents) FROM postings GROUP BY account_id")


if __name__ == "__main__":
    main()
