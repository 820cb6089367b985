"""LangGraph's functional API with a SQLite checkpointer: each call a task."""

import asyncio
from typing import Any

from common import FOLDER, SHAPE, agent, job, limited, note, tell
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.func import entrypoint, task


@task
async def ask(prompt: str) -> str:
    """A task of the graph."""
    return await agent(prompt)


async def main() -> None:
    """One run; a thread that has begun is gone on with."""
    async with AsyncSqliteSaver.from_conn_string(str(FOLDER / "graph.sqlite")) as saver:

        @entrypoint(checkpointer=saver)
        async def grid(_shape: str) -> dict[str, str]:
            async def one(prompt: str) -> str:
                return await ask(prompt)

            return await job(limited(one))

        config: Any = {"configurable": {"thread_id": "grid"}}
        has_begun = await saver.aget_tuple(config) is not None
        note("ready")
        tell(await grid.ainvoke(None if has_begun else SHAPE, config, durability="sync"))


asyncio.run(main())
