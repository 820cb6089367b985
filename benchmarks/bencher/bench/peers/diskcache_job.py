"""diskcache, keyed by the prompt."""

import asyncio

import diskcache
from common import FOLDER, agent, job, limited, note, tell

cache = diskcache.Cache(FOLDER / "cache")


async def ask(prompt: str) -> str:
    """From the cache or paid."""
    answer = cache.get(prompt)
    if answer is None:
        answer = await agent(prompt)
        cache.set(prompt, answer)
    return answer


async def main() -> None:
    """One run."""
    note("ready")
    tell(await job(limited(ask)))


asyncio.run(main())
