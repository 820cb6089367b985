"""An endpoint goes, or its path, method or host changes, while something still calls it."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.route_calls import SELDOM, Calls, calls_of, serving
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.code import Route
from heuristics.surface import MovedEndpoints, RemovedEndpoint, moved_endpoints, removed_endpoints

INFO = PlaybookInfo(id="removed-endpoint", question="Is the endpoint that goes still called?")

MAX_ENDPOINTS = 40
SHORTEST_DAYS = 0.99
"""Days without a call from which on an endpoint counts as not called."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every endpoint that goes; one for those that only move."""
    for removed in case.diff.once(removed_endpoints)[:MAX_ENDPOINTS]:
        yield _chain(case, removed)
    for moved in moved_endpoints(case.diff):
        yield _moved(case, moved)


def _chain(case: Case, removed: RemovedEndpoint) -> Trajectory:
    calls = calls_of(case, removed.route, removed.methods, removed.stays)
    links: list[Link] = [_unanswered(case, removed)]
    if calls is None:
        links.append(_ask(removed, None))
        return _told(case, removed, None, links)
    links += (
        settle_calls(removed.label, calls, removed.route)
        or _by_callers(case, removed, calls.resource)
        or [_ask(removed, calls.resource)]
    )
    return _told(case, removed, calls, links)


def settle_calls(label: str, calls: Calls, route: Route, *, then: str = "fails") -> list[Link]:
    """Exposure and harm from what was counted; nothing when production does not tell."""
    counted, logged = calls.counted, calls.logged
    if counted is not None and counted.total > SELDOM:
        daily = counted.total / max(counted.days, 1 / 24)
        return [
            exposure(f"{label} is called {per_second(counted.mean.value)} on average", counted.mean, logged),
            harm(
                f"every call {then}: {daily:,.0f} a day", counted.mean, comparison=compare(round(daily, 3), ">", 0, "calls a day")
            ),
        ]
    if counted is not None and counted.total > 0:
        claim = f"{counted.total:.0f} calls of {label} over {counted.days:.0f} days {then.rstrip('s')}"
        return [
            unknown(
                Role.HARM, claim, f"Who made these few calls of {label}?", _query(calls.resource, route), counted.mean, logged
            )
        ]
    if counted is not None and logged is None and counted.days >= SHORTEST_DAYS:
        link = harm(
            f"calls of {label} would fail; there were none in {counted.days:.0f} days",
            counted.mean,
            comparison=compare(counted.mean, ">", 0),
        )
        return [link]
    if logged is not None and logged.count >= 3:
        return [
            exposure(f"{logged.count} of the sampled log lines of {calls.resource.name} are calls of {label}", logged),
            harm(f"every call of {label} {then}", logged, comparison=compare(logged.count, ">", 0, "sampled calls")),
        ]
    if logged is not None:
        return [
            unknown(
                Role.HARM,
                f"calls of {label} {then.rstrip('s')}",
                f"How often is {label} called?",
                _query(calls.resource, route),
                logged,
            )
        ]
    if len(calls.others) >= 2:
        cited = [o.mean for o in calls.others[:3]]
        return [
            harm(
                f"calls of {label} would fail; {calls.resource.name} counts its calls by route and has none of this one",
                refuting=cited,
            )
        ]
    if calls.others_logged is not None:
        claim = f"calls of {label} would fail; none of {calls.others_logged.count} sampled access lines of {calls.resource.name} is one"
        return [harm(claim, refuting=(calls.others_logged,))]
    return []


def _by_callers(case: Case, removed: RemovedEndpoint, serving_resource: Resource) -> list[Link]:
    """Code of the same repository that still calls it, in a program that is busy."""
    for caller in removed.callers:
        programs = [p for p in runners(case, caller.file) if p.id != serving_resource.id]
        if len(programs) != 1:
            continue
        rate = traffic_of(case, programs[0].id, "mean")
        if rate is not None and rate.value > 0:
            at = quote(case, caller.file, caller.line)
            return [
                exposure(
                    f"{programs[0].name}, called {per_second(rate.value)}, still calls it ({caller.file} line {caller.line})",
                    rate,
                    at,
                ),
                harm(f"its calls of {removed.label} find nothing", rate, at, comparison=compare(rate, ">", 0)),
            ]
    return []


def _unanswered(case: Case, removed: RemovedEndpoint) -> Link:
    cited: list[Cited] = list(quote_removed(case, removed.place.file, removed.place.line))
    claim = f"nothing at head answers {removed.label}"
    if removed.callers:
        caller = removed.callers[0]
        claim += f", and {caller.file} line {caller.line} of this repository still calls it"
        cited += [quote(case, c.file, c.line) for c in removed.callers[:3]]
    return mechanism(claim, *cited)


def _ask(removed: RemovedEndpoint, resource: Resource | None) -> Link:
    where = resource.name if resource is not None else "the deployed service"
    claim = f"callers of {removed.label} get an error from {where}"
    question = f"Was {removed.label} called at {where} in the last 30 days, and by whom?"
    return unknown(Role.HARM, claim, question, _query(resource, removed.route))


def _query(resource: Resource | None, route: Route) -> str:
    path = route.path.replace("{}", "*").replace("{*}", "*")
    if resource is None:
        return f"search the access log of the last 30 days for {path}"
    if resource.kind.startswith("aws."):
        return f"aws logs start-query --log-group-name {resource.name} --query-string 'filter @message like \"{path.partition('*')[0]}\" | stats count() by bin(1d)'"
    if resource.kind.startswith("kubernetes."):
        return f'sum(increase(http_requests_total{{service="{resource.name}",route="{route.path}"}}[30d])) by (client)'
    return f"search the access log of {resource.name} of the last 30 days for {path}"


def _moved(case: Case, moved: MovedEndpoints) -> Trajectory:
    names = ", ".join(dict.fromkeys(r.path for r in moved.before[:4])) + (" …" if len(moved.before) > 4 else "")
    before, after = next(iter(moved.before)), next(iter(moved.after))
    resources = serving(case, before.file)
    said = (
        "it redirects from now on" if moved.is_redirect else f"they are declared in {after.file} from now on, with the same paths"
    )
    refutation = Refutation.GUARDED if moved.is_redirect else Refutation.UNCHANGED
    at = [quote(case, a.file, a.line) for a in moved.after[:4]]
    target = resources[0].id if resources else case.repository
    return Trajectory(
        title=f"Routes of {before.file} move and are still answered",
        impact=Impact.LOW,
        resource=target,
        metric="HTTPCode_4XX_Count",
        links=(
            trigger(f"the declaration of {names} goes from {before.file}", *quote_removed(case, before.file, before.line)),
            harm(f"their callers would get 404; {said}", refuting=at, refutation=refutation),
        ),
        make_safe="Nothing to do.",
        undo="Revert the change.",
        path=(target,),
    )


def _told(case: Case, removed: RemovedEndpoint, calls: Calls | None, links: Sequence[Link]) -> Trajectory:
    resource = calls.resource if calls is not None else None
    own = runners(case, removed.route.file)
    chosen = resource or (own[0] if own else None)
    target = chosen.id if chosen is not None else case.repository
    others: list[ResourceId] = [r.id for r in calls.asked] if calls is not None else []
    others += [p.id for c in removed.callers for p in runners(case, c.file)]
    is_safe = any(link.refuting for link in links) or any(link.comparison and not link.comparison.holds() for link in links)
    ends = (
        "and nothing calls it"
        if is_safe
        else "and its callers fail"
        if not any(link.question for link in links)
        else "and may still be called"
    )
    return Trajectory(
        title=f"{removed.label} is removed {ends}",
        impact=Impact.LOW if is_safe else Impact.HIGH,
        resource=target,
        metric=calls.counted.series.metric if calls is not None and calls.counted is not None else "HTTPCode_4XX_Count",
        links=(
            trigger(
                f"{removed.label} goes ({removed.place.file} line {removed.place.line} before the change)",
                *quote_removed(case, removed.place.file, removed.place.line),
            ),
            *links,
        ),
        make_safe=f"Keep `{removed.label}` (answered by what replaces it, or redirecting there) until its calls have stopped for a release cycle.",
        undo="Deploy the previous version; clients that gave up must retry.",
        path=tuple(dict.fromkeys((target, *others))),
    )
