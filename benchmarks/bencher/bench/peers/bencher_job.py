"""bencher.orchestration, which is measured here."""

import asyncio
from typing import Any

from bencher.orchestration import Orchestrator
from common import FOLDER, agent, job, note, tell


async def main() -> None:
    """One run."""

    async def runner(prompt: Any, _options: Any) -> str:
        return await agent(prompt)

    async with Orchestrator(journal=FOLDER / "journal", limit=4, runner=runner) as run:
        note("ready")
        tell(await job(run.agent))


asyncio.run(main())
