"""A function is invoked in every request from now on: what that adds to its concurrency, and whether the caller's time lasts for it."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, metric, number, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.named_targets import named_target
from bot.investigator.facts.rates import latency, request_rate
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import per_second
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.hot.invokes import AddedInvoke, added_invokes

_SPARE = 0.7
"""Share of the concurrency that may be in use before the peak of a busy day is a question."""


class _Load(Record):
    """What is known of the caller and of what it calls; rates in 1/s, times in seconds."""

    rate: Reading
    takes: Reading
    usual: Reading | None
    """How long it takes on average or at the median; None where only high percentiles were read."""
    at_once: Reading | None
    limit: Reading | None

    @property
    def least(self) -> float | None:
        """Executions at once that come on top for sure."""
        return self.rate.value * self.usual.value if self.usual is not None else None

    @property
    def added(self) -> float:
        """Executions at once that come on top at most, by Little's law: rate times duration."""
        return self.rate.value * self.takes.value

    @property
    def cited(self) -> tuple[Reading, ...]:
        """Every reading that is there."""
        return tuple(r for r in (self.rate, self.takes, self.usual, self.at_once, self.limit) if r is not None)


def invoked_functions(case: Case) -> Iterator[Trajectory]:
    """One chain for every function that is invoked anew, where production tells how often and how long."""
    for invoke in case.diff.once(added_invokes)[:10]:
        target = named_target(case, invoke.place, "", ("aws.lambda.function",))
        caller = _caller(case, invoke)
        if target is None or caller is None or caller.id == target.id:
            continue
        load = _load(case, caller, target)
        if load is not None:
            yield _told(case, invoke, caller, target, load)


def _caller(case: Case, invoke: AddedInvoke) -> Resource | None:
    """The one program that comes by the call: the first file on the way up that one program alone runs."""
    for file in invoke.files:
        found = runners(case, file)
        if len(found) == 1:
            return found[0]
    return None


def _load(case: Case, caller: Resource, target: Resource) -> _Load | None:
    rate, takes = request_rate(case, caller.id), latency(case, target.id)
    if rate is None or takes is None:
        return None
    at_once = metric(case, target.id, ("ConcurrentExecutions.max", "ConcurrentExecutions", "ConcurrentExecutions.p99"), "max")
    limit = number(case, target.id, "reserved_concurrency", "provisioned_concurrency")
    usual = metric(case, target.id, _USUAL, "mean")
    return _Load(rate, takes, usual if usual is not None and usual.unit == "s" else None, _as_level(at_once), limit)


_USUAL = (
    "Duration.p50",
    "Duration.avg",
    "Duration.mean",
    "Duration",
    pattern(r"(?i).*duration.*[._](p50|avg|average|mean|median)(\{.*\})?"),
)


def _as_level(found: Reading | None) -> Reading | None:
    """A number of executions at once, whatever unit the series gives."""
    if found is None or found.evidence.kind != "metric":
        return found
    return Reading(float(found.evidence.value), "", found.evidence)


def _told(case: Case, invoke: AddedInvoke, caller: Resource, target: Resource, load: _Load) -> Trajectory:
    at = quote(case, invoke.place.file, invoke.place.line)
    links = [*_links(case, invoke, caller, target, load)]
    safe = not any(link.question for link in links) and not any(link.comparison and link.comparison.holds() for link in links[1:])
    return Trajectory(
        title=f"{caller.name} invokes {target.name} in every request" + (", which has room for that" if safe else ""),
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target.id,
        metric="Throttles",
        links=(trigger(f"{invoke.place.file} line {invoke.place.line} invokes {target.name}", at), *links),
        make_safe=f"Raise the reserved concurrency of {target.name} first, or cache its answers.",
        undo="Deploy the version before.",
        path=(target.id, caller.id),
    )


def _links(case: Case, invoke: AddedInvoke, caller: Resource, target: Resource, load: _Load) -> Sequence[Link]:
    met = exposure(
        f"{caller.name} is called {per_second(load.rate.value)} at its peak, and {target.name} takes up to {load.takes.value:,.3g} s",
        load.rate,
        load.takes,
    )
    how = mechanism(
        f"each request waits for {target.name}" if not invoke.is_async else f"each request starts {target.name}",
        quote(case, invoke.place.file, invoke.place.line),
    )
    late = None if invoke.is_async else _too_late(case, caller, target, load)
    if late is not None and late.comparison is not None and late.comparison.holds():
        return [how, met, late]
    full = _too_many(target, load)
    if full is not None and full.comparison is not None and full.comparison.holds():
        return [how, met, full]
    if full is None or (late is None and not invoke.is_async):
        question = f"How many executions of {target.name} may run at once, and how long may {caller.name} take?"
        query = f"aws lambda get-function-concurrency --function-name {target.name}"
        if load.added < 1 and full is None and late is not None:
            return [how, late]
        return [
            how,
            met,
            unknown(Role.HARM, f"{target.name} is throttled, or {caller.name} runs out of time", question, query, *load.cited),
        ]
    return [how, full]


def _too_late(case: Case, caller: Resource, target: Resource, load: _Load) -> Link | None:
    limit, own = number(case, caller.id, "timeout_s"), latency(case, caller.id)
    if limit is None or own is None:
        return None
    least, most = load.usual.value if load.usual is not None else 0.0, own.value + load.takes.value
    if least <= limit.value < most:
        return None
    seconds = least if least > limit.value else most
    claim = f"{caller.name} takes up to {seconds:,.3g} s with {target.name}, more than its time-out of {limit.value:g} s"
    return harm(claim, own, load.takes, load.usual, limit, comparison=compare(seconds, ">", limit.value, "s"))


def _too_many(target: Resource, load: _Load) -> Link | None:
    if load.limit is None or load.at_once is None:
        return None
    most = load.at_once.value + load.added
    least = load.at_once.value + load.least if load.least is not None else 0.0
    if most > _SPARE * load.limit.value and least <= load.limit.value:
        return None
    total = most if most <= load.limit.value else least
    claim = f"{target.name} runs {total:,.3g} times at once at the peak ({load.at_once.value:,.3g} today and {total - load.at_once.value:,.2g} more), above its {load.limit.value:g}"
    return harm(claim, *load.cited, comparison=compare(round(total, 3), ">", load.limit.value, "executions"))
