"""Model calls and tool calls of one evaluation, paid once: bencher's orchestration keeps their answers by content.

A question is what decides its answer. The count of steps, which moves with what other conversations do, reaches the model outside
of the question; windows are absolute; a tool's answer belongs to one evaluation. Answers are without secrets before they are kept.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

from bot.investigator.conversation import Ask, Conversation, Reply, RunTool, ToolCall, ToolResult
from gonogo.record import Record

VERSION = 1
"""Part of every question. Raise it when the meaning of prompts, tools or answers changes."""

_KEPT_S = 30 * 86_400
"""Journals that nobody has opened for so long are removed."""

Run = Callable[[Conversation, ToolCall], ToolResult]
"""Runs a tool, here and now."""


class _Beside(Record):
    """What goes with a question and is no part of it."""

    conversation: Conversation
    call: ToolCall | None = None
    budget_line: str = ""
    is_last: bool = False


_BESIDE: ContextVar[_Beside] = ContextVar("beside")


@asynccontextmanager
async def journaled(
    folder: Path | None, evaluation: str, *, ask: Ask, run: Run, steps: int
) -> AsyncGenerator[tuple[Ask, RunTool]]:
    """The same two functions with a journal before them: a file of this evaluation in `folder`, in memory with None."""
    from bencher.orchestration import Orchestrator  # noqa: PLC0415  it loads with the first model

    async def runner(prompt: Any, options: Any) -> Any:
        del prompt, options
        beside = _BESIDE.get()
        if beside.call is not None:
            result = await asyncio.to_thread(run, beside.conversation, beside.call)
            return {"content": result.content, "is_error": result.is_error}
        return (await ask(beside.conversation, budget_line=beside.budget_line, is_last=beside.is_last)).to_json()

    path = _opened(folder, evaluation) if folder is not None else None
    async with Orchestrator(runner=runner, journal=path, limit=None, durability="process", run_id=evaluation) as kept:

        async def ask_once(conversation: Conversation, *, budget_line: str, is_last: bool) -> Reply:
            _BESIDE.set(_Beside(conversation, None, budget_line, is_last))
            options = {"version": VERSION, "model": conversation.model, "steps": steps, "share": conversation.steps}
            return Reply.from_json(await kept.agent(conversation.as_question(), options))

        async def run_once(conversation: Conversation, call: ToolCall) -> ToolResult:
            _BESIDE.set(_Beside(conversation, call))
            asked = {"tool": call.name, "arguments": call.arguments, "raw": call.raw}
            options = {"version": VERSION, "evaluation": evaluation}
            if call.name in WRITES:  # made anew from the journaled answers; at once, so that drafts stand in the order of calls
                return run(conversation, call)
            answer = await kept.agent(asked, options)
            return ToolResult(call.id, answer["content"], answer["is_error"])

        yield ask_once, run_once


WRITES = frozenset({"propose_trajectory", "add_link", "cite", "refute", "record_verdict"})
"""Tools that write drafts; all others only read."""


def evaluation_id(*parts: str) -> str:
    """The name of an evaluation: what was evaluated, on which facts."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _opened(folder: Path, evaluation: str) -> Path | None:
    """The journal's file, in a folder that only this user reads; None where none can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for old in folder.glob("*.journal"):
            if time() - old.stat().st_mtime > _KEPT_S:
                old.unlink(missing_ok=True)
        path = folder / f"{evaluation}.journal"
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError:
        return None
    return path
