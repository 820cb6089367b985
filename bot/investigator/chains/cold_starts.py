"""Runs that were kept warm and are not any more: how long a cold start takes, and whether who waits for it gives up before."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, captures, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.chains.room import chain_of_bound, declared_name, live_of
from bot.investigator.facts.callees import short
from bot.investigator.facts.rates import latency, request_rate
from bot.investigator.facts.traffic import upstream
from gonogo.pattern import pattern
from gonogo.trajectory import Link, Role, Trajectory
from heuristics.limits.concurrency import Bound

_INIT_LINE = r"(?i)\bInit Duration: (?P<ms>[\d.]+) ms"
_INIT_METRIC = pattern(
    r"(?i)(max_?|avg_?)?(init|cold_?start)_?(duration|time|latency)?(_ms|_seconds)?(\.(p50|mean|avg|max|p99))?"
)
_PATIENCE = pattern(r"(?i).*time_?out.*(ms|s|seconds|millis)")
_NOT_OF_CALLS = re.compile(r"(?i)idle|keep_?alive|connect|visibility|drain|session|health")


def no_longer_warm(case: Case, found: Bound) -> Iterator[Trajectory]:
    """One chain a function that loses all of its warm runs; silent where nobody calls it."""
    live = live_of(case, found)
    rate = request_rate(case, live) if live else None
    if live is not None and rate is not None and rate.value == 0:
        return
    name = short(case, live) if live else declared_name(found)
    yield chain_of_bound(
        case, found, live, title=f"{name} starts cold whenever it needs one run more", metric_name="Duration",
        how="without warm runs each run that is added starts cold, and its caller waits for the start", last=_wait(case, live, name),
        make_safe=f"Keep `{found.changed.name}` at {found.old or 0:g} until the cold start is measured on an alias without it, or take a snapshot of the started function (SnapStart) first.",
    )  # fmt: skip


def _wait(case: Case, live: str | None, name: str) -> Link:
    usual, slowest = _starts(case, live, "p50"), _starts(case, live, "max")
    warm = latency(case, live) if live is not None else None
    patience = _patience(case, live) if live is not None else None
    said = f"a call of {name} that meets a cold start takes longer than its caller waits"
    if usual is not None and slowest is not None and patience is not None:
        work = warm.value if warm is not None else 0.0
        cited = (usual, warm, patience)
        if usual.value > patience.value:
            return harm(
                f"{said}: a start alone takes {usual.value:.3g} s, the caller waits {patience.value:.3g} s", *cited,
                comparison=compare(usual.value, ">", patience.value, "s"),
            )  # fmt: skip
        if slowest.value + work <= 0.8 * patience.value:
            return harm(
                f"{said}: start and call take {slowest.value + work:.3g} s at the most, the caller waits {patience.value:.3g} s", slowest, warm, patience,
                comparison=compare(slowest.value + work, ">", patience.value, "s"),
            )  # fmt: skip
    return unknown(
        Role.HARM, said + (f" of {patience.value:.3g} s" if patience is not None else ""), f"How long does a cold start of {name} take, and who waits for it?",
        "filter @type = 'REPORT' | stats max(@initDuration), count(@initDuration) by bin(1h)  # CloudWatch Logs Insights", usual, warm, patience,
    )  # fmt: skip


def _starts(case: Case, live: str | None, statistic: str) -> Reading | None:
    if live is None:
        return None
    wanted = "max" if statistic == "max" else "p50"
    for series in case.production.series_of(live):
        found = statistic_reading(series, wanted) if _INIT_METRIC.fullmatch(series.metric.partition("{")[0]) else None
        if found is not None and found.unit == "s" and found.value > 0:
            return found
    return captures(case, live, _INIT_LINE, "ms", wanted, factor=1e-3, unit="s")


def _patience(case: Case, function: str) -> Reading | None:
    """The shortest time-out in seconds that a caller's live configuration states."""
    found: list[Reading] = []
    for source in upstream(case, function):
        known = case.production.resource(source)
        for key in known.attributes if known is not None else ():
            if _PATIENCE.fullmatch(key) and not _NOT_OF_CALLS.search(key) and (told := number(case, source, key)) is not None:
                factor = 1e-3 if re.search(r"(?i)(ms|millis\w*)$", key) else 1.0
                found.append(Reading(told.value * factor, "s", told.evidence))
    return min(found, key=lambda one: one.value, default=None)
