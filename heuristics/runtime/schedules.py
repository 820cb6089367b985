"""Jobs whose schedule changes: in manifests, and in code that hands a schedule to a library."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.code import ValueChange
from heuristics.rule import RuleContext
from heuristics.runtime.cron import Schedule, every, schedule_of
from heuristics.runtime.declared import base_place_of, place_of_change, production_settings


class Rescheduled(Record):
    """One job with its old and its new schedule. `declared` is None when code schedules it."""

    name: str
    place: Place
    old_text: str
    new_text: str
    old: Schedule
    new: Schedule
    declared: Declared | None = None
    before: Declared | None = None
    """The declaration on the base side."""
    may_overlap: bool | None = None
    """False when the scheduler waits or skips; None when replaced: a run that still goes on is killed."""


class Stopped(Record):
    """A job that does not start any more."""

    name: str
    place: Place
    before: Place | None
    change: SettingChange


def rescheduled(context: RuleContext) -> tuple[Rescheduled, ...]:
    """Every job whose schedule differs, in the order of files and lines."""
    found = [*_in_manifests(context)]
    places = {(r.place.file, r.place.line) for r in found}
    found += [r for r in _in_code(context) if (r.place.file, r.place.line) not in places]
    return tuple(sorted(found, key=lambda r: (r.place.file, r.place.line)))


def stopped(context: RuleContext) -> Iterator[Stopped]:
    """Jobs that are suspended or switched off."""
    for change in production_settings(context):
        if not _is_job(change.declared):
            continue
        old, new = (s.value if s is not None else None for s in (change.old, change.new))
        is_off = (change.key == "suspend" and new is True and old is not True) or (
            change.key == "enabled" and new is False and old is not False
        )
        if is_off or (change.key == "state" and str(new).upper() == "DISABLED" and str(old).upper() != "DISABLED"):
            yield Stopped(job_name(change.declared), place_of_change(change), base_place_of(change), change)


def job_name(declared: Declared) -> str:
    """What to call the job of a trigger: its own name, else the function it stands at."""
    if declared.name:
        return declared.name
    parts = re.split(r"[./]", declared.address)
    return parts[-1] if parts else declared.address


_JOBS = ("kubernetes.cronjob", "aws.events.rule", "aws.scheduler.schedule", "cloudflare.worker", "google.cloud.scheduler_job", "aws.lambda", "kubernetes.cronworkflow", "azure")  # fmt: skip


def _is_job(declared: Declared) -> bool:
    return declared.kind.startswith(_JOBS) and (
        declared.kind == "kubernetes.cronjob" or any(k in declared.settings for k in _KEYS)
    )


_KEYS = ("schedule", "schedule_expression", "rate", "cron")


def _in_manifests(context: RuleContext) -> Iterator[Rescheduled]:
    for change in production_settings(context):
        if change.key not in _KEYS or change.declared.kind.startswith(("github.", "aws.autoscaling", "compose.")):
            continue
        old_all, new_all = (_texts(s.value) if s is not None else [] for s in (change.old, change.new))
        gone = [t for t in old_all if t not in new_all]
        for old_text, new_text in zip(gone, [t for t in new_all if t not in old_all], strict=False):
            old, new = schedule_of(old_text), schedule_of(new_text)
            if old is not None and new is not None and old != new:
                yield Rescheduled(
                    job_name(change.declared), place_of_change(change), old_text, new_text, old, new, change.declared, change.before, _may_overlap(change.declared)
                )  # fmt: skip


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]  a list of a manifest


def _may_overlap(declared: Declared) -> bool | None:
    policy = declared.settings.get("concurrency_policy")
    if policy is not None and policy.value in ("Forbid", "Replace"):
        return False if policy.value == "Forbid" else None
    return True


_SCHEDULES = pattern(r"(?i)cron|schedul|crontab|interval|\bevery\b|beat|periodic|repeat|rate|timer|fixed_?(rate|delay)|tasks?$")
_NOT_A_JOB = pattern(
    r"(?i)time_?out|retry|backoff|poll|heartbeat|health|probe|refresh_interval|flush|animation|debounce|scrape|renew|keep_?alive|log|metric"
)


def _in_code(context: RuleContext) -> Iterator[Rescheduled]:
    for value in context.values:
        if value.old is None or value.new is None or value.head_line is None:
            continue
        words = f"{value.path} {value.call} {value.scope}"
        old: Schedule | None = None
        new: Schedule | None = None
        if isinstance(value.old, str) and isinstance(value.new, str):
            old, new = schedule_of(value.old), schedule_of(value.new)
            if value.name in ("minute", "hour") and "crontab" in value.call:
                old, new = _crontab(value.name, value.old), _crontab(value.name, value.new)
        elif (spans := _bare(value)) is not None:
            old, new = (every(span / 60) for span in spans)
        elif (
            value.old_seconds is not None
            and value.new_seconds is not None
            and _SCHEDULES.search(words)
            and not _NOT_A_JOB.search(words)
        ):
            is_job = re.search(r"(?i)beat|crontab|periodic|add_job|schedule[dr]?\b|cron|every|fixed_?rate|repeat", words)
            old, new = (every(value.old_seconds / 60), every(value.new_seconds / 60)) if is_job else (None, None)
        if old is None or new is None or old == new or "workflows/" in value.file:
            continue
        yield Rescheduled(
            value.scope or value.path or value.name,
            Place(file=value.file, line=value.head_line),
            str(value.old),
            str(value.new),
            old,
            new,
            may_overlap=True,
        )


def _bare(value: ValueChange) -> tuple[float, float] | None:
    """Bare numbers where the library says the unit: Celery's beat in seconds, Spring's fixed rate in milliseconds."""
    old, new = value.old, value.new
    if isinstance(old, bool | str) or isinstance(new, bool | str) or old is None or new is None or value.old_seconds is not None:
        return None
    if "beat_schedule" in value.path:
        return float(old), float(new)
    return (old / 1000, new / 1000) if re.search(r"(?i)^fixed_?(rate|delay)$", value.name) else None


def _crontab(name: str, text: str) -> Schedule | None:
    """Celery's `crontab(minute='*/5')`: what is not named is every."""
    return schedule_of(f"{text} * * * *" if name == "minute" else f"0 {text} * * *")


def more_often(found: Rescheduled) -> bool:
    """Whether it now starts materially more often, or closer together."""
    return found.new.interval_min < found.old.interval_min * 0.99


def moved(found: Rescheduled) -> bool:
    """Whether it starts at other minutes of the day, or on other days of the week, than before."""
    if not (found.old.is_aligned and found.new.is_aligned):
        return False
    other_days = found.old.days is not None and (found.new.days is None or not found.new.days <= found.old.days)
    return other_days or not found.new.minutes <= found.old.minutes


def shared_starts(jobs: tuple[Rescheduled, ...]) -> tuple[tuple[Rescheduled, ...], ...]:
    """Groups of jobs that start at the same minute from now on and did not before."""
    groups: list[list[Rescheduled]] = []
    for job in jobs:
        if not job.new.is_aligned or len(job.new.minutes) > 48:
            continue
        for group in groups:
            if any(job.new.meets(other.new) and not job.old.meets(other.old) for other in group):
                group.append(job)
                break
        else:
            groups.append([job])
    return tuple(tuple(g) for g in groups if len(g) > 1)
