"""Where a cited text stands now: commits before and after it move lines, and a file may have got another name."""

import re
from collections.abc import Callable, Iterator, Sequence

from bot.investigator.asking import quote
from bot.investigator.case import Case
from gonogo.change import ChangedFile, Side
from gonogo.evidence import FileEvidence
from gonogo.redaction import MARK, redacted

_LONGEST = 200
"""Characters of a neighbouring line that are kept."""
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|--).*$|/\*.*?\*/")


def anchored(cited: FileEvidence, case: Case) -> FileEvidence | None:
    """The citation with the lines on which its text stands now, nearest to where it stood; None when it is gone from the file."""
    found = list(_places(cited, _lines(case, cited.side, cited.file), _exact))
    return _quoted(case, cited.file, cited, found) if found else None


def anchored_trigger(cited: FileEvidence, case: Case, around: tuple[str, str] = ("", "")) -> FileEvidence | None:
    """The same for a changed line: it must be one that the change still writes or takes away.

    White space and comments count for nothing, and it is looked for in every changed file: to indent a line or to rename its file
    is no other change. In another file it is the same line beside one of the lines that it stood between.
    """
    own = case.diff.changes.file(cited.file)
    others = [f for f in case.diff.changes.files if f is not own]
    for like in (_exact, _loose):
        for file in [*([own] if own is not None else []), *others]:
            path, changed = _changed_lines(file, cited.side)
            if path is None or not changed:
                continue
            lines = _lines(case, cited.side, path)
            found = [p for p in _places(cited, lines, like) if any(at in changed for at in range(p, p + _height(cited)))]
            if file is not own:
                found = [p for p in found if _is_between(_beside(lines, p, _height(cited)), around)]
            if found:
                return _quoted(case, path, cited, found)
    return None


def around_of(cited: FileEvidence, case: Case) -> tuple[str, str]:
    """The nearest lines before and after the cited ones that hold something, without secrets; nothing at the ends of the file."""
    return _beside(_lines(case, cited.side, cited.file), cited.line, _height(cited))


def _is_between(here: tuple[str, str], there: tuple[str, str]) -> bool:
    if not any(there):
        return not any(here)
    return any(a and _loose([a]) == _loose([b]) for a, b in zip(here, there, strict=True))


def _beside(lines: Sequence[str], line: int, height: int) -> tuple[str, str]:
    before = next((text for text in reversed(lines[: line - 1]) if text.strip()), "")
    after = next((text for text in lines[line - 1 + height :] if text.strip()), "")
    return redacted(before[:_LONGEST]), redacted(after[:_LONGEST])


def _places(cited: FileEvidence, lines: Sequence[str], like: Callable[[Sequence[str]], str]) -> Iterator[int]:
    """1-based first lines of the runs that read like the quote; where secrets are out of it, like the runs without theirs."""
    wanted = like(cited.quote.split("\n"))
    height = _height(cited)
    hides = redacted if MARK in cited.quote else str
    if wanted:
        for at in range(len(lines) - height + 1):
            if hides(like(lines[at : at + height])) == wanted:
                yield at + 1


def _quoted(case: Case, path: str, cited: FileEvidence, found: Sequence[int]) -> FileEvidence:
    line = min(found, key=lambda at: abs(at - cited.line))
    return quote(case, path, line, side=cited.side, end_line=line + _height(cited) - 1)


def _lines(case: Case, side: Side, path: str) -> list[str]:
    text = case.diff.trees[side].text(path)
    return text.split("\n") if text is not None else []


def _changed_lines(file: ChangedFile, side: Side) -> tuple[str | None, dict[int, str]]:
    return (file.head_path, file.added_lines()) if side == "head" else (file.base_path, file.removed_lines())


def _height(cited: FileEvidence) -> int:
    return (cited.end_line or cited.line) - cited.line + 1


def _exact(lines: Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines)


def _loose(lines: Sequence[str]) -> str:
    bare = "".join(_COMMENT.sub("", line) for line in lines)
    return "".join(bare.split())
