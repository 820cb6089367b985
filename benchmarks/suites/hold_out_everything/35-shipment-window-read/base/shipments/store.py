import os

from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

pool = ConnectionPool(os.environ["DATABASE_URL"], max_size=12, kwargs={"row_factory": dict_row})

DETAIL = "SELECT id, state, shipped_at FROM shipments WHERE id = %s"


def shipment(shipment_id):
    with pool.connection() as conn:
        return conn.execute(DETAIL, (shipment_id,)).fetchone()
