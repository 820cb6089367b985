"""A view, sequence, schema, default, key or permission that the running version may rely on goes away or gets stricter."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action, Simulated

INFO = RuleInfo(
    id=RuleId("migrations/relied-on-changed"), title="What the running version relies on is not there any more", since="0.2.0"
)

_SAYS = {
    Action.DROP_VIEW: "whoever still reads {name} fails with 42P01",
    Action.DROP_SEQUENCE: "whoever still takes numbers from {name} fails with 42P01",
    Action.DROP_SCHEMA: "whoever still uses what is in schema {name} fails with 42P01, and its data is gone",
    Action.SET_SCHEMA: "statements with the old name of {name} fail with 42P01 from the commit on",
    Action.RENAME_TYPE: "statements and casts with the old name of type {name} fail with 42704",
    Action.ALTER_TYPE_ATTRIBUTE: "a version that builds or reads whole values of type {name} finds other attributes in them",
    Action.DROP_DEFAULT: "INSERTs of the running version that leave {column} out fail: it is NOT NULL and has no default any more",
    Action.DROP_IDENTITY: "INSERTs of the running version that leave {column} out fail with 23502",
    Action.TOGGLE_TRIGGER: "what the triggers of {name} did for the running version is not done any more",
    Action.ROW_SECURITY: "roles without a policy see no rows of {name} any more, and write none",
}
_KEYS = ("unique", "primary_key")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        says = _says(step)
        if says and not step.created_here and step.error is None:
            op = step.operation
            column = f"{op.table}.{', '.join(op.columns)}"
            yield finding(INFO.id, step, says.format(name=op.name or op.table, column=column))


def _says(step: Simulated) -> str:
    op = step.operation
    if op.action is Action.TOGGLE_TRIGGER and "disable" not in op.statement.sql.lower():
        return ""
    if op.action is Action.ROW_SECURITY and not any(w in op.statement.sql.lower() for w in ("enable row", "force row")):
        return ""
    if op.action is Action.DROP_DEFAULT and op.details.get("column_is_not_null") != "true":
        return ""
    if op.action is Action.DROP_CONSTRAINT:
        is_key = (op.name or "").endswith(("_pkey", "_key")) or (op.constraint is not None and op.constraint.kind in _KEYS)
        return "an ON CONFLICT of the running version that names the columns of {name} fails with 42P10" if is_key else ""
    return _SAYS.get(op.action, "")
