"""What `gonogo check --show-prompt` prints: all that a model would be told at first, without secrets, and no model is asked."""

import json
from pathlib import Path

from bot.investigator.case import Case
from bot.investigator.prompts.first_message import ALONE, first_message
from bot.investigator.rules import Outcome
from bot.investigator.tools.registry import tool_infos


def prompt_of(case: Case, outcome: Outcome, *, as_json: bool) -> str:
    """System prompt, names of the tools and first message as text, or with the tools' schemas as one JSON document."""
    case.asked.clear()
    told = case.with_candidates(outcome.claims)
    system = (Path(__file__).parent / "system.md").read_text(encoding="utf-8")
    opening = first_message(told)
    tools = tool_infos()
    if as_json:
        listed = [{"name": t.name, "description": t.description, "input_schema": t.schema} for t in tools]
        document = {"system": system, "tools": listed, "first_message": opening, "task": ALONE}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    names = ", ".join(t.name for t in tools)
    return f"## System\n\n{system}\n## Tools\n\n{names}\n\n## First message\n\n{opening}\n\n{ALONE}\n"
