"""`list_changes`: the files of the change and their changed lines."""

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from gonogo.change import ChangedFile


class ListChanges(Arguments):
    """Which part of the change is wanted."""

    path: str | None = None
    """Only this file, with all its hunks; None: every file, with counts."""


def _run(arguments: ListChanges, desk: Desk) -> Answer:
    changes = desk.case.diff.changes
    query = "changed files" if arguments.path is None else f"hunks of {arguments.path}"
    source = f"git {changes.base[:12]}..{changes.head[:12]}"
    if arguments.path is None:
        lines, cut = cut_to([summary_of(f) for f in changes.files], how="ask for one path")
        return Answer(query, source, lines=lines, where="an empty change", cut=cut)
    file = changes.file(arguments.path)
    if file is None:
        return Answer(query, source, where=f"{len(changes.files)} changed files, none of that path")
    lines, cut = cut_to(hunk_lines(file), how="read_file shows any part of it")
    return Answer(query, source, lines=lines, where="no text was changed", cut=cut)


def summary_of(file: ChangedFile) -> str:
    """A file in a line: what happened to it and how much of it changed."""
    moved = f" (was {file.base_path})" if file.base_path and file.head_path and file.base_path != file.head_path else ""
    note = f"; {file.note}" if file.note else ""
    return f"{file.kind.value} {file.path}{moved}: +{len(file.added_lines())} -{len(file.removed_lines())}{note}"


def hunk_lines(file: ChangedFile) -> list[str]:
    """Hunks with the line number of each line on its own side: `-12` is base line 12, `+12` head line 12."""
    lines: list[str] = []
    for hunk in file.hunks:
        lines.append(f"@@ base {hunk.base_start},{hunk.base_count} head {hunk.head_start},{hunk.head_count} @@")
        lines += [f"-{hunk.base_start + at} {text}" for at, text in enumerate(hunk.removed)]
        lines += [f"+{hunk.head_start + at} {text}" for at, text in enumerate(hunk.added)]
    return lines


TOOL = Tool("list_changes", "Files of the change with counts; with a path, that file's hunks with line numbers.", ListChanges, _run)  # fmt: skip
