import os

import asyncpg

_pool = None


async def by_id(profile_id: str) -> dict:
    global _pool
    if _pool is None:
        _pool = await asyncpg.create_pool(os.environ["DATABASE_URL"], max_size=10)
    return dict(await _pool.fetchrow("SELECT id, name, email FROM profiles WHERE id = $1", profile_id))
