"""Small source trees in memory, for tests of everything that reads one side of a change."""

import re
from collections.abc import Collection, Mapping, Sequence

from gonogo.change import Side
from gonogo.resource import Place


class MemoryTree:
    """A `SourceTree` made of `{path: text}`; give `side="base"` for the tree before the change.

    A path whose text is None is there and cannot be read, as a binary file is.
    """

    def __init__(self, files: Mapping[str, str | None], *, side: Side = "head") -> None:
        self._files = {path: None if text is None else text.replace("\r\n", "\n") for path, text in files.items()}
        self._side: Side = side

    @property
    def side(self) -> Side:
        """Which side this is."""
        return self._side

    def paths(self) -> Sequence[str]:
        """Every path, sorted."""
        return sorted(self._files)

    def text(self, path: str) -> str | None:
        """The text of a file, or None when there is no such file or it is not text."""
        return self._files.get(path)

    def search(self, words: Collection[str]) -> Mapping[str, tuple[Place, ...]]:
        """Every line that holds one of the words as a whole word, in path and line order."""
        patterns = {word: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for word in sorted(set(words))}
        found: dict[str, list[Place]] = {word: [] for word in patterns}
        for path in self.paths():
            for number, line in enumerate((self._files[path] or "").split("\n"), start=1):
                for word, pattern in patterns.items():
                    if word in line and pattern.search(line):
                        found[word].append(Place(file=path, line=number, side=self._side))
        return {word: tuple(places) for word, places in found.items()}
