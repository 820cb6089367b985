"""Which workers live, and what the dead ones held: their jobs are free again at once, not after arq's longest time limit.

arq marks a job that runs with a key which outlives its worker by the time limit of the queue (arq#343, #402). Each worker
here says every few seconds that it lives, and keeps a list of what it runs; another one clears the marks of the dead.
"""

from datetime import timedelta

from bot.jobs.redis_commands import Queue

BEAT_EVERY = timedelta(seconds=4)
DEAD_AFTER = timedelta(seconds=15)

_WORKERS = "gonogo:workers"
_IN_PROGRESS = "arq:in-progress:"


async def beat(redis: Queue, worker_id: str) -> None:
    """Say that this worker lives; nobody believes it for longer than DEAD_AFTER."""
    async with redis.pipeline(transaction=True) as both:
        both.sadd(_WORKERS, worker_id)
        both.set(_alive(worker_id), "1", px=DEAD_AFTER)
        await both.execute()


async def live_workers(redis: Queue) -> int:
    """How many workers said so within DEAD_AFTER."""
    known = await redis.smembers(_WORKERS)
    return await redis.exists(*(_alive(each.decode()) for each in known)) if known else 0


async def leave(redis: Queue, worker_id: str) -> None:
    """Sign off: this worker ends, and holds nothing any more."""
    async with redis.pipeline(transaction=True) as all_of_it:
        all_of_it.delete(_alive(worker_id), _held(worker_id))
        all_of_it.srem(_WORKERS, worker_id)
        await all_of_it.execute()


async def hold(redis: Queue, worker_id: str, job_id: str) -> None:
    """Note that this worker runs that job."""
    await redis.sadd(_held(worker_id), job_id)


async def let_go(redis: Queue, worker_id: str, job_id: str) -> None:
    """Note that it does no longer."""
    await redis.srem(_held(worker_id), job_id)


async def free_jobs_of_the_dead(redis: Queue) -> list[str]:
    """Clear the marks of jobs whose worker died, so that arq gives them to a living one; their ids."""
    freed: list[str] = []
    for each in await redis.smembers(_WORKERS):
        worker_id = each.decode()
        if await redis.exists(_alive(worker_id)):
            continue
        held = [job.decode() for job in await redis.smembers(_held(worker_id))]
        async with redis.pipeline(transaction=True) as all_of_it:
            if held:
                all_of_it.delete(*(_IN_PROGRESS + job_id for job_id in held))
            all_of_it.delete(_held(worker_id))
            all_of_it.srem(_WORKERS, worker_id)
            await all_of_it.execute()
        freed += held
    return freed


def _alive(worker_id: str) -> str:
    return f"gonogo:worker:{worker_id}"


def _held(worker_id: str) -> str:
    return f"gonogo:held:{worker_id}"
