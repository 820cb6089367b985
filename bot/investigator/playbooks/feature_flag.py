"""A switch that a change turns, and whether what stands behind it can take the load of the path."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, edge, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, mechanism, trigger, unknown
from bot.investigator.chains.added_load import Added, harm_of, target_of
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.flag_service import Served, served
from bot.investigator.facts.hot_paths import items_in_logs, path_rate
from bot.investigator.facts.pinned import Pin, lacks, pin_of
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.flags.gated import gated_loads
from heuristics.flags.turned import Turned, as_switch, turned
from heuristics.hot.loads import Load

INFO = PlaybookInfo(
    id="feature-flag", question="Does the switch take effect in production, and can what it leads to take the load?"
)

_HANDLERS = pattern(
    r"(?i)(^|/)(controllers?|handlers?|resolvers?|endpoints?|routers?|routes)/|(_|\.)?(controller|handler|resolver|views)\.\w+$"
)
"""Files whose code answers requests by convention, where no table of routes says which."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a switch: pinned by production, or the worst of what it lets through."""
    for switch in case.diff.once(turned):
        resource = _program(case, switch)
        pin = _pinned(case, switch, resource)
        if pin is not None:
            yield _is_pinned(case, switch, resource, pin)
            continue
        given = served(case, resource, (switch.name, *switch.names)) if switch.is_default else None
        if given is not None and given.is_on == switch.is_on:
            yield _is_served(case, switch, resource, given)
            continue
        chains = [c for load in gated_loads(case.diff, switch) if (c := _chain(case, switch, load, resource)) is not None]
        if chains:
            yield min(chains, key=_rank)


def _program(case: Case, switch: Turned) -> Resource | None:
    live = case.diff.live_of(switch.declared) if switch.declared is not None else None
    if live is not None:
        return case.production.resource(live)
    found = runners(case, switch.place.file) if switch.owner else workloads(case)
    return found[0] if len(found) == 1 else None


def _pinned(case: Case, switch: Turned, resource: Resource | None) -> Pin | None:
    """What production sets, so that nothing changes: any value where only the default turns, the new one where a value does."""
    pin = pin_of(case, resource, *switch.variables)
    if pin is None:
        return None
    if switch.is_default:
        is_changed = any(c.key.endswith(f".{pin.name}") for c in case.diff.settings)
        return None if is_changed and not pin.is_live else pin
    return pin if pin.is_live and pin.value is not None and as_switch(pin.value) == switch.is_on else None


def _is_pinned(case: Case, switch: Turned, resource: Resource | None, pin: Pin) -> Trajectory:
    own = _id(case, resource)
    line = quote(case, switch.place.file, switch.place.line)
    said = f"`{pin.value}`" if pin.value is not None else "a value of its own"
    return Trajectory(
        title=f"{_title(switch)} for all of production",
        impact=Impact.MEDIUM,
        resource=own,
        metric="Requests",
        links=(
            _trigger(case, switch),
            mechanism(
                f"production takes the new state of `{switch.name}`, although it sets {said}",
                line,
                refuting=(pin.cited,),
                refutation=Refutation.UNCHANGED,
            ),
        ),
        make_safe=f"None needed: production sets `{pin.name}` to {said}, before and after.",
        path=(own,),
        undo="Deploy the version before.",
    )


def _is_served(case: Case, switch: Turned, resource: Resource | None, given: Served) -> Trajectory:
    own = _id(case, resource)
    line = quote(case, switch.place.file, switch.place.line)
    cited = [one.evidence if isinstance(one, Reading) else one for one in given.cited]
    of = [one.resource for one in cited if isinstance(one, ConfigEvidence | MetricEvidence)]
    return Trajectory(
        title=f"{_title(switch)} where its service does not answer",
        impact=Impact.LOW,
        resource=own,
        metric="Requests",
        links=(
            _trigger(case, switch),
            mechanism(
                f"production changes to the new state of `{switch.name}`; {given.said}, before and after",
                line,
                refuting=given.cited,
                refutation=Refutation.UNCHANGED,
            ),
        ),
        make_safe=f"None needed: {given.said}.",
        path=tuple(dict.fromkeys((own, *of))),
        undo="Deploy the version before.",
    )


def _chain(case: Case, switch: Turned, load: Load, program: Resource | None) -> Trajectory | None:
    resource, reach, rate = path_rate(case, load.place.file, load.place.line)
    resource = resource or program
    if rate is None and not reach.routes and not reach.is_every_request and not _HANDLERS.search(load.place.file):
        return None
    target = target_of(case, load.kind, load.target, load.target_callee)
    line = quote(case, switch.place.file, switch.place.line)
    gate = quote(case, load.place.file, load.place.line)
    if rate is not None:
        items = items_in_logs(case, rate.resource.id, reach, load.most_items) if load.is_in_loop else None
        low, high = (items.low, items.high) if items is not None else (1.0, 1.0)
        added = Added(
            (rate.peak.value if rate.is_exact else 0.0) * low,
            rate.most * high if high is not None else None,
            (rate.peak, items.reading if items is not None else None),
            f"{rate.peak.value:,.3g} requests a second at the peak",
        )
        last, metric = harm_of(case, load.kind, target, added)
    else:
        last, metric = _open(target.name), "Requests"
    absent = lacks(case, resource, *switch.variables) if switch.is_default else None
    degraded = ResourceId(target.resource or _id(case, resource))
    how = edge(case, target.how.caller.id, target.how.target, target.how.relation) if target.how is not None else None
    claim = f"{reach.label or 'the path'} is called in production"
    return Trajectory(
        title=f"{_title(switch)}: every request calls {target.name}",
        impact=Impact.MEDIUM,
        resource=degraded,
        metric=metric,
        links=(
            _trigger(case, switch),
            mechanism(f"`{load.call.function or load.place.file}` calls `{load.call.callee}` from now on", line, gate)
            if absent is None and not switch.is_default
            else mechanism(f"production sets no `{switch.name}` of its own, so `{load.call.callee}` is called from now on", gate, absent)
            if absent is not None
            else unknown(
                Role.MECHANISM,
                f"production sets no `{switch.name}` of its own, so `{load.call.callee}` is called from now on",
                f"Does production set {' or '.join(switch.variables) or switch.name}?",
                f"list the environment of {resource.name if resource is not None else 'the program'} and look for {switch.name}",
                gate,
            ),
            exposure(f"{reach.label or 'the program'} is called {per_second(rate.peak.value)} at the peak", rate.peak, how, comparison=compare(rate.peak, ">", 0))
            if rate is not None
            else unknown(Role.EXPOSURE, claim, f"How often is {reach.label} called?", "requests a second of the route over the last 7 days"),
            last,
        ),
        make_safe=f"Turn `{switch.name}` on for a few per cent of the requests first, with the environment or the flag service, and watch {target.name}.",
        path=tuple(dict.fromkeys((degraded, _id(case, resource)))),
        undo=f"Set `{switch.name}` back in the environment; no deploy of code is needed.",
    )  # fmt: skip


def _open(name: str) -> Link:
    return unknown(
        Role.HARM,
        f"{name} gets the requests of the whole path",
        f"How many requests a second does the path get, and how many can {name} take?",
        f"requests a second of the path and of {name}, with its CPU, over the last 7 days",
    )


def _rank(chain: Trajectory) -> int:
    """Harm that is proved first, then what is open, then what is disproved."""
    last = chain.links[-1]
    if last.comparison is None:
        return 1
    return 0 if last.comparison.holds() else 2


def _trigger(case: Case, switch: Turned) -> Link:
    state = "on" if switch.is_on else "off"
    what = f"the default of `{switch.name}` turns {state}" if switch.is_default else f"`{switch.name}` is turned {state}"
    before = quote_removed(case, switch.place.file, switch.base_line)[:1] if switch.base_line is not None else ()
    return trigger(what, quote(case, switch.place.file, switch.place.line), *before)


def _title(switch: Turned) -> str:
    return f"`{switch.name}` turns {'on' if switch.is_on else 'off'}"


def _id(case: Case, resource: Resource | None) -> ResourceId:
    if resource is not None:
        return resource.id
    mine = own_workloads(case)
    return mine[0].id if mine else ResourceId(case.repository)
