"""Bigger batches, shorter visibility and fewer receives against how long a message takes and how often it fails at first."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, captures, edge, metric, number, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.polls import poll_harm, pulled_from
from bot.investigator.facts.callees import own_workloads, short, workload_of
from bot.investigator.facts.consumers import arrivals, backlog, link, live, queues_of, readers_of, work_times
from bot.investigator.facts.durations import logged_work
from bot.investigator.facts.first_tries import hardly_fails, pass_later, turned_away
from bot.investigator.facts.hidden import visibility_harm
from bot.investigator.playbook import PlaybookInfo
from gonogo.pattern import pattern
from gonogo.resource import Place
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.changed import Changed, setting_number
from heuristics.limits.polls import Poll, Pulled, poll_changes
from heuristics.limits.queues import QueueChange, QueueLimit, handler_text, queue_changes, works_in_parallel

INFO = PlaybookInfo(
    id="batch-and-visibility",
    question="Does a batch still end in time, and does a message stay hidden and get its tries while it is worked on?",
)

_POLLERS = 5
"""Pollers that a function's queue starts with; each collects a batch of its own."""
_FAILED = pattern(r"(?i).*(failed|failure|errors?|retr(y|ies|ied)|redeliver|nack|rejected).*")
_ATTEMPT = r"(?i)\b(?:attempt|try|receive[_ ]?count|delivery)[=: #]+(?P<n>\d+)"


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a changed number of a queue."""
    for found in queue_changes(case.diff):
        match found.limit:
            case QueueLimit.BATCH if found.old is None or found.new > found.old:
                yield from _batch(case, found)
            case QueueLimit.VISIBILITY if found.old is not None and found.new < found.old:
                yield from _visibility(case, found, visible_s=found.new)
            case QueueLimit.FUNCTION_TIME_OUT:
                yield from _longer_runs(case, found)
            case QueueLimit.RECEIVES if found.old is not None and found.new < found.old:
                yield from _receives(case, found)
            case _:
                pass
    for poll in poll_changes(case.diff):
        yield from _poll(case, poll)


# -- batches ----------------------------------------------------------------------------------


def _batch(case: Case, found: QueueChange) -> Iterator[Trajectory]:
    queue, reader = _ends(case, found)
    limit_s = setting_number(found.function, "timeout_s") or _value(number(case, reader, "timeout_s") if reader else None)
    if limit_s is None and reader is None and found.function is None:
        return
    before = found.old or _value(number(case, reader, "event_source_batch_size") if reader else None) or 10.0
    name = (
        short(case, reader) if reader else (found.function.name or found.function.address) if found.function else "the consumer"
    )
    what = f"a batch of {found.new:g} messages of {name}"
    if limit_s is None:
        last = unknown(
            Role.HARM, f"{what} takes longer than {name} may run", f"What is the time-out of {name}, and how long does one message take?",
            f"aws lambda get-function-configuration --function-name {name} --query Timeout",
        )  # fmt: skip
    else:
        last = _batch_harm(case, found, reader, queue, before, limit_s, what)
    yield _trajectory(
        case, found.changed, (found.old, found.new), queue, reader,
        title=f"Batches of {found.new:g} outlast the time-out of {name}",
        resource=reader or queue, metric_name="Duration",
        how=f"{what} is one run; when it does not end in time, the whole batch comes back",
        last=last,
        make_safe=(
            f"Keep the batch size at {before:g}, or raise the time-out of {name} (and the visibility time-out to six times that) first; "
            "report failures one by one with `ReportBatchItemFailures`."
        ),
    )  # fmt: skip


def _batch_harm(
    case: Case, found: QueueChange, reader: str | None, queue: str | None, before: float, limit_s: float, what: str
) -> Link:
    times = work_times(case, reader) if reader else ()
    growth = found.new / before
    highest = next((t for t in times if not t.labels), None)
    usual = next((t for t in sorted(times, key=lambda t: t.rank) if t.percentile in ("p50", "mean")), None)
    peak = highest.peak() if highest else None
    if highest is not None and peak is not None:
        at_most = peak.value * (found.new if before > 1 and peak.value * found.new <= limit_s else growth)
        fits = at_most <= limit_s * (1.0 if peak.value * found.new <= limit_s or (before == 1 and highest.rank >= 99) else 0.5)
        if fits:
            return harm(
                f"{what} takes more than {limit_s:g} s: {highest.percentile} of a batch of {before:g} peaks at {peak.value:.3g} s, "
                f"so {found.new:g} take {at_most:.3g} s",
                peak, comparison=compare(at_most, ">", limit_s, "s"),
            )  # fmt: skip
    is_parallel = works_in_parallel(handler_text(case.diff, found.function))
    filled, why = _filled(case, found, queue)
    for latency, margin in ((usual, 1.0), (highest, 1.5)):
        typical = latency.typical() if latency is not None else None
        if latency is None or typical is None or latency.percentile == "max" or is_parallel or filled is None:
            continue
        at_least = typical.value / before * filled[0]
        if at_least > limit_s * margin:
            return harm(
                f"{what} takes more than {limit_s:g} s: {latency.percentile} of a batch of {before:g} is {typical.value:.3g} s, so the {filled[0]:.0f} "
                f"that {why} take {at_least:.3g} s; all of them come back and go to the dead letter queue in the end",
                typical, filled[1], comparison=compare(at_least, ">", limit_s, "s"),
            )  # fmt: skip
    side = " unless they are worked on side by side" if is_parallel else ""
    return unknown(
        Role.HARM,
        f"{what} takes longer than {limit_s:g} s{side}",
        "How long does one message take at p50 and p99, and how full are the batches?",
        f"filter @type = 'REPORT' | stats pct(@duration, 50), pct(@duration, 99), max(@duration) by bin(1h)  # CloudWatch Logs Insights, the log of {short(case, reader) if reader else what}",
        peak,
    )


def _filled(case: Case, found: QueueChange, queue: str | None) -> tuple[tuple[float, Reading] | None, str]:
    """How many messages a batch holds at least, and the reading that says so."""
    if queue is None:
        return None, ""
    waiting = backlog(case, queue)
    if waiting is not None and waiting.value / _POLLERS >= 1:
        return (min(found.new, waiting.value / _POLLERS), waiting), "wait"
    rate = arrivals(case, queue)
    if rate is not None and found.window_s > 0:
        return (
            max(1.0, min(found.new, rate.value * found.window_s / _POLLERS)),
            rate,
        ), f"each of {_POLLERS} pollers collects in {found.window_s:g} s"
    return None, ""


# -- visibility -------------------------------------------------------------------------------


def _visibility(case: Case, found: QueueChange, *, visible_s: float) -> Iterator[Trajectory]:
    """Messages come back sooner than before."""
    queue, reader = _ends(case, found)
    configured = number(case, reader, "timeout_s") if reader else None
    may_run = setting_number(found.function, "timeout_s") or _value(configured)
    needed = may_run + found.window_s if may_run is not None else None
    last = visibility_harm(case, reader, _by(case, reader), visible_s, needed, configured)
    yield _hidden(case, found, queue, reader, visible_s, needed, last)


def _longer_runs(case: Case, found: QueueChange) -> Iterator[Trajectory]:
    """A function may run longer than before: held against every queue that hands it messages."""
    only, reader = _ends(case, found)
    before = found.old or _value(number(case, reader, "timeout_s") if reader else None)
    if before is None or before >= found.new:
        return
    for queue in (
        [only] if only or reader is None else [q for q in queues_of(case, reader) if number(case, q, "visibility_timeout_s")]
    ):
        hidden = number(case, queue, "visibility_timeout_s") if queue else None
        visible_s = setting_number(found.source, "visibility_timeout_s") or _value(hidden)
        window = number(case, reader, "event_source_batching_window_s") if reader and found.mapping is None else None
        needed = found.new + (found.window_s or _value(window) or 0.0)
        if visible_s is None or (needed <= visible_s and hidden is None):
            continue
        by = _by(case, reader)
        if needed <= visible_s:
            claim = f"{by} may work longer than a message is hidden: its limit is {needed:g} s, and that is {visible_s:g} s"
            last = harm(claim, hidden, comparison=compare(needed, ">", visible_s, "s"))
        else:
            last = visibility_harm(case, reader, by, visible_s, needed, hidden, cut_s=before)
        yield _hidden(case, found, queue, reader, visible_s, needed, last)


def _by(case: Case, reader: str | None) -> str:
    return short(case, reader) if reader else "its reader"


def _hidden(
    case: Case, found: QueueChange, queue: str | None, reader: str | None, visible_s: float, needed: float | None, last: Link
) -> Trajectory:
    name = short(case, queue) if queue else (found.source.name or found.source.address) if found.source else "the queue"
    by = _by(case, reader)
    return _trajectory(
        case, found.changed, (found.old, found.new), queue, reader,
        title=f"Messages of {name} come back while {by} still works on them",
        resource=queue or reader, metric_name="ApproximateNumberOfMessagesVisible",
        how=f"a message is hidden for {visible_s:g} s" + (f" and {by} may work on it for {needed:g} s" if needed else ""),
        last=last,
        make_safe=f"Keep the visibility time-out of {name} at six times the time-out of {by} plus the batch window"
        + (f": {6 * needed:g} s." if needed else "; extend it while a message is worked on (`ChangeMessageVisibility`)."),
    )  # fmt: skip


# -- receives ---------------------------------------------------------------------------------


def _receives(case: Case, found: QueueChange) -> Iterator[Trajectory]:
    queue, reader = _ends(case, found)
    name = short(case, queue) if queue else found.changed.file
    tries = f"{found.new:g} {'try' if found.new == 1 else 'tries'}"
    yield _trajectory(
        case, found.changed, (found.old, found.new), queue, reader,
        title=f"Messages of {name} go to the dead letter queue after {tries}",
        resource=queue or reader, metric_name="ApproximateNumberOfMessagesVisible",
        how=f"a message that fails {'once' if found.new == 1 else f'{found.new:g} times'} is taken off the queue instead of tried again",
        last=_receives_harm(case, found, queue, reader, name),
        make_safe=f"Keep `maxReceiveCount` at {found.old:g} (at least 3), and alarm on the dead letter queue instead.",
    )  # fmt: skip


def _receives_harm(case: Case, found: QueueChange, queue: str | None, reader: str | None, name: str) -> Link:
    failures = [
        f for resource in (reader, queue) if resource for s in case.production.series_of(resource)
        if _FAILED.fullmatch(s.metric) and (f := metric(case, resource, [s.metric], "mean")) is not None and f.unit == "1/s"
    ]  # fmt: skip
    failed = max(failures, key=lambda f: f.value, default=None)
    rate = arrivals(case, queue) if queue else None
    again = captures(case, reader, _ATTEMPT, "n", "max") if reader else None
    away = turned_away(case, found, queue, reader, rate)
    if away is not None:
        return away
    if failed is not None and failed.value == 0:
        peak = (
            metric(case, failed.evidence.resource, [failed.evidence.metric], "max") if failed.evidence.kind == "metric" else None
        )
        if peak is not None and peak.value == 0:
            return harm(
                f"messages of {name} fail at first (no failure was counted over the window)",
                peak,
                comparison=compare(peak, ">", 0.0, "1/s"),
            )
    if failed is not None and rate is not None and rate.value > 0:
        share = min(1.0, failed.value / rate.value)
        lost = rate.value * share**found.new * 3600
        if found.new == 1 and lost >= 1 and (passing := pass_later(case, queue, reader, failed)) is not None:
            return harm(
                f"{failed.value * 300:.3g} messages in five minutes fail at first ({share:.1%} of those that arrive) and are not tried again",
                failed, rate, *passing, comparison=compare(lost, ">=", 1.0, "1/h"),
            )  # fmt: skip
        if lost < 1 / 24:
            return harm(
                f"messages fail {found.new:g} times in a row: with {share:.2%} failing, {lost * 24:.2g} a day do", failed, rate,
                comparison=compare(lost, ">=", 1 / 24, "1/h"),
            )  # fmt: skip
    if failed is None and again is not None and again.value > found.new:
        return unknown(
            Role.HARM, f"messages need up to {again.value:g} tries, and get {found.new:g}", "How many messages an hour succeed only after a failed try?",
            "filter @message like /attempt/ | stats count(*) by attempt, bin(1h)  # CloudWatch Logs Insights", again,
        )  # fmt: skip
    calm = hardly_fails(case, found, queue, reader, name) if failed is None else None
    if calm is not None:
        return calm
    return unknown(
        Role.HARM, f"messages of {name} that fail at first are lost to the dead letter queue", "How many messages an hour fail at first and succeed later?",
        "aws cloudwatch get-metric-statistics --namespace AWS/SQS --metric-name NumberOfMessagesReceived (against NumberOfMessagesDeleted) "
        f"--dimensions Name=QueueName,Value={name}", failed, rate,
    )  # fmt: skip


# -- polls ----------------------------------------------------------------------------------------


def _poll(case: Case, found: Poll) -> Iterator[Trajectory]:
    reader = workload_of(case, found.changed.file)
    topic = pulled_from(case, found, reader)
    ending = poll_harm(case, found, reader, topic)
    if ending is None:
        return
    before = found.changed.old or 0.0
    name = reader.name if reader else "the consumer"
    late = "is expelled from its consumer group" if found.pulled is Pulled.KAFKA else "loses what it works on to another consumer"
    yield _trajectory(
        case, found.changed, (found.changed.old, found.changed.new or 0.0), topic, reader.id if reader else None,
        title=f"{name} {late} in the middle of a poll of {found.records:g} records",
        resource=reader.id if reader else topic, metric_name="kafka_consumergroup_lag" if found.pulled is Pulled.KAFKA else "ApproximateNumberOfMessagesVisible",
        how=ending.how, last=ending.harm,
        make_safe=f"Keep `{found.changed.name}` at {before:g}" + (
            "." if found.is_shorter else f", or raise {found.setting} above the time of a full poll first."
        ),
        beside=found.beside,
    )  # fmt: skip


# -- shared ---------------------------------------------------------------------------------------


def _ends(case: Case, found: QueueChange) -> tuple[str | None, str | None]:
    """The live queue and the live reader: as the manifests say, else the only ones that live edges show."""
    queue, reader = live(case, found.source), live(case, found.function)
    if reader is None and queue is None and found.changed.declared is None:
        workload = workload_of(case, found.changed.file)
        reader = workload.id if workload else None
    if queue is None and reader is not None:
        seen = queues_of(case, reader)
        queue = seen[0] if len(seen) == 1 else None
    if reader is None and queue is not None:
        seen = readers_of(case, queue)
        reader = seen[0] if len(seen) == 1 else None
    return queue, reader


def _trajectory(
    case: Case,
    changed: Changed,
    numbers: tuple[float | None, float],
    queue: str | None,
    reader: str | None,
    *,
    title: str,
    resource: str | None,
    metric_name: str,
    how: str,
    last: Link,
    make_safe: str,
    beside: Place | None = None,
) -> Trajectory:
    old, new = numbers
    line = quote_place(case, changed.place)
    was = f"goes from {old:g} to" if old is not None else "is now"
    cited = [e.resource for e in last.evidence if e.kind == "metric"]
    mine = own_workloads(case)
    known = resource or queue or reader or (mine[0].id if mine else case.repository)
    return Trajectory(
        title=title,
        impact=Impact.HIGH,
        resource=ResourceId(known),
        metric=metric_name,
        links=(
            trigger(f"`{changed.name}` {was} {new:g}", line),
            mechanism(how, quote_place(case, beside) if beside is not None else line),
            _exposure(case, queue, reader),
            last,
        ),
        make_safe=make_safe,
        path=tuple(ResourceId(r) for r in dict.fromkeys((known, *(r for r in (queue, reader) if r), *cited))),
        undo=f"Set `{changed.name}` back"
        + (f" to {old:g}" if old is not None else "")
        + "; messages in a dead letter queue have to be sent back.",
    )


def _exposure(case: Case, queue: str | None, reader: str | None) -> Link:
    rate = arrivals(case, queue) if queue else None
    joined = edge(case, *link(case, queue, reader)) if queue and reader else None
    said = f"{rate.value:.3g} messages a second arrive" if rate else "messages arrive"
    if queue is None and reader is None:
        return unknown(
            Role.EXPOSURE, "messages pass here in production", "Which queue and which consumer in production does this setting belong to?",
            "aws lambda list-event-source-mappings; aws sqs list-queues",
        )  # fmt: skip
    where = f" at {short(case, queue)}" if queue else ""
    worked = f" and {short(case, reader)} works on them" if reader else ""
    return exposure(said + where + worked, joined, rate, *_times(case, reader))


def _times(case: Case, reader: str | None) -> list[Reading]:
    """What shows that the reader works: how long it takes, else its log of jobs, else its copies."""
    if reader is None:
        return []
    found = [peak for one in work_times(case, reader)[:1] if (peak := one.peak()) is not None]
    logged = logged_work(case, reader) if not found else None
    running = number(case, reader, "replicas", "desired_count", "count", "instances") if not found else None
    return found or [one for one in (logged.usual if logged else None, running) if one is not None]


def _value(reading: Reading | None) -> float | None:
    return reading.value if reading is not None else None
