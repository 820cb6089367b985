import os

import psycopg

from .state import DisputeState


def disputes(merchant_id: int) -> list[dict]:
    with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
        rows = conn.execute("SELECT id, state FROM disputes WHERE merchant_id = %s", (merchant_id,)).fetchall()
    return [{"id": r[0], "state": DisputeState(r[1])} for r in rows]
