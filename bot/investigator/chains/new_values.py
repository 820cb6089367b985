"""A value that is new goes out in messages to programs of other repositories: whether they know it is not to be seen from here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from bot.investigator.asking import Reading, config, edge, quote, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.rates import arrival_rate
from bot.investigator.facts.runners import is_workload, runners
from bot.investigator.facts.traffic import per_second
from gonogo.evidence import ConfigEvidence, GraphEvidence
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.delivery.added_values import AddedValue, added_values

_ONWARD = (Relation.PUBLISHES_TO, Relation.TRIGGERS, Relation.ROUTES_TO, Relation.INVOKES)
_HOPS = 4


class _Taker(Record):
    """A program of elsewhere, with the live edges from the sender to it."""

    program: Resource
    edges: tuple[GraphEvidence, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        """What the messages go through, the nearest to the sender first."""
        ends = [e.source if e.relation is Relation.READS_FROM else e.target for e in self.edges]
        own = [t for t in (*(e.target for e in self.edges), *ends) if t != self.program.id]
        return tuple(dict.fromkeys(own))


def new_values(case: Case) -> Iterator[Trajectory]:
    """One chain for every value and program that gets it."""
    for added in case.diff.once(added_values)[:5]:
        for sender in runners(case, added.sent.file)[:2]:
            for taker in list(_takers(case, sender))[:3]:
                if not _is_own(case, taker.program):
                    yield _told(case, added, sender, taker)


def _takers(case: Case, sender: Resource) -> Iterator[_Taker]:
    level: list[tuple[str, tuple[GraphEvidence, ...]]] = []
    for out in case.out_of(sender.id, Relation.PUBLISHES_TO, Relation.WRITES_TO):
        target, first = case.production.resource(out.target), edge(case, out.source, out.target, out.relation)
        if target is not None and first is not None and not any(k in target.kind for k in ("table", "bucket", "rds", "sql")):
            level.append((out.target, (first,)))
    seen = {sender.id}
    for _ in range(_HOPS):
        following: list[tuple[str, tuple[GraphEvidence, ...]]] = []
        for at, path in level:
            steps = [(e.target, e) for e in case.out_of(at, *_ONWARD)] + [
                (e.source, e) for e in case.into(at, Relation.READS_FROM)
            ]
            for target, one in steps:
                program, shown = case.production.resource(target), edge(case, one.source, one.target, one.relation)
                if program is None or shown is None or target in seen:
                    continue
                seen.add(target)
                if is_workload(program.kind):
                    yield _Taker(program, (*path, shown))
                else:
                    following.append((target, (*path, shown)))
        level = following


def _is_own(case: Case, program: Resource) -> bool:
    return any(e.source == case.repository for e in case.into(program.id, Relation.DEPLOYS_TO))


def _told(case: Case, added: AddedValue, sender: Resource, taker: _Taker) -> Trajectory:
    rate = next((r for c in reversed(taker.channels) if (r := arrival_rate(case, c)) is not None), None)
    links = list(_links(case, added, sender, taker, rate))
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    through = [r for c in taker.channels if (r := case.production.resource(c)) is not None]
    return Trajectory(
        title=f"{taker.program.name} gets {added.member} from {sender.name}"
        + (", but not really" if safe else ", which it may not know"),
        impact=Impact.LOW if safe else Impact.MEDIUM,
        resource=through[-1].id if through else taker.program.id,
        metric="ApproximateNumberOfMessagesVisible",
        links=(
            trigger(
                f"{added.enumeration} gets {added.member}, and {added.sent.file} line {added.sent.line} sends it",
                quote_place(case, added.sent),
                quote_place(case, added.place),
            ),
            *links,
        ),
        make_safe=f"Let {taker.program.name} take values that it does not know first, deploy it, then send {added.member}.",
        undo="Roll the sender back and replay what failed.",
        path=tuple(dict.fromkeys((taker.program.id, sender.id, *(r.id for r in through)))),
    )


def _links(case: Case, added: AddedValue, sender: Resource, taker: _Taker, rate: Reading | None) -> Iterator[Link]:
    name = taker.program.name
    kept_out = _kept_out(case, added, taker)
    if kept_out is not None:
        yield harm(
            f"{name} would get {added.member}; the filter of its subscription lets only other values through",
            refuting=(kept_out,),
        )
        return
    if rate is not None and rate.value == 0:
        yield harm(f"{name} would get {added.member}; no message is sent", rate, comparison=compare(rate, ">", 0))
        return
    yield mechanism(f"what {sender.name} sends comes to {name}", quote(case, added.sent.file, added.sent.line), *taker.edges)
    if rate is not None:
        yield exposure(f"messages come {per_second(rate.value)} on average", rate)
    source = next((e.source for e in case.into(taker.program.id, Relation.DEPLOYS_TO)), "its repository")
    claim = f"{name} refuses a message with {added.member}, and it ends among the dead letters"
    question = f"Does the deployed {name} take {added.member}, or any value that it does not know?"
    query = f"git grep -n -e {' -e '.join(added.known[:2])}  # in {source}, at the deployed version"
    yield unknown(Role.HARM, claim, question, query, rate)


def _kept_out(case: Case, added: AddedValue, taker: _Taker) -> ConfigEvidence | None:
    """A filter policy on the way that lists other values of the enumeration and not this one."""
    for channel in taker.channels:
        cited = config(case, channel, "subscriptions", "filter_policy", "subscription_filters")
        value = cited.value if cited is not None else None
        entries = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
        for entry in entries:
            listed = _values(entry, taker)
            if listed & set(added.known) and added.member not in listed:
                return cited
    return None


def _values(entry: object, taker: _Taker) -> set[str]:
    """The values that a filter names, of a subscription that leads to the program."""
    if not isinstance(entry, Mapping):
        return set()
    fields = cast("Mapping[str, object]", entry)
    endpoint = fields.get("endpoint")
    if isinstance(endpoint, str) and endpoint not in (*taker.channels, taker.program.id):
        return set()
    policy = fields.get("filter_policy", fields.get("FilterPolicy", fields if endpoint is None else None))
    if not isinstance(policy, Mapping):
        return set()
    lists = cast("Mapping[str, object]", policy).values()
    return {str(v) for one in lists if isinstance(one, list | tuple) for v in cast("Sequence[object]", one)}
