"""The pages of the migration rules are their tests: what stands under Found is found, what stands under Silent is not."""

import re
from pathlib import Path

import pytest

from bot.testing import evaluation_of
from heuristics.registry import RULES

PAGES = Path(__file__).parents[3] / "docs" / "rules"
FAMILIES = ("postgres", "mysql", "migrations")
IDS = sorted(rule.INFO.id for rule in RULES if rule.INFO.id.startswith(tuple(f"{f}/" for f in FAMILIES)))


def _example(rule: str, heading: str) -> str | None:
    text = (PAGES / f"{rule}.md").read_text()
    found = re.search(rf"^## {heading}\n\n```sql\n(.*?)\n```", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else None


def _found(rule: str, sql: str) -> bool:
    base = {"pom.xml": "<artifactId>mysql-connector-j</artifactId>\n"} if rule.startswith("mysql/") else {}
    path = "src/main/resources/db/migration/V2__x.sql" if rule.startswith("mysql/") else "db/migrations/00002_x.sql"
    said = evaluation_of(base, {path: sql + "\n"})
    return any(f.rule == rule for f in said.findings)


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_has_its_page_and_its_path(rule: str) -> None:
    family, hazard = rule.split("/")

    assert (PAGES / f"{rule}.md").read_text().startswith(f"# {rule}: ")
    assert (PAGES.parents[1] / "heuristics" / "rules" / family / f"{hazard.replace('-', '_')}.py").exists()


@pytest.mark.parametrize("rule", [r for r in IDS if _example(r, "Found")])
def test_what_stands_under_found_is_found(rule: str) -> None:
    assert _found(rule, _example(rule, "Found") or "")


@pytest.mark.parametrize("rule", [r for r in IDS if _example(r, "Silent")])
def test_what_stands_under_silent_is_not(rule: str) -> None:
    assert not _found(rule, _example(rule, "Silent") or "")


def _revision(name: str, parent: str | None) -> str:
    said = f'"{parent}"' if parent else "None"
    return (
        f'from alembic import op\n\nrevision = "{name}"\ndown_revision = {said}\n\n\ndef upgrade():\n    op.execute("SELECT 1")\n'
    )


def test_history_rules_say_what_the_runner_does() -> None:
    base = {"alembic/versions/a.py": _revision("a", None), "alembic/versions/b.py": _revision("b", "a")}
    said = evaluation_of(base, {"alembic/versions/c.py": _revision("c", "a")})

    assert any(f.rule == "migrations/two-heads" for f in said.findings)
