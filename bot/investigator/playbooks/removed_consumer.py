"""A consumer, subscription or schedule goes while what it took keeps coming; a dead letter queue goes while it is used."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, edge, number, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.left_out import settle_filter
from bot.investigator.facts.rates import arrival_rate
from bot.investigator.facts.switched_off import switched_off
from bot.investigator.facts.tie_sources import arrivals, calls_of_program, carries_the_same, other_feeds, sources_of
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from bot.investigator.playbooks.lost_dead_letters import lost_dead_letters
from gonogo.evidence import ConfigEvidence, FileEvidence, GraphEvidence, LogEvidence
from gonogo.resource import Edge, Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.delivery import RemovedConsumer, removed_consumers

INFO = PlaybookInfo(
    id="removed-consumer", question="Does anything still arrive for the consumer that goes, and who takes it then?"
)

_DOING = {
    "removed": "is removed",
    "disabled": "is switched off",
    "stopped": "is scaled to nothing",
    "filtered": "gets a new filter",
}


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every source that loses a consumer, and for every queue that loses its dead letter queue."""
    consumers = case.diff.once(removed_consumers)
    going = {live.id for c in consumers if (live := case.live_of(c.program)) is not None and c.how != "filtered"}
    for consumer in _once_filtered(consumers):
        for source in sources_of(case, consumer, case.live_of(consumer.program), _named(consumer, consumers)):
            found = _chain(case, consumer, source, going)
            if found is not None:
                yield found
    yield from lost_dead_letters(case)


def _once_filtered(consumers: Sequence[RemovedConsumer]) -> Iterator[RemovedConsumer]:
    """A filter is one thing however many of its lines differ."""
    seen: set[str] = set()
    for consumer in consumers:
        address = consumer.tie.joiner.address if consumer.tie is not None else ""
        if consumer.how != "filtered" or address not in seen:
            yield consumer
        if consumer.how == "filtered":
            seen.add(address)


def _chain(case: Case, lost: RemovedConsumer, source: Resource | None, going: set[ResourceId]) -> Trajectory | None:
    program = case.live_of(lost.program)
    if lost.tie is not None and lost.tie.is_schedule:
        return _unscheduled(case, lost, program)
    if lost.how == "filtered":
        return _filtered(case, lost, source, program)
    for declared, said in ((lost.stand_in, "takes over in this change"), (lost.remaining, "stays")):
        if declared is not None:
            at = quote(case, declared.file, declared.line, end_line=min(declared.end_line, declared.line + 19))
            refutation = Refutation.CREATED_HERE if declared is lost.stand_in else Refutation.UNCHANGED
            link = harm(
                f"nobody would take what arrives; {declared.file} line {declared.line} {said}",
                refuting=(at,),
                refutation=refutation,
            )
            return _told(case, lost, source, program, [link])
    other = _other_consumer(case, lost, source, program, going)
    if other is not None:
        return _told(
            case, lost, source, program, [harm("nobody would take what arrives; another consumer stays", refuting=(other,))]
        )
    if (off := switched_off(case, source, program, kind=lost.tie.joiner.kind if lost.tie is not None else "")) is not None:
        said = f"nobody would take what arrives; production has had it switched off already ({off.key} = {off.value})"
        return _told(case, lost, source, program, [harm(said, refuting=(off,))])
    if source is None and program is None:
        if lost.tie is None:
            return None
        return _told(case, lost, None, None, [_ask(lost, None)])
    return _told(case, lost, source, program, list(_settle(case, lost, source, program)))


def _settle(case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None) -> Iterator[Link]:
    arriving = arrivals(case, source, program)
    name = source.name if source is not None else lost.tie.source_name if lost.tie else lost.name
    yield mechanism(
        f"{lost.name} is what takes messages from {name}, and nothing in this change takes its place",
        *_sole(case, source, program),
        *_at(case, lost),
    )
    if arriving is None:
        yield _ask(lost, source)
        return
    yield exposure(f"{name} gets messages {per_second(arriving.value)} on average", arriving)
    again = _may_come_again(case, lost, source, program, arriving)
    if again is not None:
        yield again
        return
    kept = _retention_s(case, source)
    until = f" and are deleted after {_duration(kept.value)}" if kept is not None else ""
    daily = arriving.value * 86_400
    claim = f"{daily:,.0f} messages a day are taken by nobody{until}"
    cited: tuple[Cited, ...] = (arriving, kept) if kept is not None else (arriving,)
    if 0 < daily < 1:
        question = f"Are the few messages that reach {name} still needed?"
        yield unknown(Role.HARM, claim, question, _query(source), *cited)
        return
    yield harm(claim, *cited, comparison=compare(round(daily, 3), ">", 0, "messages a day"))


def _may_come_again(
    case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None, arriving: Reading
) -> Link | None:
    """Another live path into the consumer of a topic or rule may bring the same messages: then nothing is lost."""
    if arriving.value == 0 or lost.tie is None or not lost.tie.is_fan_out or program is None:
        return None
    feed = next((f for f in other_feeds(case, program, source) if carries_the_same(case, source, arriving, f)), None)
    if feed is None:
        return None
    name = source.name if source is not None else lost.name
    claim = f"{program.name} gets messages of {name} no more; {feed.resource.name} feeds it too"
    question = f"Does {feed.resource.name} bring every message that {name} brings to {program.name}?"
    return unknown(Role.HARM, claim, question, _query(source), arriving, feed.edge, feed.rate)


def _named(lost: RemovedConsumer, consumers: Sequence[RemovedConsumer]) -> set[str]:
    """Sources of this program that have a tie of their own."""
    return {c.tie.source_name for c in consumers if c.tie is not None and c.tie.taker is not None and c.tie.taker is lost.program}


def _unscheduled(case: Case, lost: RemovedConsumer, program: Resource | None) -> Trajectory | None:
    """A job that no clock starts any more. Together with its program it is retired, which is what the change says."""
    if lost.program_goes or lost.tie is None:
        return None
    if lost.stand_in is not None:
        at = quote(case, lost.stand_in.file, lost.stand_in.line)
        link = harm(
            f"nothing would start {lost.name}; {lost.stand_in.file} declares a schedule for it",
            refuting=(at,),
            refutation=Refutation.CREATED_HERE,
        )
        return _told(case, lost, None, program, [link])
    runs = calls_of_program(case, program) if program is not None else None
    if program is not None and runs is not None and runs.value == 0:
        links = [harm(f"{program.name} would run no more", runs, comparison=compare(runs, ">", 0))]
        return _told(case, lost, None, program, links)
    question = f"Does anything else start {lost.name}, and is its work still needed?"
    query = f"aws lambda get-policy --function-name {lost.name}"
    return _told(case, lost, None, program, [unknown(Role.HARM, f"nothing starts {lost.name} any more", question, query, runs)])


def _filtered(case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None) -> Trajectory:
    arriving = arrivals(case, source, program)
    if arriving is not None and arriving.value == 0:
        links: list[Link] = [
            harm("messages that the filter leaves out would be lost", arriving, comparison=compare(arriving, ">", 0))
        ]
        return _told(case, lost, source, program, links)
    settled = settle_filter(case, lost, source, program, _reaching(case, program) or arriving)
    if settled is not None:
        return _told(case, lost, source, program, settled)
    question = f"Which of the messages that reach {lost.name} today does the new filter leave out, and who needs them?"
    query = "aws cloudwatch get-metric-statistics --namespace AWS/SNS --metric-name NumberOfNotificationsFilteredOut ..."
    return _told(
        case,
        lost,
        source,
        program,
        [unknown(Role.HARM, f"{lost.name} no longer sees what the filter leaves out", question, query, arriving)],
    )


def _reaching(case: Case, program: Resource | None) -> Reading | None:
    """What comes through the filter today: what arrives at a queue behind it."""
    return arrival_rate(case, program.id) if program is not None else None


def _ask(lost: RemovedConsumer, source: Resource | None) -> Link:
    name = source.name if source is not None else lost.tie.source_name if lost.tie else lost.name
    claim = f"what arrives at {name} is taken by nobody"
    return unknown(Role.HARM, claim, f"How many messages does {name} get, and does anything else take them?", _query(source))


# -- facts ----------------------------------------------------------------------------------------------


def _other_consumer(
    case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None, going: set[ResourceId]
) -> GraphEvidence | None:
    """Another live program that takes from the same queue; subscribers of a topic or stream don't stand in for each other."""
    if (
        source is None
        or (lost.tie is not None and lost.tie.is_fan_out)
        or any(w in source.kind for w in ("sns", "kinesis", "topic", "stream", "kafka"))
    ):
        return None
    own = {program.id} if program is not None else set[ResourceId]()
    if program is None and lost.tie is not None:
        own |= {r.id for r in case.production.resources if r.name == lost.name}
    if not own:
        return None
    edges: list[Edge] = [*case.out_of(source.id, Relation.TRIGGERS), *case.into(source.id, Relation.READS_FROM)]
    for one in edges:
        taker = one.target if one.source == source.id else one.source
        if taker not in own and taker not in going:
            return edge(case, one.source, one.target, one.relation)
    return None


def _sole(case: Case, source: Resource | None, program: Resource | None) -> tuple[GraphEvidence, ...]:
    if source is None or program is None:
        return ()
    for pair in (
        (source.id, program.id, Relation.TRIGGERS, True),
        (source.id, program.id, Relation.TRIGGERS, False),
        (source.id, program.id, Relation.PUBLISHES_TO, False),
        (program.id, source.id, Relation.READS_FROM, False),
    ):
        found = edge(case, pair[0], pair[1], pair[2], is_sole=pair[3])
        if found is not None:
            return (found,)
    return ()


def _retention_s(case: Case, source: Resource | None) -> Reading | None:
    if source is None:
        return None
    found = number(case, source.id, "message_retention_s")
    if found is None and (hours := number(case, source.id, "retention_hours")) is not None:
        return Reading(hours.value * 3600, "s", hours.evidence)
    return found


def _duration(seconds: float) -> str:
    return f"{seconds / 86_400:g} days" if seconds >= 86_400 else f"{seconds / 3600:g} hours"


def _query(source: Resource | None) -> str:
    if source is None:
        return (
            "aws lambda list-event-source-mappings --query 'EventSourceMappings[].[EventSourceArn,FunctionArn]'"
            "  # or kafka-consumer-groups --describe --all-groups, rabbitmqctl list_queues name messages consumers"
        )
    if "sqs" in source.kind:
        return (
            "aws cloudwatch get-metric-statistics --namespace AWS/SQS --metric-name NumberOfMessagesSent "
            f"--dimensions Name=QueueName,Value={source.name} --statistics Sum --period 86400"
        )
    if "kinesis" in source.kind:
        return (
            "aws cloudwatch get-metric-statistics --namespace AWS/Kinesis --metric-name IncomingRecords "
            f"--dimensions Name=StreamName,Value={source.name} --statistics Sum --period 86400"
        )
    return f"the number of messages published to {source.name} a day over the last week"


def _at(case: Case, lost: RemovedConsumer) -> tuple[FileEvidence, ...]:
    if lost.place.side == "head":
        return (quote(case, lost.place.file, lost.place.line),)
    return quote_removed(case, lost.place.file, lost.place.line)


def _told(
    case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None, links: Sequence[Link]
) -> Trajectory:
    queue = program if program is not None and any(q in program.kind for q in ("sqs.queue", ".queue")) else None
    chosen = queue or source or program
    name = source.name if source is not None else lost.tie.source_name if lost.tie else ""
    of = f" of {name}" if name and name != lost.name else ""
    refuted = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    ends = "and nothing is lost" if refuted else "and what arrives is taken by nobody"
    where = f"{lost.place.file} line {lost.place.line}{'' if lost.place.side == 'head' else ' before the change'}"
    cited = [e for link in links for e in (*link.evidence, *link.refuting)]
    read = [e.resource for e in cited if isinstance(e, LogEvidence | ConfigEvidence)]
    path = tuple(dict.fromkeys((*(r.id for r in (source, program) if r is not None), *read)))
    return Trajectory(
        title=f"Consumer {lost.name}{of} {_DOING[lost.how]} {ends}",
        impact=Impact.LOW if refuted else Impact.HIGH,
        resource=chosen.id if chosen is not None else case.repository,
        metric="ApproximateAgeOfOldestMessage" if source is not None and "sqs" in source.kind else "MessagesWaiting",
        links=(trigger(f"{lost.name} {_DOING[lost.how]} as consumer{of} ({where})", *_at(case, lost)), *links),
        make_safe="Deploy what takes over first, and remove this consumer when the source is drained or no longer written to.",
        undo=f"Put {lost.name} back before the messages age out; what aged out is lost.",
        path=path,
    )
