"""Numbers that the command line of a container gives its program: `["gunicorn", "-w", "4"]`, `--concurrency=8`."""

import re
from collections.abc import Iterator
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Setting, SettingChange
from heuristics.rule import RuleContext

_COMMANDS = pattern(
    r"(?:(?:init_)?container\.[^.]+\.)?(?:args|command|entry_?point)|container_definitions\.\d+\.(?:command|entry_?point)"
)
_FLAG = pattern(r"(?<![\w-])--?(?P<name>[A-Za-z][\w-]{0,40})(?:=|\s+)(?P<value>\d{1,9})(?![\w.-])")
_SERVERS = pattern(r"\b(gunicorn|uvicorn|hypercorn|granian|puma|unicorn)\b")
_POOLS = pattern(r"\b(rq\s+worker-pool|dramatiq|huey_consumer(\.py)?|periodiq)\b")
_SHORT = {"w": "workers", "c": "concurrency", "t": "threads"}
_SHORT_OF_POOLS = {"n": "workers", "p": "processes", "w": "workers", "t": "threads"}
"""What a letter means to programs whose processes or threads work off a queue."""
_NEAR = 60


class FlagChange(Record):
    """A flag with a number on both sides. `name` is spelled out, with the program before it where that says more: `gunicorn_workers`."""

    name: str
    old: float
    new: float
    file: str
    base_line: int
    head_line: int
    declared: Declared | None = None
    """Whose command line it is."""


def flag_changes(context: RuleContext, change: SettingChange) -> Iterator[FlagChange]:
    """Flags of a changed command line whose numbers differ."""
    if change.old is None or change.new is None or not _COMMANDS.fullmatch(change.key):
        return
    before, after = _line_of(change.old), _line_of(change.new)
    olds = {m["name"]: m["value"] for m in _FLAG.finditer(before)}
    beside = change.after.settings.get(change.key.replace("args", "command")) if change.after is not None else None
    program = f"{_line_of(beside)} {after}" if beside is not None else after
    for flag, spelled, value in flags_of(after, program):
        if olds.get(flag, value) == value:
            continue
        file = change.new.file or change.declared.file
        yield FlagChange(
            name=spelled,
            old=float(olds[flag]),
            new=float(value),
            file=file,
            base_line=_place(context.base.text(change.old.file or change.declared.file), change.old.line, flag, olds[flag]),
            head_line=_place(context.head.text(file), change.new.line, flag, value),
            declared=change.declared,
        )


def flags_of(line: str, program: str) -> Iterator[tuple[str, str, str]]:
    """Flags with a number on a command line: as written, spelled out, and the number. `program` is what the line starts."""
    server, pool = _SERVERS.search(program), _POOLS.search(program)
    for found in _FLAG.finditer(line):
        flag = found["name"]
        spelled = (_SHORT_OF_POOLS if pool is not None else _SHORT).get(flag, flag) if len(flag) == 1 else flag
        if len(spelled) > 1:
            yield flag, f"{server[1]}_{spelled}" if server is not None and spelled == "workers" else spelled, found["value"]


def _line_of(setting: Setting) -> str:
    value = setting.value
    parts = cast("list[object]", value) if isinstance(value, list | tuple) else [value or ""]
    return " ".join(str(part) for part in parts)[:4_000]


def _place(text: str | None, first: int, flag: str, value: str) -> int:
    """The line of the flag's number, at or below the line on which the command line begins."""
    lines = (text or "").split("\n")
    number = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
    for at in range(first, min(first + _NEAR, len(lines) + 1)):
        if number.search(lines[at - 1]) and any(re.search(rf"-{re.escape(flag)}\b", near) for near in lines[max(0, at - 2) : at]):
            return at
    return first
