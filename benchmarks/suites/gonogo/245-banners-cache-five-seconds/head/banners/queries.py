import os

from psycopg_pool import ConnectionPool

pool = ConnectionPool(os.environ["DATABASE_URL"], max_size=20)


def load(key: str) -> list[dict]:
    with pool.connection() as conn:
        return conn.execute("SELECT id, html FROM banners WHERE slot = %s AND active", (key,)).fetchall()
