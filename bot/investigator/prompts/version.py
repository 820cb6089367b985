"""Who investigates, as one short text: the models, and everything that they are told whatever the change."""

import json
from hashlib import sha256
from pathlib import Path

from bot.investigator.journal import VERSION
from bot.investigator.prompts.first_message import ALONE, BROAD, SECTIONS, focus
from bot.investigator.tools.registry import tool_infos


def investigator_version(model: str, small_model: str) -> str:
    """It differs whenever a model might answer otherwise to the same change: other models, other words, other tools."""
    told = [
        VERSION,
        (Path(__file__).parent / "system.md").read_text(encoding="utf-8"),
        [[t.name, t.description, t.schema] for t in tool_infos()],
        [[s.title, s.weight, s.more] for s in SECTIONS],
        [BROAD, ALONE, focus(0)],
    ]
    digest = sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    return f"claude {model} {small_model} {digest[:16]}"
