"""joblib.Memory over an async function."""

import asyncio

from common import FOLDER, agent, job, limited, note, tell
from joblib import Memory

memory = Memory(FOLDER / "memory", verbose=0)


@memory.cache
async def ask(prompt: str) -> str:
    """From the cache or paid."""
    return await agent(prompt)


async def main() -> None:
    """One run."""
    note("ready")
    tell(await job(limited(ask)))


asyncio.run(main())
