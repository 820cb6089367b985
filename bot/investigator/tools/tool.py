"""What a tool is: a name, typed arguments, and an answer that carries its query, its range and its source."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

from bot.investigator.conversation import ToolInfo
from bot.investigator.desk import Desk
from gonogo.record import Record


class Arguments(BaseModel):
    """Base of a tool's arguments: what it does not know is refused with the names that it knows."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(Record):
    """What a tool says. `query`, `range` and `source` stand in every answer, `cut` when something was left out."""

    query: str
    source: str
    range: str = "all that was read"
    lines: Sequence[str] = ()
    """What was found; empty: no data."""
    where: str = ""
    """Where it looked, for an answer without data."""
    cut: str = ""
    is_error: bool = False

    def text(self) -> str:
        """The answer as a model reads it."""
        head = [f"query: {self.query}", f"range: {self.range}", f"source: {self.source}"]
        body = list(self.lines) or [f"no data: looked at {self.where or self.source}"]
        return "\n".join([*head, *body, *([f"cut: {self.cut}"] if self.cut else [])])


class Tool[A: Arguments](Record):
    """One tool; it reads, or writes drafts, and reaches nothing that gonogo does not read for this evaluation anyway."""

    name: str
    purpose: str
    arguments: type[A]
    run: Callable[[A, Desk], Answer]

    @property
    def info(self) -> ToolInfo:
        """As a model is told of it."""
        return ToolInfo(self.name, self.purpose, _plain(self.arguments.model_json_schema()))


def _plain(schema: Any) -> Any:
    """A schema without the titles that repeat every name."""
    if isinstance(schema, dict):
        named = cast("dict[str, Any]", schema)
        return {k: _plain(v) for k, v in named.items() if not (k == "title" and isinstance(v, str))}
    if isinstance(schema, list):
        return [_plain(v) for v in cast("list[Any]", schema)]
    return schema


MOST_LINES = 200
MOST_CHARACTERS = 12_000


def cut_to(lines: Sequence[str], *, most: int = MOST_LINES, how: str = "ask for less") -> tuple[list[str], str]:
    """As many whole lines as fit, and what was left out, in words."""
    kept: list[str] = []
    left = MOST_CHARACTERS
    for line in lines[:most]:
        shown = line if len(line) <= 600 else f"{line[:600]}… ({len(line) - 600:,} more characters)"
        left -= len(shown) + 1
        if left < 0:
            break
        kept.append(shown)
    missing = len(lines) - len(kept)
    return kept, f"{missing:,} of {len(lines):,} lines left out; {how}" if missing else ""
