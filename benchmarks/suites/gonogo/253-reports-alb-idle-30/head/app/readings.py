from .db import cursor


def readings(site, start, end):
    with cursor() as cur:
        cur.execute("SELECT at, kwh FROM readings WHERE site = %s AND at BETWEEN %s AND %s ORDER BY at", (site, start, end))
        yield from cur
