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

from gonogo.resource import Place
from gonogo.trajectory import Impact, Role, Trajectory
from heuristics.rule import RuleContext

from bot.investigator.asking import quote_place
from bot.investigator.case import Case
from bot.investigator.chain import mechanism, trigger, unknown
from bot.investigator.playbook import PlaybookInfo

INFO = PlaybookInfo(id="{id}", question="{title}: does production feel it?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each place of the change that starts it."""
    for place in case.diff.once(_places):
        yield _chain(case, place)


def _places(_context: RuleContext) -> tuple[Place, ...]:
    """Read the change here; move this to `heuristics` once a rule points at the same lines."""
    return ()


def _chain(case: Case, place: Place) -> Trajectory:
    """Ask production for its facts, compare them, and leave a question where there is none."""
    line = quote_place(case, place)
    return Trajectory(
        title="what hurts whom",
        impact=Impact.MEDIUM,
        resource=case.repository,
        metric="the metric that would show it",
        links=(
            trigger("what the change does", line),
            mechanism("how that leads to trouble", line),
            unknown(Role.EXPOSURE, "who meets it", "How often?", "the read-only query that answers it"),
            unknown(Role.HARM, "what degrades", "By how much?", "the read-only query that answers it"),
        ),
        make_safe="what to do instead",
        path=(case.repository,),
        undo="how to take it back",
    )
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
