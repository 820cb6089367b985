import os
import time

import psycopg

from .xml import render

start = time.monotonic()
with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
    rows = conn.execute("SELECT slug, updated_at FROM articles WHERE published ORDER BY updated_at DESC LIMIT 45000").fetchall()
with open("/srv/sitemap.xml", "w") as f:
    f.write(render(rows))
print(f"sitemap finished in {time.monotonic() - start:.0f} s")
