"""Files of a folder on disk as a tree: for what is linted without git, before it is committed."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from bot.changes.tree import MAX_TEXT_BYTES, decode
from gonogo.change import Side
from gonogo.resource import Place

MAX_LISTED = 5_000
"""Files of one folder that are listed beside the one that was asked for."""

ABSENT = "no such file"
"""Why there is no text of a path at which nothing stands."""


class FolderTree:
    """The files in the folders of some given files, and in the folders above them up to `root`; implements SourceTree.

    Paths are relative to `root`, with slashes. `overlay` holds texts that are not on disk (standard input).
    """

    side: Side = "head"

    def __init__(self, root: Path, given: Collection[str], *, overlay: Mapping[str, str] | None = None) -> None:
        self._root, self._given = root, tuple(given)
        self._texts: dict[str, str | None] = dict(overlay or {})
        self._whys: dict[str, str] = {}

    @cached_property
    def _listed(self) -> frozenset[str]:
        folders = {folder for path in self._given for folder in _and_above(path.rpartition("/")[0])}
        found = {f"{folder}/{name}".lstrip("/") for folder in folders for name in self._names(folder)}
        return frozenset(found | set(self._given) | set(self._texts))

    def _names(self, folder: str) -> Iterator[str]:
        try:
            with os.scandir(self._root / folder) as entries:
                for count, entry in enumerate(entries):
                    if count >= MAX_LISTED:
                        return
                    if entry.is_file(follow_symlinks=False):
                        yield entry.name
        except OSError:
            return

    def paths(self) -> Sequence[str]:
        """Every path that is listed, sorted."""
        return sorted(self._listed)

    def text(self, path: str) -> str | None:
        """The decoded text; None when there is no such file, it is binary or too large."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def why_not(self, path: str) -> str:
        """Why `text` is None."""
        return self._whys.get(path, "it can't be read")

    def _read(self, path: str) -> str | None:
        file = self._root / path
        try:
            if not file.is_file():
                self._whys[path] = ABSENT
                return None
            if file.stat().st_size > MAX_TEXT_BYTES:
                self._whys[path] = f"it is larger than {MAX_TEXT_BYTES:,} bytes"
                return None
            text = decode(file.read_bytes())
        except OSError as error:
            self._whys[path] = str(error.strerror or error).lower()
            return None
        if text is None:
            self._whys[path] = "it is not text"
        return text

    def search(self, words: Collection[str]) -> Mapping[str, tuple[Place, ...]]:
        """Every listed line that holds one of the words as a whole word."""
        wanted = sorted({w for w in words if w}, key=len, reverse=True)
        found: dict[str, list[Place]] = {w: [] for w in words}
        if not wanted:
            return dict.fromkeys(words, ())
        pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, wanted)) + r")(?!\w)")
        for path in self.paths():
            for number, line in enumerate((self.text(path) or "").split("\n"), 1):
                for word in set(pattern.findall(line[:MAX_LISTED])):
                    found[word].append(Place(file=path, line=number, side=self.side))
        return {word: tuple(places) for word, places in found.items()}


def _and_above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
