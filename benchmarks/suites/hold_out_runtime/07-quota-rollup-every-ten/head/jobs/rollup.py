"""Recomputes the usage totals of the running month."""
import logging
import os
import time

import psycopg

SQL = """
    INSERT INTO usage_totals (tenant_id, month, units)
    SELECT tenant_id, date_trunc('month', at), sum(units)
    FROM usage_events WHERE at >= date_trunc('month', now()) GROUP BY 1, 2
    ON CONFLICT (tenant_id, month) DO UPDATE SET units = excluded.units
"""


def main() -> None:
    started = time.monotonic()
    with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
        conn.execute(SQL)
    logging.info("rollup finished in %ds", time.monotonic() - started)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()
