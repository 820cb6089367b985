"""Starts a rule: its module, its page, its test and its line in the registry (`make new-rule RULE=family/hazard`).

The test fails until the rule finds something.
"""

import argparse
import sys
from pathlib import Path

from gonogo import __version__
from scripts.registry import ID_PART, register, write_new

ROOT = Path(__file__).resolve().parent.parent

_MODULE = '''"""{title}."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("{id}"), title="{title}", since="{version}")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change that holds the hazard."""
    for place in context.once(_places):
        yield finding_at(INFO.id, place, "what happens", "what to write instead")


def _places(context: RuleContext) -> tuple[Place, ...]:
    """Read the change here; prefer `context.migrations`, `context.settings` and `context.values` to text."""
    added = [(f.path, line, text) for f in context.changes.files for line, text in f.added_lines().items()]
    return tuple(Place(file=path, line=line) for path, line, text in added if _is_hazard(text))


def _is_hazard(_text: str) -> bool:
    return False
'''

_PAGE = """# {id}

{title}.

## Why it hurts

What happens in production, to whom, for how long, and what that depends on. Link the page of the vendor that says so.

## Found

```diff
+ the line that is found
```

## Silent

```diff
+ a line that looks like it and is harmless
```

## Safe alternative

```diff
+ what to write instead
```
"""

_TEST = """from bot.testing import evaluation_of


def test_the_hazard_is_found() -> None:
    evaluation = evaluation_of({{"app.py": "a = 1\\n"}}, {{"app.py": "a = 1\\nthe hazard\\n"}})

    assert [(f.rule, f.file, f.line) for f in evaluation.findings] == [("{id}", "app.py", 2)]


def test_what_looks_like_it_and_is_harmless_is_silent() -> None:
    evaluation = evaluation_of({{"app.py": "a = 1\\n"}}, {{"app.py": "a = 1\\nb = 2\\n"}})

    assert [f for f in evaluation.findings if f.rule == "{id}"] == []
"""


def new_rule(rule_id: str, root: Path = ROOT) -> None:
    """Write the files of a rule named `family/hazard` below `root`."""
    family, _, hazard = rule_id.partition("/")
    if not ID_PART.fullmatch(family) or not ID_PART.fullmatch(hazard):
        sys.exit(f"'{rule_id}' is not a rule id; write family/name-of-the-hazard, like postgres/index-not-concurrent")
    package, module = family.replace("-", "_"), hazard.replace("-", "_")
    words = {"id": rule_id, "title": hazard.replace("-", " ").capitalize(), "version": __version__}
    folder = root / "heuristics" / "rules" / package
    files = {
        folder / f"{module}.py": _MODULE.format(**words),
        root / "docs" / "rules" / f"{rule_id}.md": _PAGE.format(**words),
        root / "tests" / "heuristics" / "rules" / package / f"test_{module}.py": _TEST.format(**words),
    }
    for parent in (folder.parent, folder):
        if not (parent / "__init__.py").exists():
            said = "Rules, one a file; a family a folder." if parent == folder.parent else f"Rules of {family}."
            files[parent / "__init__.py"] = f'"""{said}"""\n'
    write_new(files)
    register(root / "heuristics" / "registry.py", listing="RULES", package=f"heuristics.rules.{package}", module=module)
    print("next: write the test, then the rule, then the page; `make snap` lists it; see docs/how-to/add-a-rule.md")


def main() -> None:
    """Take the id from the command line."""
    parser = argparse.ArgumentParser(description="Start a rule.", usage="make new-rule RULE=family/name-of-the-hazard")
    parser.add_argument("rule", help="family/name-of-the-hazard")
    new_rule(parser.parse_args().rule)


if __name__ == "__main__":
    main()
