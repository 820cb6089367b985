def store(conn, body: bytes) -> int:
    return conn.execute("INSERT INTO documents (body) VALUES (%s) RETURNING id", (body,)).fetchone()[0]
