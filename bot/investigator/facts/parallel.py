"""How much one copy of a worker does at the same time, from the value that changes and what stands beside it."""

import re

from bot.investigator.case import Case
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from heuristics.limits.changed import Changed
from heuristics.limits.concurrency import parallel_work

_WEB = pattern(
    r"(?i)puma|unicorn|gunicorn|uvicorn|hypercorn|granian|tomcat|jetty|undertow|nginx|web_?concurrency|\bweb\b|server\.threads|\bhttp_?server|\bthin\b|passenger"
)
_WORKERS = pattern(r"(?i)celery|sidekiq|dramatiq|\brq\b|huey|shoryuken|worker|queue|numprocs")
_INNER = pattern(r"(?i)semaphore|plimit|p_limit|setlimit|newweighted|maplimit|eachlimit|pmap|executor|threadpool")
_KINDS = {
    "processes": pattern(r"(?:--?(?:processes|procs|workers|num[-_]workers)|(?<![\w-])-[pn]|\bnumprocs)\s*[=\s]\s*(\d{1,4})\b"),
    "threads": pattern(r"(?:--?threads|(?<![\w-])-t)\s*[=\s]\s*(\d{1,4})\b"),
    "concurrency": pattern(r"(?:--?concurrency|(?<![\w-])-c)\s*[=\s]\s*(\d{1,4})\b"),
}
"""What multiplies what on the command line of a worker."""
_DRAMATIQ_THREADS = 8.0
"""Of each process, where its command line names none: dramatiq's own default."""


class SideBySide(Record):
    """Messages that one copy works on at the same time: for sure, and at the most; `most` is None where nothing tells."""

    least: float
    most: float | None


def is_of_web_server(changed: Changed) -> bool:
    """Whether the threads or processes answer requests, so that no queue waits for them."""
    return _WEB.search(f"{changed.file} {changed.key} {changed.call} {changed.name} {changed.scope}") is not None


def side_by_side(case: Case, changed: Changed, written: float) -> SideBySide:
    """`written` at head, times what else its command line says; a bound inside of a task bounds no tasks."""
    if _INNER.search(f"{changed.call} {changed.name}"):
        return SideBySide(1.0, max(written, parallel_work(case.diff)))
    line = _command_line(case, changed)
    mine = _kind_of(changed)
    others = {
        kind: float(found[1]) for kind, shape in _KINDS.items() if kind != mine and (found := shape.search(line)) is not None
    }
    if "dramatiq" in line:
        if mine == "threads" and "processes" not in others:
            return SideBySide(written, None)  # as many processes as there are CPUs
        if mine != "threads":
            others.setdefault("threads", _DRAMATIQ_THREADS)
    for number in others.values():
        written *= number
    return SideBySide(written, written)


def _kind_of(changed: Changed) -> str:
    words = set(changed.words)
    return "threads" if words & {"thread", "threads"} else "concurrency" if "concurrency" in words else "processes"


def _command_line(case: Case, changed: Changed) -> str:
    """The command line on which the value stands: all of its words in a manifest, else the line, for supervisor with those beside it."""
    if changed.program is not None:
        keys = [key for key in changed.program.settings if re.search(r"(?:command|args|entry_?point)$", key)]
        return " ".join(_words(changed.program, key) for key in keys)
    if changed.declared is not None or not changed.head_line:
        return ""
    lines = (case.diff.head.text(changed.file) or "").split("\n")
    at = changed.head_line - 1
    near = 3 if at < len(lines) and "numprocs" in lines[at] else 0
    text = " ".join(lines[max(0, at - near) : at + near + 1])[:2_000]
    return re.sub(r"[\[\]\"',]", " ", text) if _WORKERS.search(text) else ""


def _words(declared: Declared, key: str) -> str:
    return re.sub(r"[\[\]\"',]", " ", str(declared.settings[key].value))[:4_000]
