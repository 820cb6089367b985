"""ALTER TABLE that needs ALGORITHM=COPY, or a build that MySQL can't do online: writes wait."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits

INFO = RuleInfo(id=RuleId("mysql/copies-table"), title="MySQL copies the table while writes wait", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.statement.dialect in ("mysql", "mariadb") and step.slow_under:
            yield finding(INFO.id, step, f"{step.effect.algorithm or 'COPY'}: the table is copied while {waits(step)}")
