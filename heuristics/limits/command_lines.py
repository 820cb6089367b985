"""Numbers on the command lines of files that declare nothing: shell scripts, systemd units, supervisor's programs."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from heuristics.limits.command_flags import FlagChange, flags_of
from heuristics.rule import RuleContext

_FILES = pattern(
    r"(?i)(.*/)?(procfile[\w.-]*|[^/]*\.(sh|bash|service|procfile)|[^/]*(supervisor|program|worker)[^/]*\.(conf|ini)|entrypoint[\w.-]*)"
)
_PROGRAMS = pattern(
    r"(?i)celery|sidekiq|gunicorn|uvicorn|hypercorn|granian|puma|unicorn|\brq\b|dramatiq|huey|shoryuken|resque|queue:work|horizon|\barq\b|num_?procs"
)
"""Servers and workers. Flags of what a script calls once (`curl`, `kubectl`, `helm`) set nothing in production."""
_DIGITS = pattern(r"\d+")
_COPIES = pattern(r"\s*(?P<name>num_?procs)\s*=\s*(?P<value>\d{1,5})\s*")


def line_changes(context: RuleContext) -> Iterator[FlagChange]:
    """Flags whose numbers differ between a removed line and the added one in its place, which are the same otherwise."""
    for file in context.changes.files:
        if file.head_path and file.base_path and _FILES.fullmatch(file.head_path):
            yield from _of_file(file, file.head_path)


def _of_file(file: ChangedFile, path: str) -> Iterator[FlagChange]:
    for hunk in file.hunks:
        if len(hunk.removed) != len(hunk.added):
            continue
        for at, (before, after) in enumerate(zip(hunk.removed, hunk.added, strict=True)):
            if (
                before.lstrip().startswith(("#", ";"))
                or not _PROGRAMS.search(after[:4_000])
                or _DIGITS.sub("0", before[:4_000]) != _DIGITS.sub("0", after[:4_000])
            ):
                continue
            olds = dict(_numbers(before))
            for name, value in _numbers(after):
                if name in olds and olds[name] != value:
                    yield FlagChange(
                        name=name, old=olds[name], new=value, file=path, base_line=hunk.base_start + at, head_line=hunk.head_start + at
                    )  # fmt: skip


def _numbers(line: str) -> Iterator[tuple[str, float]]:
    if (copies := _COPIES.fullmatch(line)) is not None:
        yield "processes", float(copies["value"])
    command = re.sub(r"^\s*\w+\s*[=:]\s*", "", line[:4_000])
    for _, name, value in flags_of(command, command):
        yield name, float(value)
