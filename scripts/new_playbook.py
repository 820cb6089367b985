"""Starts a playbook: its module, its page, its test and its line in the registry (`make new-playbook PLAYBOOK=failure`).

The test fails until the playbook claims something.
"""

import argparse
import sys
from pathlib import Path

from scripts.registry import ID_PART, register, write_new

ROOT = Path(__file__).resolve().parent.parent

_MODULE = '''"""{title}: what would have to be true of production, and is it?"""

from collections.abc import Iterator

from gonogo.trajectory import Trajectory

from bot.investigator.case import Case
from bot.investigator.playbook import PlaybookInfo

INFO = PlaybookInfo(id="{id}", question="{title}: does production feel it?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """A chain for every finding that starts one: trigger, mechanism, exposure, harm (see bot/investigator/chain.py)."""
    for finding in case.findings:
        if finding.rule == "family/hazard":
            yield from _chain(case)


def _chain(_case: Case) -> Iterator[Trajectory]:
    """Ask for the facts, compare them, and leave a question where there is none."""
    yield from ()
'''

_PAGE = """# {id}

{title}.

## Question

What it asks of production.

## Facts and arithmetic

Which facts are read, and the comparison that means harm, with units.

## Confirms

## Refutes

## Make it safe

## Undo

## Cases

| change | production | answer |
|---|---|---|
| | | confirmed |
| | | refuted |
| | not read | plausible, with its question |
"""

_TEST = """from bot.testing import evaluation_of


def test_a_change_that_does_the_harm_is_reported() -> None:
    evaluation = evaluation_of({{"app.py": "a = 1\\n"}}, {{"app.py": "a = 2\\n"}})

    assert [entry.trajectory.playbook for entry in evaluation.ledger] == ["{id}"]
"""


def new_playbook(playbook_id: str, root: Path = ROOT) -> None:
    """Write the files of a playbook below `root`."""
    if not ID_PART.fullmatch(playbook_id):
        sys.exit(f"'{playbook_id}' is not a playbook id; write name-of-the-failure, like dropped-index")
    module = playbook_id.replace("-", "_")
    words = {"id": playbook_id, "title": playbook_id.replace("-", " ").capitalize()}
    write_new(
        {
            root / "bot" / "investigator" / "playbooks" / f"{module}.py": _MODULE.format(**words),
            root / "docs" / "playbooks" / f"{playbook_id}.md": _PAGE.format(**words),
            root / "tests" / "bot" / "playbooks" / f"test_{module}.py": _TEST.format(**words),
        }
    )
    registry = root / "bot" / "investigator" / "playbooks" / "registry.py"
    register(registry, listing="PLAYBOOKS", package="bot.investigator.playbooks", module=module)
    print("next: write the test, then the playbook, then the page; `make snap` lists it; see docs/how-to/add-a-playbook.md")


def main() -> None:
    """Take the id from the command line."""
    parser = argparse.ArgumentParser(description="Start a playbook.", usage="make new-playbook PLAYBOOK=name-of-the-failure")
    parser.add_argument("playbook", help="name-of-the-failure")
    new_playbook(parser.parse_args().playbook)


if __name__ == "__main__":
    main()
