"""The loop: ask, run the tools, spend the budget, record. It knows no provider and no tool.

One conversation is a row of steps; independent conversations run at once and take from one StepBudget. A step is a request that
got a whole answer. Whatever happens, every step is recorded, and a conversation that did not come to its end says why.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from bot.investigator.conversation import Ask, Conversation, Reply, RunTool, Step, ToolResult, Turn, Usage
from gonogo.budget import StepBudget
from gonogo.errors import BudgetSpent, ModelUnavailable
from gonogo.record import Record

FINAL_TOOL = "record_verdict"
"""The tool that ends a conversation."""

_MOST_CALLS = 16
"""Calls of one step that are run; the rest is told to be too many."""
_SHORTEST_STEP_S = 2.0
"""With less time left no step is begun: it could not be answered (the quickest of 30 measured calls took 5.8 s)."""

End = Literal["recorded", "stopped", "refused", "out of steps", "out of time", "over its cap", "model unavailable", "broken"]
FINISHED: tuple[End, ...] = ("recorded", "stopped", "out of steps")
"""Ends after which what a conversation handed over counts."""


class Ended(Record):
    """How a conversation ended, and why in words when it did not finish."""

    name: str
    end: End
    why: str = ""


class Investigation(Record, frozen=False):
    """What a set of conversations did, filled in as it happens: it can be read at any moment, also when time is over."""

    steps: list[Step] = field(default_factory=list[Step])
    ended: dict[str, Ended] = field(default_factory=dict[str, Ended])

    @property
    def steps_used(self) -> int:
        """Requests that got a whole answer."""
        return sum(not step.error for step in self.steps)


def shares_of(steps: int, conversations: int) -> list[int]:
    """How many steps each of the conversations may take: all of them together, evenly, the first ones one more."""
    whole, rest = divmod(steps, conversations)
    return [whole + (at < rest) for at in range(conversations)]


def budget_line(conversation: Conversation, budget: StepBudget) -> str:
    """The count used and left, for the end of the prompt of a step. It names steps, never seconds."""
    used, left = budget.steps_used, budget.steps_limit - budget.steps_used
    mine = conversation.steps - len(conversation.turns)
    shared = "" if mine >= left else f", {mine} of them for this conversation"
    last = f" This is the last one: call {FINAL_TOOL} now with what is settled." if mine == 1 else ""
    return f"Steps: {used} of {budget.steps_limit} used, {left} left{shared}.{last}"


async def investigate(
    conversations: Sequence[Conversation], *, ask: Ask, run_tool: RunTool, budget: StepBudget, into: Investigation
) -> None:
    """Run the conversations to their ends, at once, in the time that the budget has left."""
    tasks = [asyncio.create_task(_converse(each, ask=ask, run_tool=run_tool, budget=budget, into=into)) for each in conversations]
    try:
        await asyncio.wait(tasks, timeout=budget.seconds_left())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_SHORTEST_STEP_S)  # what swallows its cancellation is left behind


async def _converse(conversation: Conversation, *, ask: Ask, run_tool: RunTool, budget: StepBudget, into: Investigation) -> None:
    end = Ended(conversation.name, "out of time", "the deadline came first")
    try:
        while (outcome := await _step(conversation, ask=ask, run_tool=run_tool, budget=budget, into=into)) is None:
            pass
        end = outcome
    except BudgetSpent as error:
        end = Ended(conversation.name, "over its cap", str(error))
    except ModelUnavailable as error:
        end = Ended(conversation.name, "model unavailable", str(error))
    except TimeoutError:
        pass
    except Exception as error:  # noqa: BLE001  a fault in one conversation ends that one; the rules' result stands beside it
        end = Ended(conversation.name, "broken", f"{type(error).__name__}: {error}")
    finally:
        into.ended[conversation.name] = end


async def _step(
    conversation: Conversation, *, ask: Ask, run_tool: RunTool, budget: StepBudget, into: Investigation
) -> Ended | None:
    """One request and the tools that it asked for; how the conversation ended, or None when it goes on."""
    left = conversation.steps - len(conversation.turns)
    if left < 1:
        return Ended(conversation.name, "out of steps", f"all {conversation.steps} steps of this conversation are used")
    if budget.seconds_left() < _SHORTEST_STEP_S:
        return Ended(conversation.name, "out of time", "too little time was left for another step")
    reply: Reply | None = None
    error = "cancelled"
    try:
        line = budget_line(conversation, budget)
        async with asyncio.timeout(budget.seconds_left()):  # our own clock: pings and dripping bytes keep a read time-out alive
            reply = await ask(conversation, budget_line=line, is_last=left == 1)
        budget.steps_used += 1
        error = ""
    except Exception as failed:
        error = f"{type(failed).__name__}: {failed}"
        raise
    finally:
        calls = tuple(c.name for c in reply.calls) if reply else ()
        number = len(conversation.turns) + 1
        into.steps.append(Step(conversation.name, number, calls, reply.usage if reply else Usage(), error))
    assert reply is not None  # else it raised
    return await _answered(conversation, reply, is_last=left == 1, run_tool=run_tool)


async def _answered(conversation: Conversation, reply: Reply, *, is_last: bool, run_tool: RunTool) -> Ended | None:
    if reply.stop == "refusal":
        return Ended(conversation.name, "refused", "the model refused to answer")
    results = await _results(conversation, reply, run_tool)
    said = _said(reply)
    conversation.turns.append(Turn(reply, results, said))
    if any(call.name == FINAL_TOOL and not result.is_error for call, result in zip(reply.calls, results, strict=True)):
        return Ended(conversation.name, "recorded")
    if not reply.calls and not said:
        return Ended(conversation.name, "stopped")
    return Ended(conversation.name, "out of steps", "the last step did not record a verdict") if is_last else None


async def _results(conversation: Conversation, reply: Reply, run_tool: RunTool) -> tuple[ToolResult, ...]:
    """Every call of a step at once; what ends the conversation after all others, so that it sees what they wrote."""

    async def one(at: int) -> ToolResult:
        call = reply.calls[at]
        if at >= _MOST_CALLS:
            return ToolResult(call.id, f"not run: more than {_MOST_CALLS} calls in one step", is_error=True)
        return await run_tool(conversation, call)

    first = [at for at, call in enumerate(reply.calls) if call.name != FINAL_TOOL]
    then = [at for at, call in enumerate(reply.calls) if call.name == FINAL_TOOL]
    results = dict(zip(first, await asyncio.gather(*(one(at) for at in first)), strict=True))
    for at in then:
        results[at] = await one(at)
    return tuple(results[at] for at in range(len(reply.calls)))


def _said(reply: Reply) -> str:
    """What a model is told that stopped short of a call."""
    if reply.calls:
        return ""
    if reply.stop == "max_tokens":
        return f"Your answer was cut at its limit. Say less: call the tools that you need, or {FINAL_TOOL}."
    return "" if reply.stop != "other" else f"Go on: call the tools that you need, or {FINAL_TOOL}."
