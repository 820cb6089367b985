"""The same change with edits of its head, in memory: what a change would be if some of its lines stood differently."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher

from gonogo.change import ChangedFile, ChangeKind, ChangeSet, Hunk, Side
from gonogo.go_if import Edit
from gonogo.ports import SourceTree
from gonogo.resource import Place


class EditedRepository:
    """Implements gonogo.ports.Repository over another change; nothing is written anywhere.

    `texts` gives the whole text of a head path, None where it is not there; every other path is as at head.
    """

    def __init__(self, changes: ChangeSet, trees: Mapping[Side, SourceTree], texts: Mapping[str, str | None]) -> None:
        self._changes, self._trees, self._texts = changes, trees, texts

    def changes(self) -> ChangeSet:
        """The change from the same base to the edited head; what no longer differs is not in it."""
        files = [edited for file in self._changes.files if (edited := self._edited(file)) is not None]
        known = {path for file in self._changes.files for path in (file.base_path, file.head_path)}
        added = (self._compared(path, path) for path in sorted(self._texts.keys() - known))
        files += [file for file in added if file is not None]
        return self._changes.model_copy(update={"files": tuple(sorted(files, key=lambda f: f.path))})

    def tree(self, side: Side) -> SourceTree:
        """One side."""
        return self._trees["base"] if side == "base" else EditedTree(self._trees["head"], self._texts)

    def _edited(self, file: ChangedFile) -> ChangedFile | None:
        if not any(path in self._texts for path in (file.base_path, file.head_path)):
            return file
        if file.kind is ChangeKind.RENAMED and file.base_path in self._texts:  # the rename is left out
            return None
        found = self._compared(file.base_path or file.path, file.head_path or file.path)
        return file.model_copy(update={"hunks": found.hunks}) if found and file.kind is ChangeKind.RENAMED else found

    def _compared(self, base_path: str, head_path: str) -> ChangedFile | None:
        before = self._trees["base"].text(base_path)
        after = self._texts[head_path] if head_path in self._texts else self._trees["head"].text(head_path)
        if before == after:
            return None
        kind = ChangeKind.ADDED if before is None else ChangeKind.DELETED if after is None else ChangeKind.MODIFIED
        return ChangedFile(
            path=head_path if after is not None else base_path,
            base_path=None if before is None else base_path,
            head_path=None if after is None else head_path,
            kind=kind,
            hunks=hunks_between(before or "", after or ""),
        )


class EditedTree:
    """Implements gonogo.ports.SourceTree: another head tree with some texts replaced."""

    side: Side = "head"

    def __init__(self, inner: SourceTree, texts: Mapping[str, str | None]) -> None:
        self._inner, self._texts = inner, texts

    def paths(self) -> Sequence[str]:
        """Every path, sorted."""
        there = {path for path, text in self._texts.items() if text is not None}
        return sorted({path for path in self._inner.paths() if path not in self._texts} | there)

    def text(self, path: str) -> str | None:
        """The edited text, else the inner tree's."""
        return self._texts[path] if path in self._texts else self._inner.text(path)

    def search(self, words: Collection[str]) -> Mapping[str, tuple[Place, ...]]:
        """Places in the inner tree but for edited paths, and those in the edited texts."""
        wanted = {word: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for word in words}
        found = {word: [p for p in places if p.file not in self._texts] for word, places in self._inner.search(words).items()}
        for path, text in self._texts.items():
            for number, line in enumerate((text or "").split("\n"), start=1):
                for word, pattern in wanted.items():
                    if word in line and pattern.search(line):
                        found.setdefault(word, []).append(Place(file=path, line=number, side="head"))
        return {word: tuple(sorted(places, key=lambda p: (p.file, p.line))) for word, places in found.items()}


def texts_of(edits: Sequence[Edit], trees: Mapping[Side, SourceTree]) -> dict[str, str | None]:
    """The whole texts of the files that these edits of the head touch."""
    texts: dict[str, str | None] = {}
    for path in dict.fromkeys(edit.file for edit in edits):
        of_file = [edit for edit in edits if edit.file == path]
        if any(edit.is_whole_file for edit in of_file):
            texts[path] = trees["base"].text(path)
            continue
        lines = (trees["head"].text(path) or "").split("\n")
        for edit in sorted(of_file, key=lambda e: (e.line, e.replaces), reverse=True):
            lines[edit.line - 1 : edit.line - 1 + edit.replaces] = edit.lines
        texts[path] = "\n".join(lines)
    return texts


def hunks_between(before: str, after: str) -> tuple[Hunk, ...]:
    """The hunks from one text to another, without context, as `git diff -U0` counts them."""
    old, new = _lines(before), _lines(after)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_middle, new_middle = old[same : len(old) - tail], new[same : len(new) - tail]
    return tuple(
        Hunk(
            base_start=same + i1 + (1 if i2 > i1 else 0),
            base_count=i2 - i1,
            head_start=same + j1 + (1 if j2 > j1 else 0),
            head_count=j2 - j1,
            removed=tuple(old_middle[i1:i2]),
            added=tuple(new_middle[j1:j2]),
        )
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old_middle, new_middle, autojunk=False).get_opcodes()
        if tag != "equal"
    )


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines
