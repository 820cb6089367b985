import os

from psycopg_pool import ConnectionPool

pool = ConnectionPool(os.environ["DATABASE_URL"], max_size=20)


def load(key: str) -> list[dict]:
    with pool.connection() as conn:
        return conn.execute("SELECT class, cents FROM fare_matrix JOIN fare_rules USING (rule_id) WHERE route = %s AND valid @> now() ORDER BY cents", (key,)).fetchall()
