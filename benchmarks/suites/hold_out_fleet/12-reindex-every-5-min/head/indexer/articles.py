def shard_rows(pool, number, shards):
    with pool.connection() as conn:
        yield from conn.execute("SELECT id, title, body FROM articles WHERE id % %s = %s", (shards, number))
