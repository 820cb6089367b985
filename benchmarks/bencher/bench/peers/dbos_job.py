"""DBOS on SQLite: one workflow, each call a step."""

import asyncio

import newer_sqlite  # noqa: F401 - before DBOS
from common import FOLDER, agent, job, limited, note, tell
from dbos import DBOS, SetWorkflowID

DBOS(config={"name": "grid", "system_database_url": f"sqlite:///{FOLDER}/dbos.sqlite", "run_admin_server": False})


@DBOS.step()
async def ask(prompt: str) -> str:
    """A step of the workflow."""
    return await agent(prompt)


@DBOS.workflow()
async def grid() -> dict[str, str]:
    """The whole job."""
    return await job(limited(ask))


async def main() -> None:
    """One run; a run that died is recovered by the launch itself."""
    DBOS.launch()
    note("ready")
    with SetWorkflowID("grid"):
        handle = await DBOS.start_workflow_async(grid)
    tell(await handle.get_result())
    DBOS.destroy()


asyncio.run(main())
