"""The pages of rules and playbooks, as they are shipped: `rule_pages.json`, made from docs/ by `make snap`."""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import cast


@lru_cache(maxsize=1)
def rule_pages() -> Mapping[str, str]:
    """Id of a rule or playbook → its page as Markdown, in the order of the registries."""
    text = files("bot.report").joinpath("rule_pages.json").read_text(encoding="utf-8")
    return cast("dict[str, str]", json.loads(text))


def page_ids() -> frozenset[str]:
    """Every rule and every playbook."""
    return frozenset(rule_pages())


def title_of(page: str) -> str:
    """`# family/hazard: What it is` → `What it is`."""
    return page.split("\n", 1)[0].partition(": ")[2].strip()


def summary_of_page(page: str) -> str:
    """The first paragraph below the title, on one line."""
    paragraphs = [p for p in page.split("\n\n")[1:] if p.strip() and not p.startswith("#")]
    return " ".join(paragraphs[0].split()) if paragraphs else ""
