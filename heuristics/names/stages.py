"""Which declarations are for production: not those of a staging folder, a development environment or a laptop."""

import re

from gonogo.resource import Declared, SettingChange
from heuristics.rule import RuleContext

OTHER_STAGE = re.compile(
    r"(?i)(^|[-_./])(dev|develop|development|local|stag(e|ing)|stg|test|testing|qa|uat|sandbox|preview|ci|int|demo|nonprod|non-prod|example)($|[-_./])"
)
_LAPTOP = re.compile(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$|(^|/)\.devcontainer/|(^|/)Tiltfile$|(^|/)skaffold")


def is_for_production(context: RuleContext, declared: Declared) -> bool:
    """Whether a declaration can matter to production: it was joined to a live resource, or nothing says otherwise."""
    if context.live_of(declared) is not None:
        return True
    if declared.kind.startswith("github.") or (declared.environment and OTHER_STAGE.search(declared.environment)):
        return False
    return OTHER_STAGE.search(declared.file) is None and _LAPTOP.search(declared.file) is None


def production_settings(context: RuleContext) -> tuple[SettingChange, ...]:
    """The changed settings of declarations that are for production."""
    return tuple(c for c in context.settings if is_for_production(context, c.declared))
