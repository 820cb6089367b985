"""Where the step of a pipeline that applies migrations stands, seen from the steps that roll the new version out."""

import re
from collections.abc import Sequence

from gonogo.pattern import pattern
from heuristics.schema.hand_run import rolls_out

_CALLS = pattern(
    r"(?i)(?:\brun-task\b|\bstart-execution\b|\bstart-build\b|\bjobs?\s+execute\b|\bsubmit-job\b).*\bmigrat|\bmigrat[\w-]*.*\brun-task\b"
    r"|\b(?:kubectl|oc)\b.*\b(?:apply|create|exec|run|replace)\b.*migrat|\bdocker(?:-compose|\s+compose)?\b.*\b(?:run|exec)\b.*\bmigrat"
    r"|\b(?:make|just|task|invoke|heroku\s+run|fly\s+ssh\s+console|fly(?:ctl)?\s+machine\s+run)\b.*\bmigrat"
    r"|(?:^|[\s;&|\"'(])(?:\./|sh\s+|bash\s+)[\w./-]*migrat[\w-]*(?:\.(?:sh|py|rb|js|ts))?(?=$|[\s\"');&|])"
)
_ONLY_LOOKS = pattern(
    r"(?i)\blint|\bcheck|\btest|dry[-_]?run|\bstatus\b|--fake|\bgenerate\b|\bdiff\b|\bverif|\bdown\b|roll-?back|\bvalidate\b"
)
_WAITS = pattern(r"(?i)rollout\s+(?:status|history)|services-stable")
_JOB = pattern(r"^(\s*)([\w.-]+):\s*(?:#.*)?$")


def is_pipeline(path: str) -> bool:
    """Whether the file's jobs are steps of a pipeline that people follow from top to bottom."""
    lower = path.lower()
    return "/workflows/" in path or path.endswith(".gitlab-ci.yml") or "jenkinsfile" in lower or "buildspec" in lower


def calls_migrations(line: str) -> bool:
    """Whether a command has a task, a job, a target or a script named for migrations apply them."""
    return bool(_CALLS.search(line[:600])) and not _ONLY_LOOKS.search(line[:600])


def is_after_every_roll_out(path: str, lines: Sequence[str], number: int, rolls: re.Pattern[str]) -> bool:
    """Whether the new version is live when the command of line `number` (from 1) starts: rolled out before it, nowhere after it.

    A pipeline that rolls out to several stages, or whose roll-out may run beside the job of that line, is not.
    """
    rolled = [n for n, line in enumerate(lines, start=1) if n != number and _rolls(line, rolls)]
    later = any(_rolls(line, rolls) or (rolls_out(line[:600]) and not _WAITS.search(line)) for line in lines[number:])
    if not any(n < number for n in rolled) or later:
        return False
    mine = _job_of(path, lines, number)
    others = {_job_of(path, lines, n) for n in rolled} - {mine}
    return all(_is_behind(path, lines, mine, other) for other in others)


def _rolls(line: str, rolls: re.Pattern[str]) -> bool:
    is_migration = re.search(r"(?i)migrat", line) is not None
    return not line.lstrip().startswith(("#", "//")) and not is_migration and bool(rolls.search(line)) and not _WAITS.search(line)


def _job_of(path: str, lines: Sequence[str], number: int) -> str:
    """The job that a line of a workflow stands in; empty elsewhere."""
    depth = 0 if path.endswith(".gitlab-ci.yml") else 2 if "/workflows/" in path else -1
    for line in reversed(lines[:number]):
        found = _JOB.match(line[:200])
        if found and len(found[1]) == depth:
            return found[2]
    return ""


def _block(path: str, lines: Sequence[str], job: str) -> str:
    indent = "" if path.endswith(".gitlab-ci.yml") else "  "
    found = re.search(
        rf"(?m)^{indent}{re.escape(job)}:[^\n]*\n((?:(?:{indent}[ \t][^\n]*|[ \t]*|[ \t]*#[^\n]*)\n)*)", "\n".join(lines) + "\n"
    )
    return found[1] if found else ""


def _is_behind(path: str, lines: Sequence[str], mine: str, other: str) -> bool:
    """Whether a job waits for the other one: it needs it, itself or through others, or stands in a later stage."""
    waits_for, seen = [mine], set[str]()
    while waits_for:
        job = waits_for.pop()
        if job == other:
            return True
        if job not in seen:
            seen.add(job)
            needs = re.search(r"(?m)^\s*needs\s*:((?:[^\n]*\n)(?:\s*- [^\n]*\n)*)", _block(path, lines, job))
            waits_for += re.findall(r"[\w.-]*\w[\w.-]*", needs[1]) if needs else []
    stages = re.search(r"(?m)^stages:((?:[^\n]*\n)(?:\s*- [^\n]*\n)*)", "\n".join(lines) + "\n")
    order: list[str] = re.findall(r"[\w.-]*\w[\w.-]*", stages[1]) if stages else []
    first, second = (re.search(r"(?m)^\s+stage:\s*[\"']?([\w.-]+)", _block(path, lines, job)) for job in (mine, other))
    if first is None or second is None or first[1] not in order or second[1] not in order:
        return False  # they may run side by side
    return order.index(first[1]) > order.index(second[1])
