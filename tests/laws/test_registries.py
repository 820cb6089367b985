"""Every rule and every playbook is in its registry, has a page, and is named after its place."""

from collections import Counter
from pathlib import Path

import pytest

from bot.investigator.playbooks.registry import PLAYBOOKS
from heuristics.registry import RULES

ROOT = Path(__file__).parents[2]


def rule_ids():
    return [rule.INFO.id for rule in RULES]


def playbook_ids():
    return [playbook.INFO.id for playbook in PLAYBOOKS]


def modules_with(folder: Path, function: str):
    return [p for p in sorted(folder.rglob("*.py")) if f"\ndef {function}(" in p.read_text()]


def test_every_rule_module_is_in_the_registry_under_its_path():
    folder = ROOT / "heuristics" / "rules"
    there = [str(p.relative_to(folder).with_suffix("")).replace("_", "-") for p in modules_with(folder, "check")]

    assert sorted(rule_ids()) == there


def test_every_playbook_module_is_in_the_registry_under_its_path():
    folder = ROOT / "bot" / "investigator" / "playbooks"
    there = [p.stem.replace("_", "-") for p in modules_with(folder, "investigate")]

    assert sorted(playbook_ids()) == there


def test_no_id_is_used_twice():
    assert [name for name, count in Counter([*rule_ids(), *playbook_ids()]).items() if count > 1] == []


@pytest.mark.parametrize(("folder", "ids"), [("rules", rule_ids()), ("playbooks", playbook_ids())], ids=["rules", "playbooks"])
def test_every_one_has_a_page_that_starts_with_its_id(folder, ids):
    pages = ROOT / "docs" / folder
    wrong = [i for i in ids if not (pages / f"{i}.md").is_file() or i not in (pages / f"{i}.md").read_text().splitlines()[0]]

    assert wrong == []


@pytest.mark.parametrize(("folder", "ids"), [("rules", rule_ids()), ("playbooks", playbook_ids())], ids=["rules", "playbooks"])
def test_every_page_belongs_to_one(folder, ids):
    pages = ROOT / "docs" / folder
    there = {str(p.relative_to(pages).with_suffix("")) for p in pages.rglob("*.md")} - {"README"}

    assert there == set(ids)


def test_a_rule_says_what_it_is_and_since_when():
    assert [rule.INFO.id for rule in RULES if not (rule.INFO.title and rule.INFO.since)] == []


def test_a_playbook_asks_a_question():
    assert [p.INFO.id for p in PLAYBOOKS if not p.INFO.question.endswith("?")] == []
