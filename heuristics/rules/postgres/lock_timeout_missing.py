"""ACCESS EXCLUSIVE with no lock_timeout in the run: it queues, and everybody queues behind it."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Simulated
from heuristics.sql.durations import milliseconds

INFO = RuleInfo(id=RuleId("postgres/lock-timeout-missing"), title="A strong lock is waited for without a limit", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if (
            "AccessExclusive" in step.effect.locks.values()
            and not step.created_here
            and step.operation.statement.dialect not in ("mysql", "mariadb", "sqlite")
            and not step.lock_timeout_ms
            and not _server_limits(context, step)
        ):
            yield finding(
                INFO.id,
                step,
                "while it waits for a long transaction, every later query of the table waits behind it; no lock_timeout is set",
            )


def _server_limits(context: RuleContext, step: Simulated) -> bool:
    database = context.database_of({step.operation.table or ""})
    value = database.settings.get("lock_timeout") if database is not None else None
    return bool(value is not None and milliseconds(str(value)))
