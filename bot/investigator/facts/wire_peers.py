"""Who exchanges the records of a schema file in production: callers and servers, publishers and consumers, by live edges."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, edge
from bot.investigator.case import Case
from bot.investigator.facts.rates import arrival_rate
from bot.investigator.facts.runners import is_workload, runners
from bot.investigator.facts.traffic import traffic_of
from gonogo.evidence import GraphEvidence
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from heuristics.code import is_production_code

_CALLS = (Relation.INVOKES, Relation.CONNECTS_TO, Relation.DEPENDS_ON, Relation.ROUTES_TO)
_SENDS = (Relation.PUBLISHES_TO, Relation.WRITES_TO)


class Peer(Record):
    """Another program that gets or sends the records, what lies between, and how often."""

    program: Resource
    between: Resource
    """The topic or queue; for calls, the program that is called."""
    edges: tuple[GraphEvidence, ...]
    rate: Reading | None


def peers_of(case: Case, path: str, record: str) -> list[Peer]:
    """Every other live program with which a program that owns the schema file exchanges messages."""
    found: dict[str, Peer] = {}
    for own in runners(case, path):
        for peer in (*_consumers(case, own, record), *_callers(case, own)):
            if peer.program.id != own.id:
                found.setdefault(peer.program.id, peer)
    return list(found.values())


def _callers(case: Case, own: Resource) -> Iterator[Peer]:
    for one in case.into(own.id, *_CALLS):
        program, seen = case.production.resource(one.source), edge(case, one.source, one.target, one.relation)
        if program is not None and seen is not None and is_workload(program.kind):
            yield Peer(program, own, (seen,), traffic_of(case, own.id, "mean"))
    for one in case.out_of(own.id, Relation.INVOKES):
        program, seen = case.production.resource(one.target), edge(case, one.source, one.target, one.relation)
        if program is not None and seen is not None and is_workload(program.kind):
            yield Peer(program, program, (seen,), traffic_of(case, program.id, "mean"))


def _consumers(case: Case, own: Resource, record: str) -> Iterator[Peer]:
    channels = [
        (one, c)
        for one in case.out_of(own.id, *_SENDS)
        if (c := case.production.resource(one.target)) is not None and "table" not in c.kind
    ]
    named = [(one, c) for one, c in channels if _stands_beside(case, c.name, record)]
    for one, channel in named or (channels if len(channels) == 1 else []):
        first = edge(case, one.source, one.target, one.relation)
        takers = [
            (e.source, e.target, e.relation, e.target) for e in case.out_of(channel.id, Relation.TRIGGERS, Relation.PUBLISHES_TO)
        ]
        takers += [(e.source, e.target, e.relation, e.source) for e in case.into(channel.id, Relation.READS_FROM)]
        for source, target, relation, taker in takers:
            program, onward = case.production.resource(taker), edge(case, source, target, relation)
            if program is not None and first is not None and onward is not None:
                yield Peer(program, channel, (first, onward), arrival_rate(case, channel.id))


def _stands_beside(case: Case, channel: str, record: str) -> bool:
    """Whether a file of production code names both the channel and the record."""
    for place in case.diff.head.search([record]).get(record, ()):
        if is_production_code(place.file) and f'"{channel}"' in (case.diff.head.text(place.file) or ""):
            return True
    return False
