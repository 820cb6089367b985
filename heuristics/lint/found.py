"""What the rules see in one statement that was played in its place."""

from collections.abc import Iterator, Mapping, Sequence

from gonogo.change import ChangeSet, Side
from gonogo.context import ProductionContext
from gonogo.finding import Finding
from gonogo.ports import SourceTree
from gonogo.word import ResourceId
from heuristics.lint.rules import ADVICE, LINT_RULES
from heuristics.rule import RuleContext
from heuristics.sql import Dialect, Simulated

NO_CHANGE = ChangeSet(repository="", base="", head="", files=())


def findings_of(steps: Sequence[Simulated], trees: Mapping[Side, SourceTree]) -> Iterator[Finding]:
    """The findings of one statement, each once, in the order of the rules."""
    context = RuleContext(
        repository=ResourceId(""),
        changes=NO_CHANGE,
        trees=trees,
        production=ProductionContext(),
        declared={},
        settings=(),
        live={},
    )
    vars(context)["migrations"] = tuple(steps)  # already played in its place
    is_mysql = steps[0].operation.statement.dialect in ("mysql", "mariadb")
    seen: set[tuple[str, str]] = set()
    for rule in LINT_RULES:
        if is_mysql and rule.INFO.id.startswith("postgres/"):
            continue  # mysql/copies-table says what is slow there
        for finding in rule.check(context):
            if (finding.rule, finding.message) not in seen:
                seen.add((finding.rule, finding.message))
                yield finding


def is_advice(finding: Finding, dialect: Dialect) -> bool:
    """What only production's facts settle; SQLite has no other way to build an index, so its size decides."""
    return finding.rule in ADVICE or (dialect == "sqlite" and finding.rule.startswith("postgres/"))
