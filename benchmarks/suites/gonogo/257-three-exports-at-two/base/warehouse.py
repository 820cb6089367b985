import os

import psycopg


def copy_out(query: str, name: str) -> None:
    with psycopg.connect(os.environ["WAREHOUSE_URL"]) as conn, conn.cursor() as cur, open(f"/tmp/{name}", "wb") as f:
        with cur.copy(f"COPY ({query}) TO STDOUT CSV HEADER") as copy:
            for chunk in copy:
                f.write(chunk)
