"""What a job adds to what it works on, by its last runs, and what is there at another time: CPU, connections, calls against what there is."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from statistics import median
from zoneinfo import ZoneInfo

from bot.investigator.asking import Reading, base_unit, number
from bot.investigator.case import Case
from bot.investigator.facts.connections import connections_of
from bot.investigator.facts.headroom import cpu_percent
from bot.investigator.facts.rate_limits import allowed_rate
from bot.investigator.facts.rates import request_rate
from context_graph.readings import statistic_of, values_in, window_of
from gonogo.context import Series, Statistic, Window
from gonogo.evidence import Evidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.runtime.cron import Schedule

_SHARE = pattern(
    r"(?i)(?!.*(memory|disk_?space|storage|free|idle|hit|miss|success|error|balance)).*(iops|(^|_)io(_|$)|dtu|throughput|capacity|connections?|sessions?|workers?|threads?|pool|bandwidth|network|request_units?|normalized_ru).*(utili[sz]ation|percent(age)?|_ratio|consumption)"
    r"|dtu_consumption_percent|normalizedruconsumption"
)
"""Shares of something that a job and others use together."""
_BEFORE = timedelta(hours=1)
_MARGIN = timedelta(minutes=5)
_RUNS = 7


class Use(Record):
    """A series of what is used, its factor to percent of what there is, and what says how much there is."""

    what: str
    series: Series
    to_percent: float
    limit: Evidence | None = None


class Added(Record):
    """In percent of what there is: what the job adds in a usual run, what is there at the new time, and their sum at the least and at the most."""

    use: Use
    added: float
    usual: float
    busiest: float
    most_added: float
    runs: int
    readings: tuple[Reading, ...]

    @property
    def at_least(self) -> float:
        """The average of a run on top of the average of its hour on a usual day of the new schedule."""
        return self.usual + self.added

    @property
    def at_most(self) -> float:
        """The highest moment of a run on top of the highest moment of its hour on any day."""
        return self.busiest + self.most_added


def uses_of(case: Case, target: Resource) -> Iterator[Use]:
    """Every series of a resource that is held against a limit."""
    cpu = cpu_percent(case, target.id)
    if cpu is not None and isinstance(cpu.evidence, MetricEvidence) and cpu.evidence.value:
        yield from _use(case, target, "CPU", cpu, cpu.value / cpu.evidence.value)
    for series in case.production.series_of(target.id):
        if _SHARE.fullmatch(series.metric.partition("{")[0]):
            factor = 100.0 if series.unit.lower() in ("ratio", "none", "") else 1.0
            yield Use(re.sub(r"_", " ", series.metric), series, factor)
    room = connections_of(case, target.id)
    if room.peak is not None and room.most:
        yield from _use(case, target, "connections", room.peak, 100 / room.most, room.limit)
    allowed, rate = allowed_rate(case, target.id), request_rate(case, target.id)
    if allowed is not None and rate is not None and isinstance(rate.evidence, MetricEvidence) and rate.evidence.value:
        yield from _use(
            case,
            target,
            f"its {allowed.said}",
            rate,
            100 * rate.value / rate.evidence.value / allowed.per_second,
            allowed.reading.evidence,
        )
    for kind, key in (("Read", "read_capacity"), ("Write", "write_capacity")):
        units = number(case, target.id, key, f"{key}_units")
        for series in case.production.series_of(target.id):
            if units is not None and units.value > 0 and re.fullmatch(rf"Consumed{kind}CapacityUnits(\.sum)?", series.metric):
                yield Use(f"{kind.lower()} capacity", series, 100 * base_unit(series)[0] / units.value, units.evidence)


def on_top(use: Use, *, old: Schedule, new: Schedule, zones: tuple[str, str], lasts_s: float | None) -> Added | None:
    """What the job's last runs added, on top of what is there when it will run; None when no run, or no such hour, was read."""
    length = timedelta(seconds=min(max(lasts_s or 3600.0, 2 * use.series.step_s), 6 * 3600.0))
    runs = [run for start in _starts(old, use.series, zones[0], length) if (run := _run(use, start, length)) is not None][-_RUNS:]
    hours = [Window(start=start, end=start + length) for start in _starts(new, use.series, zones[1], length)]
    then = [
        (w, mean, peak)
        for w in hours
        if (mean := _value(use, w, "mean")) is not None and (peak := _value(use, w, "max")) is not None
    ]
    if not runs or not then:
        return None
    # without its duration the hour after the start holds the whole run at its highest moment only
    adds = [(high if lasts_s is None else mean) - before for before, mean, high, _ in runs]
    usual_add = median(adds)
    chosen = min(range(len(runs)), key=lambda at: (abs(adds[at] - usual_add), -at))
    usual = median(mean for _, mean, _ in then)
    day = min(then, key=lambda one: (abs(one[1] - usual), -one[0].start.timestamp()))[0]
    top = max(then, key=lambda one: one[2])
    _, _, _, start = runs[chosen]
    during, rest = Window(start=start, end=start + length), Window(start=start - _BEFORE, end=start - _MARGIN)
    cited = (
        _reading(use, day, "mean"), _reading(use, top[0], "max"), _reading(use, during, "max" if lasts_s is None else "mean"), _reading(use, rest, "mean")
    )  # fmt: skip
    return Added(
        use, max(0.0, usual_add), usual, top[2], max(0.0, *(high - before for before, _, high, _ in runs)), len(runs),
        tuple(r for r in dict.fromkeys(cited) if r is not None),
    )  # fmt: skip


def zone_of(declared: Declared | None, text: str) -> str:
    """The time zone that a schedule is written in; UTC where nothing says another."""
    if written := re.match(r"(?:CRON_)?TZ=(\S+) ", text.strip().strip("\"'")):
        return written[1]
    setting = (
        next((declared.settings[k] for k in ("timezone", "time_zone", "spec.timeZone") if k in declared.settings), None)
        if declared is not None
        else None
    )
    return str(setting.value) if setting is not None and setting.value else "UTC"


def _use(
    case: Case, target: Resource, what: str, reading: Reading, to_percent: float, limit: Evidence | None = None
) -> Iterator[Use]:
    if isinstance(reading.evidence, MetricEvidence):
        for series in case.production.series_of(target.id, reading.evidence.metric)[:1]:
            yield Use(what, series, to_percent, limit)


def _starts(schedule: Schedule, series: Series, zone: str, length: timedelta) -> Sequence[datetime]:
    """When it starts within the window of the series, with an hour before it and the whole run after it."""
    window, where = window_of(series), _zone(zone)
    if where is None or not schedule.minutes or len(schedule.minutes) > 24:
        return []
    found: list[datetime] = []
    day = window.start.astimezone(where).replace(hour=0, minute=0, second=0, microsecond=0)
    while day.astimezone(UTC) < window.end:
        if _fires_on(schedule, day):
            starts = [day.replace(hour=m // 60, minute=m % 60).astimezone(UTC) for m in sorted(schedule.minutes)]
            found += [s for s in starts if s - _BEFORE >= window.start and s + length <= window.end]
        day += timedelta(days=1)
    return found


def _fires_on(schedule: Schedule, day: datetime) -> bool:
    """Cron's own rule: where both kinds of days are given, one of them is enough."""
    kinds = [
        c
        for c in (
            schedule.days and (day.weekday() + 1) % 7 in schedule.days,
            schedule.month_days and day.day in schedule.month_days,
        )
        if c is not None
    ]
    return any(kinds) if kinds else True


def _zone(name: str) -> tzinfo | None:
    if name.upper() in ("UTC", "ETC/UTC", "GMT", "Z"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def _run(use: Use, start: datetime, length: timedelta) -> tuple[float, float, float, datetime] | None:
    """What was there before, and on average and at the most during one run."""
    before = _value(use, Window(start=start - _BEFORE, end=start - _MARGIN), "mean")
    during = Window(start=start, end=start + length)
    mean, high = _value(use, during, "mean"), _value(use, during, "max")
    return None if before is None or mean is None or high is None else (before, mean, high, start)


def _value(use: Use, window: Window, statistic: Statistic) -> float | None:
    value = statistic_of(values_in(use.series, window), statistic)
    return None if value is None else value * use.to_percent


def _reading(use: Use, window: Window, statistic: Statistic) -> Reading | None:
    value = statistic_of(values_in(use.series, window), statistic)
    if value is None:
        return None
    cited = MetricEvidence(
        resource=use.series.resource,
        metric=use.series.metric,
        statistic=statistic,
        window=window,
        value=value,
        unit=use.series.unit,
    )
    return Reading(value * use.to_percent, "%", cited)
