"""When a schedule fires: cron of Unix, EventBridge, Quartz and Spring, `rate(5 minutes)`, `@hourly`, plain intervals."""

import re
from functools import lru_cache
from itertools import pairwise

from gonogo.pattern import pattern
from gonogo.record import Record

DAY = 1_440
_NAMES = {n: i for i, n in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_MONTHS = {
    n: i for i, n in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)
}
_MACROS = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *"}  # fmt: skip
_UNITS_MIN = {
    "second": 1 / 60,
    "sec": 1 / 60,
    "s": 1 / 60,
    "minute": 1.0,
    "min": 1.0,
    "m": 1.0,
    "hour": 60.0,
    "h": 60.0,
    "day": 1440.0,
    "d": 1440.0,
    "week": 10080.0,
    "w": 10080.0,
}
_RATE = pattern(
    r"(?:rate\(\s*|@?every\s+|every:?\s*)(\d{1,6})?\s*\.?\s*(seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d|weeks?|w)\s*\)?",
    re.IGNORECASE,
)
_CRON = pattern(r"(?:cron\(\s*)?((?:[\w*/,?#LW-]{1,120}\s+){4,6}[\w*/,?#LW-]{1,120})(?:\s*\))?")


class Schedule(Record):
    """What a schedule amounts to. `minutes` are the minutes of a day it fires at; empty for plain intervals.

    `interval_min` is the shortest time between two starts, in minutes; `a_week` how often it starts in a week.
    """

    interval_min: float
    a_week: float
    minutes: frozenset[int]
    days: frozenset[int] | None = None
    """The days of the week it fires on, Sunday 0; None for all of them."""
    month_days: frozenset[int] | None = None
    """The days of the month it fires on; None for all of them."""

    @property
    def is_aligned(self) -> bool:
        """Whether it starts at fixed minutes of the day, not so long after it was made."""
        return bool(self.minutes)

    def meets(self, other: "Schedule") -> bool:
        """Whether both start at the same minute of a day."""
        return bool(self.minutes & other.minutes)


@lru_cache(maxsize=4_000)
def schedule_of(text: str) -> Schedule | None:
    """What the text schedules, or None when it is no schedule that this reads."""
    written = " ".join(text.strip().strip("\"'").split())[:200]
    written = re.sub(r"^(?:CRON_)?TZ=\S+ ", "", written)
    written = _MACROS.get(written.lower(), written)
    if found := _RATE.fullmatch(written):
        unit = found[2].lower()
        minutes = float(found[1] or 1) * _UNITS_MIN.get(unit, _UNITS_MIN.get(unit.rstrip("s"), 1.0))
        return None if minutes <= 0 else Schedule(minutes, 10_080 / minutes, frozenset())
    if found := _CRON.fullmatch(written):
        return _cron(found[1].split(), is_aws=written.lower().startswith("cron("))
    return None


def every(minutes: float) -> Schedule | None:
    """A plain interval."""
    return Schedule(minutes, 10_080 / minutes, frozenset()) if minutes > 0 else None


def _cron(fields: list[str], *, is_aws: bool) -> Schedule | None:
    """Five fields are Unix; six are EventBridge (with a year) or Spring (with seconds first); seven are Quartz."""
    seconds = "0"
    if len(fields) == 7 or (len(fields) == 6 and not is_aws):
        seconds, fields = fields[0], fields[1:]
    first_day = 1 if is_aws or len(fields) == 6 else 0  # EventBridge and Quartz count Sunday as 1
    second, minute, hour = (_values(f, low, high) for f, low, high in ((seconds, 0, 59), (fields[0], 0, 59), (fields[1], 0, 23)))
    if not second or not minute or not hour:
        return None
    days = _week_days(fields[4], first_day)
    month_days = None if fields[2] in ("*", "?") else _values(fields[2], 1, 31)
    months = None if fields[3] in ("*", "?") else _values(_named(fields[3], _MONTHS), 1, 12)
    if days is not None and not days:
        return None
    minutes = frozenset(h * 60 + m for h in hour for m in minute)
    a_week = len(minutes) * len(second) * (len(days) if days is not None else 7.0)
    if month_days is not None and days is None:
        a_week = len(minutes) * len(second) * len(month_days or {1}) * 12 / 52
    if months is not None:
        a_week *= len(months) / 12
    return Schedule(_shortest(minutes, second, days, is_monthly=month_days is not None), a_week, minutes, days, month_days)


def _shortest(minutes: frozenset[int], seconds: frozenset[int], days: frozenset[int] | None, *, is_monthly: bool) -> float:
    if len(seconds) > 1:
        ordered = sorted(seconds)
        return min(b - a for a, b in zip(ordered, [*ordered[1:], ordered[0] + 60], strict=True)) / 60
    ordered = sorted(minutes)
    within = [b - a for a, b in pairwise(ordered)]
    is_daily = not is_monthly and (days is None or len(days) > 1)
    across = ordered[0] + DAY - ordered[-1] if is_daily else 7 * DAY
    return float(min([*within, across]))


def _week_days(field: str, first: int) -> frozenset[int] | None:
    if field in ("*", "?"):
        return None
    names = {n: i + first for n, i in _NAMES.items()}
    found = _values(re.sub(r"L$|#\d$", "", _named(field, names)), first, first + 6 if first else 7)
    return frozenset((d - first) % 7 for d in found)


def _named(field: str, names: dict[str, int]) -> str:
    return re.sub(r"[A-Za-z]{3,9}", lambda m: str(names.get(m[0][:3].lower(), m[0])), field)


def _values(field: str, low: int, high: int) -> frozenset[int]:
    """The values of a field; none when it can't be read."""
    found: set[int] = set()
    for part in field.split(","):
        span, _, step_text = part.partition("/")
        step = int(step_text) if step_text.isdigit() and int(step_text) > 0 else 1
        if step_text and not step_text.isdigit():
            return frozenset()
        if span in ("*", "?", ""):
            start, end = low, high
        elif re.fullmatch(r"\d{1,2}-\d{1,2}", span):
            start, end = (int(x) for x in span.split("-"))
        elif re.fullmatch(r"\d{1,2}", span):
            start, end = int(span), high if step_text else int(span)
        elif span in ("L", "W", "LW", "H") or span.endswith("W"):
            start = end = low
        else:
            return frozenset()
        if not low <= start <= high or not start <= end <= high:
            return frozenset()
        found |= set(range(start, end + 1, step))
    return frozenset(found)
