"""Regular expressions that are compiled when they are first used: one evaluation loads hundreds and uses some."""

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_FACTS = ("flags", "groups", "groupindex")


def pattern[Text: (str, bytes)](text: Text, flags: int = 0) -> re.Pattern[Text]:
    """What `re.compile` gives, for a name of a module: made at its first use, and then as quick.

    A wrong expression raises `re.error` at its first use too; a law test compiles them all.
    """
    return cast("re.Pattern[Text]", LaterPattern(text, flags))


class LaterPattern:
    """Stands for a compiled pattern. Its first use puts the methods of the compiled one in its place."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._wanted = flags

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """For whom asks `isinstance(x, re.Pattern)`, as `re.search` does."""
        return re.Pattern

    def __getattr__(self, name: str) -> Any:
        """Compile, then answer as the compiled pattern does; called for what is not yet here only."""
        if name not in _METHODS and name not in _FACTS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._wanted)
        self.__dict__.update({each: getattr(compiled, each) for each in (*_METHODS, *_FACTS)})
        return self.__dict__[name]

    def __repr__(self) -> str:
        """The expression."""
        return f"pattern({self.pattern!r})"
