"""What the stage of production is called where a manifest is for several, and its default is a developer's."""

from collections.abc import Iterable

from gonogo.pattern import pattern

LAPTOP_STAGES = ("dev", "develop", "development", "local", "test", "sandbox")
PRODUCTION_STAGES = ("prod", "production", "prd", "live")
_STAGE = pattern(r"(?i)(.*[_.-])?(stage|env|environment|workspace|envname|stagename|environmentname)(_?name)?")


def production_among(names: Iterable[str]) -> str:
    """The stage of production among these names; empty when none of them is."""
    found = set(names)
    return next((stage for stage in PRODUCTION_STAGES if stage in found), "")


def names_the_stage(parameter: str) -> bool:
    """Whether a parameter says which stage is deployed."""
    return _STAGE.fullmatch(parameter) is not None
