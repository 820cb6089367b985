"""What is for production, and what is visibly for another stage: staging, development, tests, a laptop."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from gonogo.pattern import pattern
from gonogo.resource import Declared, SettingChange
from heuristics.code import language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext

_OTHER_STAGES = words(
    "dev devel develop development local localhost stage staging stg test tests testing qa uat sandbox preview ci int demo nonprod"
    " example examples sample samples"
)
_WORDS_OF_CODE = words("local ci int preview stage stg qa uat demo example sample samples")
"""Folders of programs may be called so without being for another stage."""
_OTHER_STAGE = pattern(rf"(?i)(?:^|[-_./])(?:{'|'.join(sorted(_OTHER_STAGES))}|non-prod)(?:$|[-_./])")
_LAPTOP = pattern(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$|(^|/)\.devcontainer/|(^|/)Tiltfile$|(^|/)skaffold")


def names_other_stage(text: str | None) -> bool:
    """Whether a path or the name of an environment has the word of another stage than production."""
    return bool(text) and _OTHER_STAGE.search(text or "") is not None


def is_for_production(context: RuleContext, declared: Declared) -> bool:
    """Whether a declaration can matter to production: it was joined to a live resource, or nothing says otherwise."""
    if context.live_of(declared) is not None:
        return True
    if declared.kind.startswith("github.") or _LAPTOP.search(declared.file):
        return False
    return not names_other_stage(declared.environment) and not names_other_stage(declared.file)


def production_settings(context: RuleContext) -> tuple[SettingChange, ...]:
    """The changed settings of declarations that are for production."""
    return tuple(c for c in context.settings if is_for_production(context, c.declared))


@lru_cache(maxsize=4_000)
def is_elsewhere(file: str, environment: str = "") -> bool:
    """Whether a file of code or configuration, or a section of it, is for another stage."""
    if environment.lower() in _OTHER_STAGES:
        return True
    path = PurePosixPath(file)
    folders = {part.lower() for part in path.parts[:-1]}
    if folders & (_OTHER_STAGES - (_WORDS_OF_CODE if language_of(file) in CODE_LANGUAGES else frozenset())):
        return True
    middle = re.split(r"[._\-]", path.name.lower())[1:-1]
    return any(word in _OTHER_STAGES for word in middle) or ("environments" in folders and path.stem.lower() in _OTHER_STAGES)
