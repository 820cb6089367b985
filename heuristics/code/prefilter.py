"""A cheap look at a file before it is parsed: fixed words first, since they are found at memory speed, then patterns."""

import re

from gonogo.record import Record


class Look(Record):
    """Something that a file must hold: one of the words and, where given, the pattern too."""

    words: tuple[str, ...]
    pattern: re.Pattern[str] | None = None


def holds_any(text: str, looks: tuple[Look, ...]) -> bool:
    """Whether one of the looks finds something."""
    return any(
        any(word in text for word in look.words) and (look.pattern is None or look.pattern.search(text) is not None)
        for look in looks
    )
