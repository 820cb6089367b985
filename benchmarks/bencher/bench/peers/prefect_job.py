"""prefect: a flow, each call a task cached by inputs and source."""

import asyncio

from common import FOLDER, agent, job, limited, note, tell
from prefect import flow, task
from prefect.cache_policies import INPUTS, TASK_SOURCE
from prefect.filesystems import LocalFileSystem


@task(cache_policy=INPUTS + TASK_SOURCE, persist_result=True, result_storage=LocalFileSystem(basepath=str(FOLDER / "results")))
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
