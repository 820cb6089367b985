"""Parts of a change that could stay out of it, around the lines that a no-go starts from: the smallest first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gonogo.change import ChangedFile, ChangeKind, ChangeSet, Hunk, Side
from gonogo.evidence import FileEvidence
from gonogo.go_if import Edit
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.code import language_of
from heuristics.code.syntax import has_errors, parse


def parts_left_out(
    starts: Sequence[FileEvidence], changes: ChangeSet, trees: Mapping[Side, SourceTree]
) -> Iterator[tuple[Edit, ...]]:
    """One line, the hunk of the first cited line, the hunks of all of them, their whole files."""
    hunks = [(file, hunk, start) for start in starts if (file := changes.file(start.file)) for hunk in _hunks_at(file, start)]
    if hunks:
        file, hunk, start = hunks[0]
        if start.side == "head" and hunk.base_count == hunk.head_count > 1:
            at = start.line - hunk.head_start
            yield (Edit(file=start.file, line=start.line, replaces=1, lines=(hunk.removed[at],)),)
        if file.kind is not ChangeKind.ADDED:
            yield (as_before(file, hunk),)
        elif statement := _statement(start, trees["head"]):
            yield (statement,)
        every = {as_before(f, h): None for f, h, _ in hunks if f.kind is not ChangeKind.ADDED}
        if len(every) > 1 and all(f.kind is not ChangeKind.ADDED for f, _, _ in hunks):
            yield tuple(every)
    cited = [file for path in dict.fromkeys(s.file for s in starts) if (file := changes.file(path)) is not None]
    if cited:
        yield whole(cited[0])
    if len(cited) > 1:
        yield tuple(edit for file in cited for edit in whole(file))


def as_before(file: ChangedFile, hunk: Hunk) -> Edit:
    """The edit of head that takes a hunk back."""
    line = hunk.head_start if hunk.head_count else hunk.head_start + 1
    return Edit(file=file.path, line=line, replaces=hunk.head_count, lines=hunk.removed)


def whole(file: ChangedFile) -> tuple[Edit, ...]:
    """The edits that take a whole file out of the change; both names of a renamed one."""
    paths = dict.fromkeys(path for path in (file.base_path, file.head_path) if path)
    return tuple(Edit(file=path, is_whole_file=True, replaces=_changed_lines(file)) for path in paths)


def is_coherent(edited: str | None, head: str, path: str) -> bool:
    """Whether code parses as well as it did, and no name that went with the edit is still used in the file."""
    language = language_of(path)
    if edited is None or language is None or edited == head:
        return True
    tree = parse(edited, language)
    if tree is not None and has_errors(tree):
        before = parse(head, language)
        if before is None or not has_errors(before):
            return False
    if language == "python" and _has_empty_block(edited) and not _has_empty_block(head):
        return False
    gone = _defined(head) - _defined(edited)
    return not any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", edited) for name in gone)


def _has_empty_block(text: str) -> bool:
    """Whether a `def` or another line that opens a block of Python has none: its grammar takes that, Python does not."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    for line, following in pairwise([*lines, ""]):
        indent = len(line) - len(line.lstrip())
        if _OPENS.match(line) and (not following or len(following) - len(following.lstrip()) <= indent):
            return True
    return False


_OPENS = pattern(r"\s*(?:async |def |class |if |elif |else\b|for |while |with |try\b|except\b|finally\b)[^#]*:\s*(?:#.*)?$")


def _defined(text: str) -> set[str]:
    return {name for found in _DEFINED.finditer(text) for name in found.groups() if name}


_DEFINED = pattern(
    r"(?m)^\s*(?:(?:export|public|private|protected|static|final|readonly|async|pub|const|let|var|val)\s+)*"
    r"(?:(?:def|func|fun|fn|function|class|type|interface|struct|enum)\s+(\w+)"
    r"|(?:[A-Z][\w<>\[\]]*\s+)?([A-Za-z_]\w*)\s*(?::\s*[\w.\[\]<>| ]+)?(?::=|=(?![=>])))"
)
"""A name that a line of code declares, or gives something to."""


def _hunks_at(file: ChangedFile, cited: FileEvidence) -> list[Hunk]:
    """The hunks that hold the cited line; for a head line after which lines went out, the hunk of those."""
    if cited.side == "base":
        return [h for h in file.hunks if h.base_start <= cited.line < h.base_start + h.base_count]
    end = cited.end_line or cited.line
    inside = [h for h in file.hunks if h.head_count and h.head_start <= end and cited.line < h.head_start + h.head_count]
    return inside or [h for h in file.hunks if not h.head_count and h.head_start == cited.line]


def _statement(start: FileEvidence, head: SourceTree) -> Edit | None:
    """The statement of a migration that is not the only one in its file."""
    from heuristics.sql import migrations_in  # noqa: PLC0415  most no-gos are of no migration

    places = {(op.statement.line, op.statement.end_line) for op in migrations_in([start.file], head)}
    here = next((place for place in places if place[0] <= start.line <= place[1]), None)
    if here is None or len(places) < 2 or any(other != here and other[0] <= here[1] and here[0] <= other[1] for other in places):
        return None
    return Edit(file=start.file, line=here[0], replaces=here[1] - here[0] + 1)


def _changed_lines(file: ChangedFile) -> int:
    return sum(max(h.base_count, h.head_count) for h in file.hunks)
