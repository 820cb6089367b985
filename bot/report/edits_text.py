"""Edits in words: what goes on after 'Go if'."""

from collections.abc import Sequence

from bot.report.advice import FENCE
from gonogo.go_if import Edit
from gonogo.ports import SourceTree

MAX_SHOWN = 12
"""Lines of one edit that are written out."""
LONGEST = 160
"""Characters of a line of code that stands inside a sentence."""


def edits_text(edits: Sequence[Edit], then: Sequence[str], *, base: SourceTree) -> str:
    """A sentence; code of several lines stands between fences, as in other advice."""
    clauses = [_said(edit, base) for edit in edits]
    if then:
        clauses.append(f"later {'comes' if len(then) == 1 else 'come, in this order:'} {', '.join(then)}")
    said = clauses[0]
    for clause in clauses[1:]:
        said += f"and {clause}" if said.endswith("\n") else f"; and {clause}"
    return said.rstrip("\n")


def _said(edit: Edit, base: SourceTree) -> str:
    before = base.text(edit.file)
    if edit.is_whole_file:
        return f"`{edit.file}` is left out" if before is None else f"`{edit.file}` stays as it is at the base"
    if not edit.lines:
        return f"{_lines(edit)} of `{edit.file}` {'is' if edit.replaces == 1 else 'are'} left out"
    is_as_before = "\n".join(edit.lines) in (before or "")
    if edit.replaces:
        verb = ("stays" if is_as_before else "is") if edit.replaces == 1 else ("stay" if is_as_before else "are")
        return f"{_lines(edit)} of `{edit.file}` {verb}{_code(edit.lines)}"
    verb, place = "stays" if is_as_before else "stands", f"before line {edit.line:,} of `{edit.file}`"
    return f"{_code(edit.lines).strip()} {verb} {place}" if _is_short(edit.lines) else f"{place} {verb}{_code(edit.lines)}"


def _lines(edit: Edit) -> str:
    return f"line {edit.line:,}" if edit.replaces == 1 else f"lines {edit.line:,} to {edit.line + edit.replaces - 1:,}"


def _is_short(lines: Sequence[str]) -> bool:
    return len(lines) == 1 and "`" not in lines[0] and len(lines[0]) <= LONGEST


def _code(lines: Sequence[str]) -> str:
    """Inside the sentence, or on lines of its own."""
    if _is_short(lines):
        return f" `{lines[0].strip()}`"
    more = [f"… and {len(lines) - MAX_SHOWN} lines more"] if len(lines) > MAX_SHOWN else []
    return "\n".join(["", FENCE, *lines[:MAX_SHOWN], *more, FENCE, ""])
