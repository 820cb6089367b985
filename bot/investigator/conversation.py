"""The words of a conversation between an investigation and a model; no provider's types, all of it JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

from gonogo.record import Record
from gonogo.word import Json

Stop = Literal["tool_use", "end", "max_tokens", "refusal", "other"]


class ToolInfo(Record):
    """A tool as a model is told of it: name, what it is for, JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Json]


class ToolCall(Record):
    """What a model asks for. `arguments` is None when they were no JSON object; `raw` has what came instead."""

    id: str
    name: str
    arguments: Mapping[str, Json] | None
    raw: str = ""


class ToolResult(Record):
    """The answer to one call, as text for the model."""

    call_id: str
    content: str
    is_error: bool = False


class Usage(Record):
    """Tokens of one answer; `input_tokens` are those that were neither written to the provider's cache nor read from it."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def total(self) -> int:
        """All tokens that were read and written."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens


class Reply(Record):
    """A whole answer of a model. `blocks` are the provider's own, to be sent back as they are."""

    text: str
    calls: tuple[ToolCall, ...]
    stop: Stop
    usage: Usage
    blocks: tuple[Json, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For the journal."""
        return {
            "text": self.text,
            "calls": [{"id": c.id, "name": c.name, "arguments": c.arguments, "raw": c.raw} for c in self.calls],
            "stop": self.stop,
            "usage": vars(self.usage),
            "blocks": list(self.blocks),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Reply":
        """The opposite of `to_json`."""
        return cls(
            text=value["text"],
            calls=tuple(ToolCall(**call) for call in value["calls"]),
            stop=value["stop"],
            usage=Usage(**value["usage"]),
            blocks=tuple(value["blocks"]),
        )


class Turn(Record):
    """One exchange after the first message: what the model said, and what it was told."""

    reply: Reply
    results: tuple[ToolResult, ...] = ()
    said: str = ""
    """Words of ours to the model, after the results."""


class Conversation(Record, frozen=False):
    """One line of investigation. It grows by turns; what stood before never changes, so a provider may cache it."""

    name: str
    model: str
    system: str
    tools: Sequence[ToolInfo]
    opening: tuple[str, ...]
    """The first message in parts: what all conversations of an evaluation share, then this one's own task."""
    steps: int
    """Model steps that it may take."""
    turns: list[Turn] = field(default_factory=list[Turn])

    def as_question(self) -> dict[str, Any]:
        """What decides the answer: nothing in it comes from a clock, or from what other conversations did meanwhile."""
        return {
            "system": self.system,
            "tools": [{"name": t.name, "description": t.description, "schema": t.schema} for t in self.tools],
            "opening": list(self.opening),
            "turns": [
                {
                    "reply": t.reply.to_json() | {"usage": None},
                    "results": [[r.call_id, r.content, r.is_error] for r in t.results],
                    "said": t.said,
                }
                for t in self.turns
            ],
        }


class Step(Record):
    """What one request came to, whatever it was: kept in the order in which requests ended."""

    conversation: str
    number: int
    calls: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    error: str = ""


class Ask(Protocol):
    """A model behind whatever it takes to reach it."""

    async def __call__(self, conversation: Conversation, *, budget_line: str, is_last: bool) -> Reply:
        """A whole answer. Raises ModelUnavailable when there is none, and BudgetSpent past a cap."""
        ...


class Model(Protocol):
    """What answers, and what it holds open."""

    async def ask(self, conversation: Conversation, *, budget_line: str, is_last: bool) -> Reply:
        """See Ask."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class RunTool(Protocol):
    """Runs one call."""

    async def __call__(self, conversation: Conversation, call: ToolCall) -> ToolResult:
        """Never raises: what went wrong is an answer too."""
        ...
