import os

import psycopg
from psycopg.rows import dict_row

conn = psycopg.connect(os.environ["DATABASE_URL"], row_factory=dict_row, autocommit=True)


def row(sql, *args):
    return conn.execute(sql, args).fetchone()


def rows(sql, *args):
    return conn.execute(sql, args).fetchall()
