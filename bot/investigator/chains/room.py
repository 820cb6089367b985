"""Room for a changed bound: what it would come to, against what there is, and the chain that tells it."""

import math
from collections.abc import Sequence

from bot.investigator.asking import Reading, edge, metric, quote_place, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import Callee, own_workloads, short, workload_of
from bot.investigator.facts.connections import Connections
from bot.investigator.facts.foreseen import foreseen, with_the_coming_day
from bot.investigator.facts.rates import request_rate
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.concurrency import Bound

NEAR = 0.9
"""Above this share of a limit there is no room to say that it fits."""
_BUSY = pattern(
    r"(?i).*(busy|active|in_?use|used|checked_?out).*(workers?|threads?|processes|connections?|conns?).*|.*(workers?|threads?|connections?|pool).*(busy|active|in_?use|used|checked_?out).*"
)


class Held(Record):
    """One comparison: what it would come to, against what there is."""

    claim: str
    observed: float
    limit: float
    unit: str
    cited: tuple[Cited, ...]
    is_certain: bool
    """Whether the demand for it was read, too."""
    resource: str
    is_close: bool = False
    """Whether it is too near the limit to say that it fits."""

    @property
    def exceeds(self) -> bool:
        """Whether there is too little."""
        return self.observed > self.limit


def chain_of_bound(
    case: Case,
    found: Bound,
    resource: str | None,
    *,
    title: str,
    metric_name: str,
    how: str,
    last: Link,
    make_safe: str,
    cited: Sequence[Evidence | Reading | None] = (),
    more: Sequence[str] = (),
    source: str | None = None,
) -> Trajectory:
    """The chain of one changed bound; without a live resource its exposure stays a question."""
    place = found.changed.place
    line = quote_place(case, place)
    mine = own_workloads(case)
    known = resource or (mine[0].id if mine else case.repository)
    was = f"goes from {found.old:g} to" if found.old is not None else "is now"
    rate = request_rate(case, source or known)
    said = f"{short(case, source or known)} works in production" + (f" at up to {rate.value:,.3g} a second" if rate else "")
    evidence = [c for c in (rate, *cited, *last.evidence) if c is not None]
    met = exposure(said, *evidence) if resource else unknown(
        Role.EXPOSURE, said, "Which resource in production has this bound?", "aws lambda list-functions; kubectl get deploy -A", rate
    )  # fmt: skip
    return Trajectory(
        title=title,
        impact=Impact.HIGH,
        resource=ResourceId(known),
        metric=metric_name,
        links=(
            trigger(f"`{found.changed.name}` {was} {f'{found.new:g}' if found.new is not None else 'no bound'}", line),
            mechanism(how, line),
            met,
            last,
        ),
        make_safe=make_safe,
        path=tuple(ResourceId(r) for r in dict.fromkeys((known, *more))),
        undo=f"Set `{found.changed.name}` back" + (f" to {found.old:g}" if found.old is not None else "") + " and deploy.",
    )


def last_of(held: Held | None, claim: str, question: str, query: str, *known: Cited) -> Link:
    """True and demanded means harm; false means none; true without a sign of demand stays a question."""
    if held is None:
        return unknown(Role.HARM, claim, question, query, *known)
    if held.is_close:
        return unknown(Role.HARM, f"{held.claim}, which leaves almost none", question, query, *held.cited)
    if held.exceeds and not held.is_certain:
        return unknown(
            Role.HARM,
            f"{held.claim}, if all of it is used",
            "Is there work waiting that would use all of it (backlog, pending, busy workers)?",
            query,
            *held.cited,
        )
    return harm(held.claim, *held.cited, comparison=compare(held.observed, ">", held.limit, held.unit))


def by_measure(case: Case, claim: str, used: Reading, new: float, unit: str, what: str) -> Link:
    """The measured use and its forecast against the new bound; a use just below it stays a question."""
    link = _measured(claim, used, new, unit, what)
    question, query = f"How many are {what} in the busiest hour of the coming day?", f"max_over_time({used.evidence.kind}[30d])"
    return with_the_coming_day(case, link, used, observed=used.value, limit=new, unit=unit, question=question, query=query)


def _measured(claim: str, used: Reading, new: float, unit: str, what: str) -> Link:
    if used.value > new or used.value <= new * NEAR:
        return harm(f"{claim} ({what})", used, comparison=compare(used.value, ">", new, unit))
    return unknown(
        Role.HARM,
        f"{claim}, which leaves almost none",
        f"How many are {what} in the busiest hour?",
        f"max_over_time({used.evidence.kind}[30d])",
        used,
    )


def ask_use(claim: str, name: str, what: str) -> Link:
    """The question that a measurement of use would answer."""
    return unknown(
        Role.HARM,
        claim,
        f"How many {what} in an instance of {name} at the peak?",
        f'max_over_time({{job="{name}", __name__=~".*(busy|active|in_use).*"}}[7d])',
    )


def connections_after(
    case: Case, room: Connections, added: float, claim: str, cited: Sequence[Cited], *, is_certain: bool
) -> Held | None:
    """Open connections at the peak and those that are added, against what the server takes; None when either was not read."""
    if room.peak is None or room.most is None:
        return None
    coming = foreseen(case, room.peak) if room.peak.value + added <= room.most else None
    if coming is not None and coming.p50 + added > room.most:
        return Held(
            f"{claim}, on top of {coming.p50:,.3g} that are forecast {coming.clause}; {short(case, room.database)} takes {room.most:g}", coming.p50 + added, room.most, "connections",
            (room.peak, coming.cited, room.limit, *cited), is_certain=is_certain, resource=room.database,
        )  # fmt: skip
    return Held(
        f"{claim}, on top of {room.peak.value:g} at the peak; {short(case, room.database)} takes {room.most:g}", room.peak.value + added, room.most, "connections",
        (room.peak, room.limit, *cited), is_certain=is_certain, resource=room.database,
    )  # fmt: skip


def chain_of_held(
    case: Case, found: Bound, user: Callee, held: Held | None, room: Connections, source: Resource, how: str
) -> Trajectory:
    """The chain of a workload that may take the last connections of a database."""
    name = short(case, user.target)
    return chain_of_bound(
        case, found, user.target, title=f"{source.name} takes the last connections of {name}", metric_name="DatabaseConnections", how=how,
        last=last_of(held, f"{source.name} needs more connections than {name} has left", f"How many connections does {name} take, and how many are open at the peak?", connection_query(name),
                   room.peak, room.limit),
        make_safe="Put a pooler (RDS Proxy, PgBouncer) before the database, or keep instances × pool below max_connections minus what others hold"
        + (f": {room.most:g}." if room.most else "."),
        cited=(edge(case, user.caller.id, user.target, user.relation),), more=(source.id,), source=source.id,
    )  # fmt: skip


def busiest(case: Case, workload: str, what: str) -> Reading | None:
    """The highest number of workers, threads or connections in use in one instance."""
    names = [
        s.metric
        for s in case.production.series_of(workload)
        if _BUSY.fullmatch(s.metric) and what in s.metric.lower().replace("conns", "connection")
    ]
    found = metric(case, workload, names, "max")
    return found if found is not None and found.unit != "1/s" else _level(case, workload, names)


def _level(case: Case, workload: str, names: Sequence[str]) -> Reading | None:
    """The same series as a level: a count of busy workers is no number of events."""
    for series in case.production.series_of(workload):
        if series.metric in names and (found := statistic_reading(series, "max")) is not None:
            return Reading(found.evidence.value if found.evidence.kind == "metric" else found.value, "", found.evidence)
    return None


def live_of(case: Case, found: Bound) -> str | None:
    """The live resource of a bound; one that stands in a declaration of its own belongs to what that names."""
    declared = found.changed.declared
    if declared is None:
        workload = workload_of(case, found.changed.file)
        return workload.id if workload is not None else None
    live = case.diff.live_of(declared)
    if live is not None or declared.kind == "aws.lambda.function":
        return live
    sides = case.diff.declared.get("head")
    wanted = {
        str(s.value)
        for k in ("function", "function_name", "target", "table", "name")
        if (s := declared.settings.get(k)) is not None and s.value
    }
    for one in sides.resources if sides else ():
        if (one.name in wanted or one.address in wanted) and (live := case.diff.live_of(one)) is not None:
            return live
    return None


def declared_name(found: Bound) -> str:
    """What the manifest, else the file, calls it."""
    declared = found.changed.declared
    return (declared.name or declared.address) if declared is not None else found.changed.file


def metric_of(held: Held | None) -> str:
    """The first metric that a comparison cites."""
    for cited in held.cited if held else ():
        if isinstance(cited, Reading) and cited.evidence.kind == "metric":
            return cited.evidence.metric
    return "Throttles"


def connection_query(name: str) -> str:
    """The read-only statements that answer how many connections there are."""
    return f"SHOW max_connections; SELECT count(*) FROM pg_stat_activity;  -- on {name}"  # noqa: S608


def upward(value: float) -> float:
    """The next whole number."""
    return float(math.ceil(value))
