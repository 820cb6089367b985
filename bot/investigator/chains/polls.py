"""A full poll against the time that the consumer has for it: the time of a record × the records that wait."""

from bot.investigator.asking import Reading, number
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.facts.consumers import (
    backlog,
    busy_backlog,
    kind,
    logged_batch,
    logged_time,
    members_of,
    queues_of,
    work_times,
)
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Link, Role
from heuristics.limits.polls import Poll, Pulled, is_batch_listener, takes_side_by_side

_KINDS = {
    Pulled.KAFKA: ("kafka", "aws.msk", "confluent", "azure.eventhub", "redpanda"),
    Pulled.SQS: ("aws.sqs",),
    Pulled.RABBITMQ: ("rabbitmq", "aws.mq"),
}


class Ending(Record):
    """What a poll has to end in, in words, and the link that says whether it does."""

    how: str
    harm: Link


class _Times(Record):
    """How long a record takes: in the usual case and at the most."""

    typical: Reading | None
    highest: Reading | None


def pulled_from(case: Case, found: Poll, reader: Resource | None) -> str | None:
    """The one live queue or topic of that technology that the reader works off."""
    mine = [q for q in (queues_of(case, reader.id) if reader else []) if kind(case, q).startswith(_KINDS[found.pulled])]
    topics = [q for q in mine if "group" not in kind(case, q)] or mine
    return topics[0] if len(topics) == 1 else None


def poll_harm(case: Case, found: Poll, reader: Resource | None, queue: str | None) -> Ending | None:
    """Confirmed when what waits in the usual or the busiest hours takes longer than there is time for; None when nothing is known of it."""
    hidden = number(case, queue, "visibility_timeout_s") if queue and found.pulled is Pulled.SQS else None
    deadline = found.deadline_s if found.deadline_s is not None else hidden.value if hidden is not None else None
    if deadline is None or (found.pulled is not Pulled.KAFKA and queue is None):
        return None
    how = f"{found.records:g} records are worked on between two polls, which may lie {deadline:g} s apart"
    if found.pulled is not Pulled.KAFKA:
        how = f"{found.records:g} messages are taken at a time, and the last one has to be done within {deadline:g} s"
    link = _held(case, found, reader, queue, deadline, hidden)
    if found.pulled is Pulled.RABBITMQ and link.question is not None:
        return None  # half an hour is ample as a rule: without numbers there is nothing concrete to ask
    return Ending(how, link)


def _held(case: Case, found: Poll, reader: Resource | None, queue: str | None, deadline: float, hidden: Reading | None) -> Link:
    records = found.records
    times = _times(case, found, reader)
    typical, highest = times.typical, times.highest
    if highest is not None and highest.value * records <= deadline:
        return harm(
            f"a poll takes more than {deadline:g} s: {records:g} records of at most {highest.value:.3g} s take {highest.value * records:.4g} s",
            highest, hidden, comparison=compare(highest.value * records, ">", deadline, "s"),
        )  # fmt: skip
    usual = backlog(case, queue, reader.id if reader else None) if queue else None
    busiest = busy_backlog(case, queue, reader.id if reader else None) if queue else None
    is_parallel = takes_side_by_side(case.diff)
    for waiting, share, when in (
        (usual, 1.0, "usually wait"),
        (busiest, members_of(case, queue, reader) if queue else 1.0, "wait in the busiest hours"),
    ):
        if typical is None or waiting is None or is_parallel:
            continue
        taken = min(records, waiting.value / share)
        if typical.value * taken > deadline:
            ends = (
                "the group rebalances and the same records start again"
                if found.pulled is Pulled.KAFKA
                else "others get them again"
            )
            return harm(
                f"a poll takes more than {deadline:g} s: {waiting.value:,.0f} records {when}, so {taken:g} of {typical.value:.3g} s each take "
                f"{typical.value * taken:.4g} s; {ends}",
                typical, waiting, hidden, comparison=compare(typical.value * taken, ">", deadline, "s"),
            )  # fmt: skip
    name = reader.name if reader else "the consumer"
    side = " unless they are worked on side by side" if is_parallel else ""
    return unknown(
        Role.HARM, f"a full poll takes longer than {deadline:g} s{side}", f"How long does {name} take for a record, and how many records wait at the peak?",
        "max_over_time(kafka_consumergroup_lag[7d]); rate(spring_kafka_listener_seconds_sum[5m]) / rate(spring_kafka_listener_seconds_count[5m])",
        typical, busiest or usual,
    )  # fmt: skip


def _times(case: Case, found: Poll, reader: Resource | None) -> _Times:
    """Of a record: a listener that is given whole polls measures those, and a log line may tell the time of a batch."""
    if reader is None:
        return _Times(None, None)
    measured = [t for t in work_times(case, reader.id) if not t.labels]
    usual = next((t for t in sorted(measured, key=lambda t: t.rank) if t.percentile in ("p50", "mean")), None)
    typical = usual.typical() if usual else None
    highest = next((peak for t in measured if t.rank >= 90 and (peak := t.peak())), None)
    if typical is not None or highest is not None:
        per = found.records_before if is_batch_listener(case.diff) else 1.0
        return _Times(_divided(typical, per), _divided(highest or typical, per))
    logged = logged_batch(case, reader.id)
    if logged is not None:
        return _Times(logged, logged_batch(case, reader.id, "max"))
    logged = logged_time(case, reader.id)
    return _Times(logged, logged)


def _divided(reading: Reading | None, by: float) -> Reading | None:
    return Reading(reading.value / by, reading.unit, reading.evidence) if reading is not None and by > 1 else reading
