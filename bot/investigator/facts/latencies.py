"""How long something takes in production: every latency that was read of a resource, with its percentile, and what it says of a limit."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from bot.investigator.asking import Reading, base_unit, statistic_reading
from bot.investigator.case import Case
from context_graph.readings import statistic_of
from gonogo.context import Series
from gonogo.pattern import pattern
from gonogo.record import Record

_LABELS = pattern(r"\{.*\}")
_SUFFIX = pattern(r"[._](p50|p75|p90|p95|p98|p99|p999|max|maximum|mean|avg|average|median)$")
_TAKES_TIME = pattern(
    r"(?i)duration|latency|response_?time|processing|listener_seconds|elapsed|took|round_?trip|(requests?|calls?|jobs?|tasks?|messages?|records?|commands?|executions?)_(seconds|ms|millis(econds)?)|handling"
    r"|run_?time|exec(ution)?_?time|execution_(seconds|ms)|(^|_)(perform|task|job|work)_?(time|seconds|ms|duration)"
    r"|first_?byte|ttfb|(^|_)rq_time|(upstream|backend|origin|target|server|service|route|location|request|response|proxy|http|grpc|rpc|api|query)_"
    r"((header|response|request|connect_header|processing|total|handle|handler|rq|call)_)?(time|seconds|secs|ms|milliseconds|millis|time_seconds|time_ms)(_bucket)?$"
)
_OTHER = pattern(
    r"(?i)queue_?(latency|time|wait)|wait_?seconds|iterator|replication|start_?up|up_?time|start_time|time_?out|interval|keep_?alive|connect_|(^|_)(idle|ttl|expiry|last|since|age|lag|init|gc|cpu|pause|build|cold)(_|$)"
)
_NO_CALL = pattern(
    r"(?i)acquire|creation|usage|pause|wait|sleep|delay|stale|schedul|back_?off|lock|connection|uptime|skew|offset|drift|apdex|boot"
)
"""What has percentiles and is none of a call's time."""
_OUTGOING = pattern(r"(?i)client|upstream|outbound|outgoing|dependency|downstream|egress|external")
_PERCENTILES = {
    "max": 100.0,
    "p999": 99.9,
    "p99": 99.0,
    "p98": 98.0,
    "p95": 95.0,
    "p90": 90.0,
    "p75": 75.0,
    "mean": 60.0,
    "p50": 50.0,
}
_SPELLED = {"maximum": "max", "avg": "mean", "average": "mean", "median": "p50", "": "mean"}
_HEADROOM = {"max": 1.0, "p999": 0.9, "p99": 0.8, "p98": 0.7, "p95": 0.5, "p90": 0.4, "p75": 0.25, "mean": 0.2, "p50": 0.2}
"""What share of a limit a percentile may reach, by its peak, for the slower calls that it leaves out to fit as well."""


class Latency(Record):
    """One latency series in seconds. `labels` is what stands in its braces."""

    percentile: str
    labels: str
    series: Series
    factor: float

    @property
    def rank(self) -> float:
        """How far up the distribution it is: 100 for the slowest."""
        return _PERCENTILES[self.percentile]

    @property
    def is_outgoing(self) -> bool:
        """Whether the resource measured calls that it makes, not those that it answers."""
        return bool(_OUTGOING.search(self.series.metric.partition("{")[0]))

    def peak(self) -> Reading | None:
        """Its highest value over the window."""
        return statistic_reading(self.series, "max")

    def typical(self) -> Reading | None:
        """What it is above half of the time."""
        return statistic_reading(self.series, "p50")

    def busy(self) -> Reading | None:
        """What it is above one twentieth of the time: the hours of peak load."""
        return statistic_reading(self.series, "p95")

    def active(self) -> list[float]:
        """Its values in seconds when anything ran."""
        return [v * self.factor for v in self.series.values if v is not None and v > 0]


def latencies(case: Case, resource: str, *, outgoing: bool | None = None) -> tuple[Latency, ...]:
    """Every latency of the resource, the slowest percentile first; those without labels before those with."""
    case.asked.append(f"latency percentiles of {resource}")
    found: list[Latency] = []
    for series in case.production.series_of(resource):
        bare, labels = _LABELS.sub("", series.metric), "".join(_LABELS.findall(series.metric))
        suffix = _SUFFIX.search(bare)
        base = bare[: suffix.start()] if suffix else bare
        factor, unit = base_unit(series)
        if unit != "s" or _OTHER.search(base) or not (_TAKES_TIME.search(base) or _is_percentile(suffix, base)):
            continue
        written = suffix[1] if suffix else ""
        if quantile := re.search(r"quantile=\"?0?\.(\d+)", labels):
            written = f"p{quantile[1].ljust(2, '0')}"
        percentile = _SPELLED.get(written, written)
        if percentile in _PERCENTILES:
            found.append(Latency(percentile, "" if quantile else labels, series, factor))
    wanted = [one for one in found if outgoing in (None, one.is_outgoing)]
    return tuple(sorted(wanted, key=lambda one: (bool(one.labels), -one.rank, one.series.metric)))


def _is_percentile(suffix: re.Match[str] | None, base: str) -> bool:
    """Whether a time without any of the usual words has a percentile, as only latencies have."""
    return suffix is not None and suffix[1].startswith("p") and not _NO_CALL.search(base)


class Answer(StrEnum):
    """What the latencies say of a limit."""

    EXCEEDED = "exceeded"
    FITS = "fits"
    CLOSE = "close"
    UNREAD = "unread"


class Judgement(Record):
    """The answer, the reading that decides it and what share of the calls it means, in words."""

    answer: Answer
    reading: Reading | None = None
    percentile: str = ""
    share: str = ""
    support: Reading | None = None


def judged(found: Iterable[Latency], limit_s: float, *, per_second: float | None = None) -> Judgement:
    """Hold latencies against a limit.

    A percentile proves harm when it is above the limit half of the time, or in the busiest twentieth of it. The slowest
    call alone proves harm only of something that runs so rarely that its slowest call is a material share of all.
    """
    every = [one for one in found if one.active()]
    if not every:
        return Judgement(Answer.UNREAD)
    bare = [one for one in every if not one.labels]
    for one in sorted(bare, key=lambda o: o.rank):
        if one.percentile == "max":
            continue
        for reading, when in ((one.typical(), "most of the time"), (one.busy(), "in the busiest hours")):
            if reading is not None and reading.value > limit_s:
                return Judgement(Answer.EXCEEDED, reading, one.percentile, f"{_share(one)} {when}", one.peak())
    for one in bare:
        if one.percentile == "max" and (share := _rare_share(one, limit_s, per_second)):
            return Judgement(Answer.EXCEEDED, one.peak(), "max", share, one.typical())
    return _fits_or_close(every, limit_s)


def _fits_or_close(every: Sequence[Latency], limit_s: float) -> Judgement:
    highest = max(every, key=lambda o: (o.rank, max(o.active())))
    peak = highest.peak()
    if peak is not None and peak.value <= limit_s * _HEADROOM[highest.percentile]:
        return Judgement(Answer.FITS, peak, highest.percentile)
    below = [o for o in every if o.percentile in ("p99", "p999")]
    for one in below:
        reading = one.peak()
        if highest.percentile == "max" and reading is not None and reading.value <= limit_s / 2:
            return Judgement(Answer.FITS, reading, one.percentile)
    return Judgement(Answer.CLOSE, peak, highest.percentile)


def _share(one: Latency) -> str:
    if one.percentile == "mean":
        return "the average call"
    left = 100 - one.rank
    return f"at least {left:g} % of the calls"


def _rare_share(one: Latency, limit_s: float, per_second: float | None) -> str | None:
    """What part of the calls the slowest one of a step is at least; None when it is immaterial or unknown."""
    active = one.active()
    over = sum(v > limit_s for v in active)
    if not active or not over:
        return None
    typical = statistic_of(active, "p50") or 0.0
    if len(active) <= len(one.series.values) / 5 and typical > limit_s:
        return f"{over} of the {len(active)} periods in which it ran"
    if per_second is not None and typical > limit_s and per_second * one.series.step_s <= 100:
        return f"at least one of {max(1, round(per_second * one.series.step_s)):,} in every {one.series.step_s / 60:g} minutes"
    return None
