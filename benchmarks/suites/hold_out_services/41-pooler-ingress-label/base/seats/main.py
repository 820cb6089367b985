import os

import psycopg_pool
from fastapi import FastAPI

app = FastAPI()
pool = psycopg_pool.ConnectionPool(os.environ["PG_DSN"], min_size=4, max_size=12, timeout=3)


@app.get("/shows/{show}/seats")
def seats(show: int):
    with pool.connection() as con:
        return con.execute("select seat, state from seat where show_id = %s", [show]).fetchall()
