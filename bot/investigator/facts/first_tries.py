"""Messages that fail or are turned away at first and succeed later: what a queue with fewer tries loses."""

from bot.investigator.asking import Reading, captures, metric
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm
from bot.investigator.facts.consumers import queues_of
from gonogo.pattern import pattern
from gonogo.resource import Relation
from gonogo.trajectory import Link
from heuristics.limits.queues import QueueChange

_FIRST = pattern(r"(?i)first|retr|redeliver|transient")
_SUCCEEDED = r"(?i)\b(?:attempt|try|receive[_ ]?count|delivery)[=: #]+(?P<n>\d+)[^\n]{0,80}?\b(?:ok|success|succeeded|done|completed|processed)\b"
_THROTTLED = pattern(r"Throttles|throttled_(invocations|requests)(_total)?|throttles(_total)?")
_CONCURRENCY = pattern(r"(?i)concurren|batch|scaling|instances")
_VISIBLE = pattern(r"ApproximateNumberOfMessages(Visible)?|(?i:(queue_)?messages(_visible|_ready)?|num_undelivered_messages)")
_FAILS = pattern(
    r"(?i)\b(error|fatal|critical|panic|exception|traceback|fail(ed|ure|s)?|retry|retries|retrying|redeliver\w*|dead.?letter\w*|timed? ?out)\b"
)
_TRIES_LEFT = 2
_ENOUGH_LINES = 50
"""A failure that one message in twenty meets would stand in so many lines."""
_LOWEST_SHARE = 0.02
"""Receives beyond deletes: less than this is a matter of when they are counted."""


def pass_later(case: Case, queue: str | None, reader: str | None, failed: Reading) -> tuple[Reading, ...] | None:
    """What says that messages which fail at first succeed later: the count's own name, the log, or a dead letter queue that stays as it is.

    None when nothing says so: they may be messages that never succeed, and would have gone there anyway.
    """
    if failed.evidence.kind == "metric" and _FIRST.search(failed.evidence.metric):
        return ()
    told = captures(case, reader, _SUCCEEDED, "n", "max") if reader else None
    if told is not None and told.value > 1:
        return (told,)
    for dead in [e.target for e in case.out_of(queue)] if queue else []:
        most, least = (metric(case, dead, ["ApproximateNumberOfMessagesVisible"], s) for s in ("max", "min"))
        if most is not None and least is not None and (most.value - least.value) <= failed.value * 3600:
            return most, least
    return None


def hardly_fails(case: Case, found: QueueChange, queue: str | None, reader: str | None, name: str) -> Link | None:
    """No harm by a dead letter queue that nothing entered in the whole window, when the log of the reader has no failure either.

    None where one try is left, where the queue moved, or where too few lines were read to say that none of them fails.
    """
    if queue is None or reader is None or found.new < _TRIES_LEFT:
        return None
    lines = [line for line in case.production.logs if line.resource == reader]
    if len(lines) < _ENOUGH_LINES or any(_FAILS.search(f"{line.severity} {line.message[:2_000]}") for line in lines):
        return None
    for dead in [e.target for e in case.out_of(queue, Relation.PUBLISHES_TO, Relation.DEPENDS_ON, Relation.ROUTES_TO)]:
        most, least = (metric(case, dead, [_VISIBLE], s) for s in ("max", "min"))
        if most is not None and least is not None:
            came = most.value - least.value
            claim = (
                f"messages of {name} fail at first (its dead letter queue stayed at {most.value:g} for the whole window, "
                f"and none of {len(lines)} sampled lines of the reader is a failure)"
            )
            return harm(claim, most, least, comparison=compare(came, ">", 0.0)) if came == 0 else None
    return None


def turned_away(case: Case, found: QueueChange, queue: str | None, reader: str | None, rate: Reading | None) -> Link | None:
    """Harm by healthy messages that are handed out more than once today; None when nothing counts them."""
    if queue is None or rate is None or rate.value <= 0 or found.new > 3:
        return None
    throttled = _throttled(case, queue, reader)
    if throttled is not None and throttled.value > 0:
        share = min(1.0, throttled.value / rate.value)
        lost = rate.value * share**found.new * 3600
        if lost >= 1:
            times = "once" if found.new == 1 else f"{found.new:g} times in a row"
            claim = (
                f"{throttled.value * 300:.3g} calls in five minutes are throttled, and each counts as a receive: at least {lost:,.0f} healthy "
                f"messages an hour are turned away {times} and go to the dead letter queue"
            )
            return harm(claim, throttled, rate, comparison=compare(lost, ">=", 1.0, "1/h"))
    received, deleted = (metric(case, queue, [name], "mean") for name in ("NumberOfMessagesReceived", "NumberOfMessagesDeleted"))
    if found.new == 1 and received is not None and deleted is not None and deleted.value >= 0.95 * rate.value:
        again = received.value - deleted.value
        if again * 3600 >= 1 and again > _LOWEST_SHARE * received.value:
            claim = f"{again * 300:.3g} receives in five minutes end without a delete, and the messages are done later all the same: they get no second try"
            return harm(claim, received, deleted, rate, comparison=compare(received, ">", deleted))
    return None


def _throttled(case: Case, queue: str, reader: str | None) -> Reading | None:
    """Throttled calls a second of a function that this queue alone triggers, unless the change gives it more room."""
    if reader is None or queues_of(case, reader) != [queue] or len(case.into(reader, Relation.INVOKES, Relation.ROUTES_TO)) > 0:
        return None
    for change in case.diff.settings:
        if change.after is not None and _CONCURRENCY.search(change.key):
            return None
    throttled = metric(case, reader, [_THROTTLED], "mean")
    return throttled if throttled is not None and throttled.unit == "1/s" else None
