"""A producer's messages lose or rename a field that a deployed consumer reads."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, edge, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.rates import arrival_rate
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import GraphEvidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.delivery import ChangedMessage, changed_messages
from heuristics.delivery.messages import Reader as MessageReader

INFO = PlaybookInfo(id="message-field", question="Does every consumer still find the fields that it reads?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every field that goes or comes between a sender and a consumer of this repository."""
    for message in case.diff.once(changed_messages)[:30]:
        found = _chain(case, message)
        if found is not None:
            yield found


def _chain(case: Case, message: ChangedMessage) -> Trajectory | None:
    between = _between(case, message)
    if between is None:
        return None
    sender, channel, taker, edges, reader = between
    name, at = message.name, quote(case, message.head.file, message.head.line)
    read = quote(case, reader.place.file, reader.place.line)
    rate = _arrivals(case, edges)
    if message.is_added and not message.refuses_unknown:
        claim = f"{taker.name} would not take messages with {name}; it reads the fields that it knows, which stay"
        links: list[Link] = [harm(claim, refuting=(read,), refutation=Refutation.UNCHANGED)]
        return _told(message, channel, [sender, taker], "gain", [trigger(f"messages to {channel.name} gain {name}", at), *links])
    if not message.is_added and not message.may_be_renamed and _is_optional(case, message):
        claim = f"{taker.name} would miss {name}; its schema has it optional, and nothing else of the consumer reads it"
        lost = quote_removed(case, message.place.file, message.place.line)
        safe: list[Link] = [harm(claim, refuting=(read,), refutation=Refutation.HAS_DEFAULT)]
        return _told(
            message, channel, [sender, taker], "lose", [trigger(f"messages to {channel.name} lose {name}", *lost), *safe]
        )
    if message.is_added:
        claim = f"{taker.name} refuses fields that it does not know"
    else:
        claim = f"{taker.name} reads {name} ({reader.place.file} line {reader.place.line}), which messages have no more"
    start = (
        [at]
        if message.is_added
        else [*quote_removed(case, message.place.file, message.place.line), quote(case, message.sender.file, message.sender.line)]
    )
    links = [
        trigger(f"messages to {channel.name} {'gain' if message.is_added else 'lose'} {name}", *start),
        mechanism(claim, read, *edges),
    ]
    if rate is None or not (reader.is_strict or message.is_added):
        question = f"What does {taker.name} do with a message without {name}, and how many arrive?"
        links.append(
            unknown(
                Role.HARM,
                f"messages of {channel.name} are not handled as before",
                question,
                f"the messages sent to {channel.name} a day",
                rate,
            )
        )
    else:
        links.append(exposure(f"messages come to {taker.name} {per_second(rate.value)} on average", rate))
        claim = f"each of {rate.value * 86_400:,.0f} messages a day fails in {taker.name} and is retried until it is dropped"
        links.append(harm(claim, rate, comparison=compare(rate, ">", 0)))
    return _told(message, channel, [sender, taker], "gain" if message.is_added else "lose", links)


def _is_optional(case: Case, message: ChangedMessage) -> bool:
    """Whether every line that knows the field declares it optional: no code of the consumers does anything with it."""
    if not all(r.is_schema and not r.is_strict for r in message.readers):
        return False
    known = {(r.place.file, r.place.line) for r in message.readers}
    folders = {r.place.file.rpartition("/")[0] for r in message.readers}
    places = case.diff.head.search([message.name]).get(message.name, ())
    others = [
        p
        for p in places
        if (p.file, p.line) not in known and is_production_code(p.file) and language_of(p.file) in CODE_LANGUAGES
    ]
    return not any(p.file.startswith(f"{folder}/") or not folder for p in others for folder in folders)


def _between(
    case: Case, message: ChangedMessage
) -> tuple[Resource, Resource, Resource, list[GraphEvidence], MessageReader] | None:
    """The one live channel from what runs the sender to what runs a reader, by way of at most two more (a topic, a queue)."""
    for reader in message.readers:
        for sender in runners(case, message.sender.file):
            for taker in runners(case, reader.place.file):
                if sender.id == taker.id:
                    continue
                channels = _channels(case, sender, taker)
                if len(channels) == 1:
                    channel, edges = channels[0]
                    return sender, channel, taker, edges, reader
    return None


def _channels(case: Case, sender: Resource, taker: Resource) -> list[tuple[Resource, list[GraphEvidence]]]:
    found: list[tuple[Resource, list[GraphEvidence]]] = []
    for out in case.out_of(sender.id, Relation.PUBLISHES_TO, Relation.WRITES_TO):
        channel = case.production.resource(out.target)
        first = edge(case, sender.id, out.target, out.relation)
        onward = _onward(case, out.target, taker.id, _HOPS)
        if channel is not None and onward and first is not None:
            found.append((channel, [first, *onward]))
    return found


_HOPS = 3
"""Edges from the channel to the consumer: a topic, its subscription, the queue behind it."""


def _onward(case: Case, channel: str, taker: str, hops: int) -> list[GraphEvidence]:
    """The edges from a channel to the consumer; empty when there are none."""
    onward = edge(case, channel, taker, Relation.TRIGGERS) or edge(case, channel, taker, Relation.INVOKES)
    onward = onward or edge(case, taker, channel, Relation.READS_FROM)
    if onward is not None:
        return [onward]
    if hops > 1:
        for out in case.out_of(channel, Relation.PUBLISHES_TO, Relation.ROUTES_TO, Relation.TRIGGERS):
            first, rest = edge(case, channel, out.target, out.relation), _onward(case, out.target, taker, hops - 1)
            if first is not None and rest:
                return [first, *rest]
    return []


def _arrivals(case: Case, edges: Sequence[GraphEvidence]) -> Reading | None:
    """Messages a second where the consumer takes them, else what it is called, else where they are sent."""
    last = edges[-1]
    taken, taker = (last.target, last.source) if last.relation is Relation.READS_FROM else (last.source, last.target)
    channels = list(dict.fromkeys([taken, *(e.source for e in reversed(edges[1:])), edges[0].target]))
    found = arrival_rate(case, taken) or (traffic_of(case, taker, "mean") if last.relation is not Relation.READS_FROM else None)
    return found or next((r for c in channels if (r := arrival_rate(case, c)) is not None), None)


def _told(message: ChangedMessage, channel: Resource, ends: Sequence[Resource], verb: str, links: Sequence[Link]) -> Trajectory:
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    return Trajectory(
        title=f"Messages to {channel.name} {verb} {message.name}"
        + (" and are still read" if safe else f", which {ends[-1].name} reads" if verb == "lose" else ""),
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=channel.id,
        metric="ApproximateNumberOfMessagesVisible",
        links=tuple(links),
        make_safe=f"Let the consumer take messages with and without `{message.name}` first, deploy it, then change the producer.",
        undo="Roll the producer back; replay the dead letter queue.",
        path=(channel.id, *(r.id for r in ends)),
    )
