"""prefect: a flow, each call a task cached by inputs and source; results stand below PREFECT_HOME."""

import asyncio

from common import agent, job, limited, note, tell
from prefect import flow, task
from prefect.cache_policies import INPUTS, TASK_SOURCE


@task(cache_policy=INPUTS + TASK_SOURCE, persist_result=True)
async def ask(prompt: str) -> str:
    """A task of the flow."""
    return await agent(prompt)


@flow
async def grid() -> dict[str, str]:
    """The whole job."""
    note("ready")
    return await job(limited(ask))


async def main() -> None:
    """One run."""
    tell(await grid())


asyncio.run(main())
