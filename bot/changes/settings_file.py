"""The text of a repository's own settings, wherever the tree comes from."""

from typing import Protocol

from bot.changes.folder import ABSENT
from gonogo.errors import Mistake, WrongConfiguration
from gonogo.policy_file import PLACES


class _Tree(Protocol):
    def text(self, path: str) -> str | None: ...

    def why_not(self, path: str) -> str | None: ...


def settings_text(tree: _Tree) -> str | None:
    """`.github/gonogo.yml`, else `.yaml`; None when there is neither. One that is there and cannot be read is WrongConfiguration."""
    for place in PLACES:
        if (text := tree.text(place)) is not None:
            return text
        if (why := tree.why_not(place)) and why != ABSENT:
            raise WrongConfiguration(place, [Mistake(None, f"it cannot be read: {why}")])
    return None
