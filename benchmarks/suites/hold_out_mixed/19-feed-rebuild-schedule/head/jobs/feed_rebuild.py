"""Rebuild the partner feeds from the catalogue."""
import os
from concurrent.futures import ThreadPoolExecutor

from psycopg_pool import ConnectionPool

from jobs import partners

WORKERS = 30


def rebuild(pool, partner):
    with pool.connection() as conn:
        return partners.write(partner, conn.execute("SELECT * FROM offers_for(%s)", (partner,)))


def main():
    with ConnectionPool(os.environ["DATABASE_URL"], min_size=WORKERS, max_size=WORKERS) as pool:
        with ThreadPoolExecutor(WORKERS) as threads:
            for n in threads.map(lambda p: rebuild(pool, p), partners.ALL):
                print(f"feed written rows={n}", flush=True)


if __name__ == "__main__":
    main()
