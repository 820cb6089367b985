from sqlalchemy import text

ROWS = text("SELECT id, total FROM orders WHERE created_at >= :since ORDER BY id LIMIT :n")

def rows(engine, since, n = 5000):
    with engine.connect() as c:
        return list(c.execute(ROWS, {"since": since, 'n': n}))
