"""A migration step as a finding: the one place that words its line, its safe alternative and its facts."""

from gonogo.finding import Finding, RuleId
from heuristics.schema.naming import bare
from heuristics.schema.sayings import lock_name
from heuristics.sql import Simulated, safe_alternative


def finding(rule: RuleId, step: Simulated, message: str) -> Finding:
    """The finding of a rule at the line of the step."""
    op = step.operation
    facts = {"action": op.action.value, "table": bare(op.table or "") or None, "columns": list(op.columns), "name": op.name}
    return Finding(
        rule=rule,
        file=op.statement.file,
        line=op.statement.line,
        message=message,
        safe_alternative=safe_alternative(op),
        facts={key: value for key, value in facts.items() if value},
    )


def waits(step: Simulated) -> str:
    """`writes to bookings wait`, `reads and writes of shipments wait`."""
    readers = set(step.blocks_reads)
    parts = [f"{'reads and writes of' if table in readers else 'writes to'} {table}" for table in sorted(step.slow_under)]
    return f"{', '.join(parts)} wait" if parts else "others wait"


def held(step: Simulated) -> str:
    """The locks that are held meanwhile, as PostgreSQL's manual writes them."""
    return ", ".join(f"{lock_name(mode)} on {table}" for table, mode in sorted(step.slow_under.items()))
