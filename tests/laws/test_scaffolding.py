"""`make new-rule` and `make new-playbook` write files that load, are registered, and whose test waits for the work."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.new_playbook import new_playbook
from scripts.new_rule import new_rule

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("gonogo", "bot", "context_graph", "heuristics", "forecasting"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str):
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def last_of(folder: Path, registry: str, listing: str) -> str:
    done = run(folder, "-c", f"import sys; sys.path[:0] = ['.']; from {registry} import {listing} as all; print(all[-1].INFO.id)")
    return done.stdout.strip() or done.stderr


def test_a_new_rule_loads_and_is_the_last_in_the_registry(copy, capsys):
    new_rule("caches/no-such-hazard", copy)

    assert last_of(copy, "heuristics.registry", "RULES") == "caches/no-such-hazard"
    assert (copy / "docs/rules/caches/no-such-hazard.md").read_text().startswith("# caches/no-such-hazard\n")


def test_a_second_rule_of_the_same_name_in_another_family_gets_a_name_of_its_own(copy, capsys):
    new_rule("caches/no-such-hazard", copy)
    new_rule("queues/no-such-hazard", copy)

    assert last_of(copy, "heuristics.registry", "RULES") == "queues/no-such-hazard"


def test_a_new_playbook_loads_and_is_the_last_in_the_registry(copy, capsys):
    new_playbook("no-such-failure", copy)

    assert last_of(copy, "bot.investigator.playbooks.registry", "PLAYBOOKS") == "no-such-failure"


def test_what_is_written_passes_lint(copy, capsys):
    new_rule("caches/no-such-hazard", copy)
    new_playbook("no-such-failure", copy)

    done = run(copy, "-m", "ruff", "check", "heuristics/rules/caches", "bot/investigator/playbooks/no_such_failure.py", "tests")

    assert done.returncode == 0, done.stdout


def test_a_rule_that_exists_is_not_overwritten(copy, capsys):
    new_rule("caches/no-such-hazard", copy)

    with pytest.raises(SystemExit, match="exists already"):
        new_rule("caches/no-such-hazard", copy)


@pytest.mark.parametrize("wrong", ["hazard", "Postgres/x", "a/b/c", "a/", "../x/y", "a/b_c"])
def test_an_id_of_the_wrong_form_writes_nothing(tmp_path, wrong):
    with pytest.raises(SystemExit, match="not a rule id"):
        new_rule(wrong, tmp_path)

    assert list(tmp_path.iterdir()) == []
