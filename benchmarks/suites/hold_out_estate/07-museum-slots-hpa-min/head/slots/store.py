import asyncpg

_pool = None


async def pool():
    global _pool
    if _pool is None:
        _pool = await asyncpg.create_pool(min_size=1, max_size=5)
    return _pool


async def free_slots(day):
    return await (await pool()).fetch("SELECT id, starts_at, capacity - taken AS free FROM slot WHERE day = $1", day)


async def hold(slot_id, people):
    sql = "UPDATE slot SET taken = taken + $2 WHERE id = $1 AND taken + $2 <= capacity"
    return (await (await pool()).execute(sql, slot_id, people)) == "UPDATE 1"
