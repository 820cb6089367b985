"""A shorter time-out against how long the call, the statement or the function itself takes."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, captures, edge, log_count, metric, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.call_times import time_of_calls
from bot.investigator.facts.callees import Callee, caches, called, databases, own_workloads, short, workload_of
from bot.investigator.facts.foreseen import foreseen, with_the_coming_day
from bot.investigator.facts.latencies import Answer, Judgement, Latency, judged, latencies
from bot.investigator.facts.proxied import behind
from bot.investigator.facts.rates import request_rate
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import GraphEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.proxied import Scope, scope_of
from heuristics.limits.time_outs import Cuts, TimeOut, time_outs

INFO = PlaybookInfo(id="time-out", question="Does what the time-out limits take longer than that in production?")

_REPORT = r"REPORT RequestId.*?\sDuration: (?P<ms>[\d.]+) ms"
_STATEMENT = r"(?i)\bduration: (?P<ms>[\d.]+) ms"
_POOL_WAIT = pattern(r"(?i).*(connections?|pool).*(acquire|wait|checkout).*")
_WORTH_ASKING_S = {Cuts.CONNECT: 0.5, Cuts.POOL: 1.0}
"""Connecting and waiting for a pool take milliseconds: only a limit below this is worth a question."""


class _Subject(Record):
    """What the time-out cuts: who feels it, whose time is measured, and how that is known."""

    resource: str
    measured: str
    what: str
    judgement: Judgement
    how: tuple[GraphEvidence | None, ...] = ()
    is_certain: bool = True
    rate: Reading | None = None
    """Requests a second that it meets, where they are counted apart."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a lowered time-out; a raised one harms nobody by itself."""
    for found in time_outs(case.diff):
        if found.is_lowered and found.new_s is not None:
            yield from _chain(case, found, found.new_s)


def _chain(case: Case, found: TimeOut, limit_s: float) -> Iterator[Trajectory]:
    subject = _subject(case, found, limit_s)
    answer = subject.judgement.answer
    if answer is not Answer.EXCEEDED and answer is not Answer.FITS and not _is_worth_asking(found, limit_s):
        return
    place = found.changed.place
    line = quote_place(case, place)
    was = f"goes from {_seconds(found.old_s)} to" if found.old_s else "is now"
    links = [
        trigger(f"`{found.changed.name}` {was} {_seconds(limit_s)}", line),
        mechanism(f"{subject.what} that takes longer than {_seconds(limit_s)} is given up", line),
        _exposure(case, subject),
        _harm(case, found, subject, limit_s),
    ]
    yield Trajectory(
        title=f"A time-out of {_seconds(limit_s)} cuts off {subject.what}",
        impact=Impact.HIGH if answer is Answer.EXCEEDED else Impact.MEDIUM,
        resource=_id(subject.resource),
        metric=_metric_name(subject),
        links=tuple(links),
        make_safe=_make_safe(found, subject),
        path=(_id(subject.resource), _id(subject.measured)),
        undo=f"Set `{found.changed.name}` back to {_seconds(found.old_s) if found.old_s else 'no limit'} and deploy; nothing stays behind.",
    )


def _is_worth_asking(found: TimeOut, limit_s: float) -> bool:
    if found.old_s is None or found.old_s == 0:
        return limit_s <= 1
    return limit_s < _WORTH_ASKING_S.get(found.cuts, float("inf"))


# -- who is cut off, and how long it takes --------------------------------------------------


def _subject(case: Case, found: TimeOut, limit_s: float) -> _Subject:
    match found.cuts:
        case Cuts.CALL:
            return _of_calls(case, found, limit_s, called(case, found.changed), "a call of {caller} to {target}")
        case Cuts.CONNECT:
            return _of_calls(case, found, limit_s, called(case, found.changed), "a connection of {caller} to {target}")
        case Cuts.CACHE:
            return _of_calls(case, found, limit_s, caches(case), "a command of {caller} in {target}")
        case Cuts.STATEMENT:
            return _of_statements(case, found, limit_s)
        case Cuts.POOL:
            return _of_pool(case, found, limit_s)
        case Cuts.OWN | Cuts.PROXY:
            return _of_own(case, found, limit_s)


def _of_calls(case: Case, found: TimeOut, limit_s: float, callees: Sequence[Callee], what: str) -> _Subject:
    if not callees:
        workload = workload_of(case, found.changed.file)
        mine = latencies(case, workload.id, outgoing=True) if workload else ()
        judgement = judged([one for one in mine if not one.labels], limit_s)
        name = workload.name if workload else "this service"
        known = workload.id if workload else _any_workload(case)
        return _Subject(known, known, what.format(caller=name, target="another"), judgement, is_certain=workload is not None)
    answers = {
        one.target: (one, time_of_calls(case, one, found.changed.file, limit_s, per_second=_mean_rate(case, one.target)))
        for one in callees
    }
    judgements = {judgement.answer for _, judgement in answers.values()}
    one, judgement = max(answers.values(), key=lambda pair: pair[1].reading.value if pair[1].reading else 0.0)
    is_certain = one.is_certain or judgements in ({Answer.FITS}, {Answer.EXCEEDED})
    target = short(case, one.target) if is_certain else " or ".join(sorted(short(case, target) for target in answers))
    claim = what.format(caller=one.caller.name, target=target)
    if not is_certain:
        judgement = Judgement(Answer.UNREAD)
    return _Subject(
        one.caller.id, one.target, claim, judgement, (edge(case, one.caller.id, one.target, one.relation),), is_certain
    )


def _of_statements(case: Case, found: TimeOut, limit_s: float) -> _Subject:
    live = case.diff.live_of(found.changed.declared) if found.changed.declared else None
    users = databases(case)
    targets: set[str] = {one.target for one in users}
    if live:
        targets.add(live)
    if len(targets) != 1:
        return _Subject(
            next(iter(sorted(targets)), _any_workload(case)),
            _any_workload(case),
            "a database statement",
            Judgement(Answer.UNREAD),
            is_certain=False,
        )
    database = next(iter(targets))
    judgement = _statements(case, database, users, limit_s)
    how = tuple(edge(case, one.caller.id, one.target, one.relation) for one in users[:1])
    measured = judgement.reading.evidence.resource if judgement.reading else database
    return _Subject(database, measured, f"a statement in {short(case, database)}", judgement, how)


def _statements(case: Case, database: str, users: Sequence[Callee], limit_s: float) -> Judgement:
    """Query durations of the users first; then what the server logged, which bears on this change only when all its users are ours."""
    found: list[Latency] = []
    for resource in (*dict.fromkeys(one.caller.id for one in users), database):
        found += [one for one in latencies(case, resource) if _is_of_queries(one.series.metric)]
    judgement = judged(found, limit_s)
    if judgement.answer is Answer.EXCEEDED:
        return judgement
    slowest, usual = (captures(case, database, _STATEMENT, "ms", s, factor=1e-3, unit="s") for s in ("max", "p50"))
    logged = log_count(case, database, _STATEMENT)
    if slowest is None or usual is None or logged is None:
        return judgement
    others = {e.source for e in case.into(database)} - {one.caller.id for one in users} - {case.repository}
    if usual.value > limit_s and logged.count >= 3 and not others:
        return Judgement(
            Answer.EXCEEDED, usual, "logged", f"half of the {logged.count} statements that the server logged as slow", slowest
        )
    if slowest.value <= limit_s and judgement.answer is not Answer.CLOSE:
        return Judgement(Answer.FITS, slowest, "slowest logged")
    return Judgement(Answer.CLOSE, slowest, "slowest logged")


def _is_of_queries(name: str) -> bool:
    return any(
        word in name.lower() for word in ("query", "queries", "statement", "sql", "selectlatency", "dmllatency", "commitlatency")
    )


def _of_pool(case: Case, found: TimeOut, limit_s: float) -> _Subject:
    workload = workload_of(case, found.changed.file)
    if workload is None:
        return _Subject(
            _any_workload(case), _any_workload(case), "waiting for a connection", Judgement(Answer.UNREAD), is_certain=False
        )
    waited = metric(case, workload.id, [_POOL_WAIT], "max")
    if waited is None or waited.unit != "s":
        judgement = Judgement(Answer.UNREAD)
    else:
        judgement = Judgement(Answer.EXCEEDED if waited.value > limit_s else Answer.FITS, waited, "longest")
    return _Subject(workload.id, workload.id, f"waiting of {workload.name} for a connection of its pool", judgement)


def _of_own(case: Case, found: TimeOut, limit_s: float) -> _Subject:
    declared = found.changed.declared
    live = case.diff.live_of(declared) if declared is not None else None
    if live is None:
        workload = workload_of(case, found.changed.file)
        live = workload.id if workload is not None else None
    if live is None:
        known = _any_workload(case)
        name = declared.name or declared.address if declared is not None else found.changed.file
        return _Subject(known, known, f"work of {name}", Judgement(Answer.UNREAD), is_certain=False)
    if found.cuts is Cuts.PROXY:
        return _of_proxy(case, found, live, limit_s)
    judgement = judged(latencies(case, live, outgoing=False), limit_s, per_second=_mean_rate(case, live))
    if judgement.answer is Answer.UNREAD:
        judgement = _reported(case, live, limit_s)
    return _Subject(live, live, f"a run of {short(case, live)}", judgement)


def _of_proxy(case: Case, found: TimeOut, proxy: str, limit_s: float) -> _Subject:
    """What stands behind the block that the setting is in; a setting of a resource of its own is for all of it."""
    declared, changed = found.changed.declared, found.changed
    is_whole = declared is not None and not declared.kind.startswith("kubernetes.")
    scope = Scope() if is_whole or not changed.head_line else scope_of(case.diff.head, changed.file, changed.head_line)
    known = behind(case, proxy, scope, limit_s, per_second=_mean_rate(case, proxy))
    for_what = f" for {min(scope.paths)}" if scope.paths else ""
    return _Subject(
        proxy, known.measured, f"an answer behind {short(case, proxy)}{for_what}", known.judgement, known.how, rate=known.rate
    )


def _reported(case: Case, function: str, limit_s: float) -> Judgement:
    """What the REPORT lines of a function say; they are a sample, so near the limit they prove nothing."""
    usual, slowest = (captures(case, function, _REPORT, "ms", s, factor=1e-3, unit="s") for s in ("p50", "max"))
    logged = log_count(case, function, _REPORT)
    if usual is None or slowest is None or logged is None:
        return Judgement(Answer.UNREAD)
    if usual.value > limit_s:
        return Judgement(Answer.EXCEEDED, usual, "median", f"at least half of the {logged.count} logged runs", slowest)
    if slowest.value <= limit_s * 0.8 and logged.count >= 20:
        return Judgement(Answer.FITS, slowest, "slowest logged")
    return Judgement(Answer.CLOSE, slowest, "slowest logged")


def _mean_rate(case: Case, resource: str) -> float | None:
    found = request_rate(case, resource, "mean")
    return found.value if found else None


def _any_workload(case: Case) -> str:
    mine = own_workloads(case)
    return mine[0].id if mine else case.affected[0].resource if case.affected else case.repository


# -- the links ------------------------------------------------------------------------------


def _exposure(case: Case, subject: _Subject) -> Link:
    rate = subject.rate or request_rate(case, subject.resource) or request_rate(case, subject.measured)
    said = f" at up to {rate.value:.3g} per second" if rate else ""
    if not subject.is_certain:
        return unknown(
            Role.EXPOSURE,
            f"{subject.what} happens in production",
            "Which service does this time-out limit calls to, and which deployed resource makes them?",
            "kubectl get deploy -A -o wide; kubectl exec deploy/<name> -- env | grep -iE 'url|host|endpoint'",
            rate,
        )
    reading = subject.judgement.reading
    return exposure(f"{subject.what} happens in production{said}", *subject.how, rate, reading)


def _harm(case: Case, found: TimeOut, subject: _Subject, limit_s: float) -> Link:
    judgement = subject.judgement
    reading = judgement.reading
    if judgement.answer is Answer.EXCEEDED and reading is not None:
        return harm(
            f"{judgement.share} fail: {judgement.percentile} is {reading.value:.3g} s against a limit of {_seconds(limit_s)}",
            reading, judgement.support, comparison=compare(reading, ">", limit_s, "s"),
        )  # fmt: skip
    question, query = (
        f"How long does {subject.what} take at p99 and at most in the busiest hour?",
        _query(case, found, subject, limit_s),
    )
    coming = foreseen(case, reading)
    if reading is not None and (judgement.answer is Answer.FITS or (coming is not None and coming.p50 >= limit_s)):
        claim = f"{subject.what} takes longer than {_seconds(limit_s)} ({judgement.percentile} peaks at {reading.value:.3g} s)"
        link = harm(claim, reading, comparison=compare(reading, ">", limit_s, "s"))
        return with_the_coming_day(
            case, link, reading, observed=reading.value, limit=limit_s, unit="s", question=question, query=query
        )
    near = f"; {judgement.percentile} peaks at {reading.value:.3g} s, which leaves the slower ones open" if reading else ""
    return unknown(Role.HARM, f"part of it fails at {_seconds(limit_s)}{near}", question, query, reading)


def _query(case: Case, found: TimeOut, subject: _Subject, limit_s: float) -> str:
    resource = case.production.resource(subject.measured)
    kind = resource.kind if resource else ""
    name = short(case, subject.measured)
    if found.cuts is Cuts.STATEMENT:
        return f"SELECT query, max_exec_time FROM pg_stat_statements WHERE max_exec_time > {limit_s * 1000:g} ORDER BY max_exec_time DESC LIMIT 20;"  # noqa: S608
    if kind.startswith("aws.lambda"):
        return (
            f"aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Duration --dimensions Name=FunctionName,Value={name} "
            "--extended-statistics p99 --statistics Maximum --period 300 --start-time <a week ago> --end-time <now>"
        )
    if kind.startswith("aws.elb"):
        return (
            "aws cloudwatch get-metric-statistics --namespace AWS/ApplicationELB --metric-name TargetResponseTime "
            f"--dimensions Name=LoadBalancer,Value={name} --extended-statistics p99 --statistics Maximum --period 300 "
            "--start-time <a week ago> --end-time <now>"
        )
    return f'histogram_quantile(0.99, sum by (le) (rate(http_client_request_duration_seconds_bucket{{target="{name}"}}[5m])))'


def _make_safe(found: TimeOut, subject: _Subject) -> str:
    name = found.changed.name
    peak = subject.judgement.support or subject.judgement.reading
    if peak is not None:
        return (
            f"Keep `{name}` above what it takes: at least {_seconds(_rounded_up(peak.value * 1.2))} "
            f"(peak {_seconds(peak.value)}), or make the slow part asynchronous first."
        )
    return f"Measure first: record the duration of {subject.what} for a week, then set `{name}` above its p99.9; until then keep {_seconds(found.old_s)}."


def _metric_name(subject: _Subject) -> str:
    reading = subject.judgement.reading
    if reading is not None and reading.evidence.kind == "metric":
        return reading.evidence.metric
    return "Errors"


def _rounded_up(value: float) -> float:
    digits = 1 if value < 10 else 0
    return round(value + 0.5 * 10**-digits, digits)


def _seconds(value: float | None) -> str:
    if value is None:
        return "no limit"
    return f"{value * 1000:.3g} ms" if 0 < value < 1 else f"{value:,.4g} s"


def _id(resource: str) -> ResourceId:
    return ResourceId(resource)
