"""The job that every peer runs, 12 items with 3 steps each, and the log of what its agent was asked. Standard library only."""

import asyncio
import json
import os
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

FOLDER, SHAPE, SEED = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
ITEMS, STAGES, LIMIT = range(12), ("read the source of", "pull the numbers of", "check the numbers of"), 4
_SECONDS = (0.01, 0.09)
_source = random.Random(SEED)
_fd = os.open(FOLDER / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)


def note(*what: str) -> None:
    """One line in the log."""
    os.write(_fd, json.dumps(what).encode() + b"\n")


async def agent(prompt: str) -> str:
    """Every answer is new, so that a second payment and a swapped answer show."""
    note("begun", prompt)
    await asyncio.sleep(_source.uniform(*_SECONDS))
    answer = f"{prompt} -> {_source.getrandbits(64):x}"
    note("finished", prompt)
    return answer


async def job(ask: Callable[[str], Awaitable[str]]) -> dict[str, str]:
    """The answers by prompt, through the peer's way of asking; the peer holds the limit."""
    answers: dict[str, str] = {}

    async def step(stage: str, item: int) -> None:
        answers[f"{stage} {item}"] = await ask(f"{stage} {item}")

    async def chain(item: int) -> None:
        for stage in STAGES:
            await step(stage, item)

    if SHAPE == "pipeline":
        await asyncio.gather(*(chain(item) for item in ITEMS))
    else:
        for stage in STAGES:
            await asyncio.gather(*(step(stage, item) for item in ITEMS))
    return answers


def limited(ask: Callable[[str], Awaitable[str]]) -> Callable[[str], Awaitable[str]]:
    """At most four at once."""
    slots = asyncio.Semaphore(LIMIT)

    async def one(prompt: str) -> str:
        async with slots:
            return await ask(prompt)

    return one


def tell(answers: Any) -> None:
    """The result of a run that came to its end."""
    print("ANSWERS " + json.dumps(answers), flush=True)
