import os
import time

import psycopg

SQL = """
INSERT INTO rollups (site, day, hits, visitors)
SELECT site, date_trunc('day', at), count(*), count(DISTINCT visitor) FROM hits GROUP BY 1, 2
ON CONFLICT (site, day) DO UPDATE SET hits = excluded.hits, visitors = excluded.visitors
"""

start = time.monotonic()
with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
    conn.execute(SQL)
print(f"rollup finished in {time.monotonic() - start:.0f} s")
