"""A setting that cannot change in place replaces a resource that holds state."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.stateful.losses import Loss, state_losses

INFO = RuleInfo(id=RuleId("stateful/replaced"), title="A resource that holds state is replaced", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in state_losses(context):
        if found.loss in (Loss.REMOVED, Loss.CLASS_DELETED):
            continue
        name = found.declared.name or found.declared.address
        why = (
            f"{found.before} becomes {found.after} with no `moved` block"
            if found.loss is Loss.READDRESSED
            else f"{', '.join(found.keys)} cannot change in place"
        )
        message = f"{name} ({found.declared.kind}) is deleted and created anew: {why}"
        safe = (
            "Create the new one beside it, copy, switch over, and delete the old one later; or a `moved` block for a new address."
        )
        yield finding_at(INFO.id, Place(file=found.file, line=found.line, side=found.side), message, safe)
