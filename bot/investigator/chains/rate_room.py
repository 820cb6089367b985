"""More work at the same time against what the other side lets through: its rate limit, the rate today, and how long a call takes."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, metric, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chains.room import NEAR, Held, busiest
from bot.investigator.facts.callees import short
from bot.investigator.facts.consumers import queues_of
from bot.investigator.facts.rate_limits import allowed_rate, rate_to, time_to
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from heuristics.code import is_production_code
from heuristics.code.word_sets import words

_CALLS = (Relation.CONNECTS_TO, Relation.INVOKES, Relation.DEPENDS_ON, Relation.ROUTES_TO, Relation.PUBLISHES_TO)
_LIMITERS = words(
    "RateLimited RateLimiter rate_limiter ratelimit RateLimit Bottleneck throttle Throttled ThrottlesExceptions AsyncLimiter aiolimiter limiter TokenBucket leaky_bucket"
)
_WAITING = pattern(r"(?i).*(queue_?(length|size|depth)|backlog|pending|waiting|enqueued|jobs_?(ready|queued)|lag|messages_?(visible|ready)|NumberOfMessagesVisible).*")  # fmt: skip


def rate_rooms(case: Case, workload: Resource, old: float, new: float, copies: float = 1.0) -> Iterator[Held]:
    """One comparison for each limited side that the workload calls.

    The demand is certain when all that worked side by side was busy, or when far more was waiting than works now, and no limiter of
    the program's own stands before the call. What it comes to is the lower of two numbers: the peak of today times the factor, and
    what as many calls at once come to at the usual time of a call; that it fits is told by the higher one.
    """
    factor = new / max(1.0, old)
    for edge in case.out_of(workload.id, *_CALLS):
        allowed = allowed_rate(case, edge.target)
        if allowed is None:
            continue
        peak, usual = rate_to(case, workload.id, edge.target), time_to(case, workload.id, edge.target)
        by_peak = peak.value * factor if peak is not None else None
        by_time = new * copies / usual.value if usual is not None and usual.value > 0 else None
        known = [v for v in (by_peak, by_time) if v is not None]
        if not known:
            continue
        limit, name = allowed.per_second, short(case, edge.target)
        least, most = min(known), max(known)
        signs = _demand(case, workload, old, new)
        exceeds = least > limit
        comes_to = least if exceeds else most
        how = f"{new * copies:g} at once at {usual.value:.3g} s each" if usual is not None and comes_to == by_time else f"{factor:.3g} times the {peak.value if peak else 0:,.3g} of today's peak"  # fmt: skip
        is_certain = (
            exceeds and not _has_limiter(case) and (bool(signs) or (peak is not None and peak.value > limit / factor * 1.5))
        )
        yield Held(
            f"{name} gets {comes_to:,.3g} calls a second ({how}) and takes {allowed.said}", comes_to, limit, "1/s",
            (peak, usual, allowed.reading, *signs), is_certain=is_certain, resource=edge.target,
            is_close=NEAR * limit < most <= limit,
        )  # fmt: skip


def _demand(case: Case, workload: Resource, old: float, new: float) -> list[Reading]:
    """Signs that all of it is used: everything was busy, or far more was waiting than works at once."""
    found: list[Reading] = []
    running = metric(case, workload.id, ("ConcurrentExecutions", "ConcurrentExecutions.max"), "max")
    for busy in (running, *(busiest(case, workload.id, what) for what in ("process", "worker", "thread"))):
        if busy is not None and old * 0.95 <= busy.value and old > 1:
            found.append(busy)
            break
    for resource in (
        workload.id,
        *queues_of(case, workload.id),
        *(e.target for e in case.out_of(workload.id, Relation.READS_FROM)),
    ):
        for series in case.production.series_of(resource):
            read = statistic_reading(series, "max") if _WAITING.fullmatch(series.metric) else None
            if read is not None and read.evidence.kind == "metric" and read.evidence.value >= 10 * new:
                return [*found, Reading(read.evidence.value, "", read.evidence)]
    return found


def _has_limiter(case: Case) -> bool:
    """Whether the program bounds the rate of its own calls."""
    for places in case.diff.head.search(_LIMITERS).values():
        for place in places[:50]:
            line = (case.diff.head.text(place.file) or "").split("\n")[place.line - 1][:300]
            if is_production_code(place.file) and not re.match(r"\s*(#|//|\*)", line):
                return True
    return False
