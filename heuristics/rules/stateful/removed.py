"""A resource that holds state goes from the manifest."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.stateful.losses import Loss, state_losses

INFO = RuleInfo(id=RuleId("stateful/removed"), title="A resource that holds state is removed", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in state_losses(context):
        if found.loss in (Loss.REMOVED, Loss.CLASS_DELETED) and found.guard is None:
            name = found.before or found.declared.name or found.declared.address
            message = f"{name} ({found.declared.kind}) goes, so the deploy deletes it with what it holds"
            safe = (
                "Take it out of the state first (`removed` block, `DeletionPolicy: Retain`), and delete it once nothing uses it."
            )
            yield finding_at(INFO.id, Place(file=found.file, line=found.line, side=found.side), message, safe)
