"""Whether those who call an endpoint send credentials today: access lines with and without them, counts of calls without."""

import re
from collections.abc import Sequence

from bot.investigator.asking import Reading, log_count, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.route_calls import as_logged, patterns_of
from bot.investigator.facts.traffic import dimensions_of
from context_graph.readings import window_of
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.code import Route
from heuristics.code.endpoints.route import METHODS, covers, normal

_FIELD = (
    r"(?:auth(?:orization|entication|enticated|_?type|_?method|_?scheme|_?user)?|authz?|(?:access_?|bearer_?|api_?)?token|x-api-key|api_?key(?:_?id)?"
    r"|jwt(?:_?sub)?|session|credentials?|principal(?:_?id)?|identity|authorizer|client_?cert|tls_?client|remote_?user|caller_?identity|(?:x-)?(?:[a-z]+[_-])?signature|sig|signed|hmac)"
)
_NONE = r"(?:-|none|null|nil|anonymous|anon|missing|absent|false|no|0|unauthenticated)"
WITHOUT = rf"(?<![\w-])[\"']?{_FIELD}[\"']?\s*[=:]\s*(?:[\"']?{_NONE}[\"']?(?=[\s,;}}\])]|$)|[\"']{{2}})"
WITH = rf"(?<![\w-])[\"']?{_FIELD}[\"']?\s*[=:]\s*(?![\"']?{_NONE}[\"']?(?:[\s,;}}\])]|$))[\"']?\w"
_REFUSED = r"[\s=:](?:401|403|404|405|410)(?=[\s,;}]|$)"
"""Calls that fail already lose nothing."""
_COUNTS = pattern(
    r"(?i).*(?:(?:without|no|missing|lacking|un|non)[_-]?(?:auth\w*|tokens?|credentials?|api_?keys?|keys?|sessions?|jwts?|signed|signatures?|hmac)|anonymous\w*|tokenless|unauthenticated)(?![a-z]*(?:failures?|errors?)).*"
)
ENOUGH = 20
"""Access lines with credentials from which it counts that none comes without."""
SOME = 3


class Credentials(Record):
    """What production says of the calls of one endpoint; a citation is None where nothing was found."""

    resource: Resource
    without: LogEvidence | None = None
    with_some: LogEvidence | None = None
    counted: Reading | None = None
    """Calls a second without credentials."""
    is_of_route: bool = False
    """The count is of this endpoint alone."""
    days: float = 0.0


def credentials_of(case: Case, route: Route, methods: Sequence[str], resources: Sequence[Resource]) -> Credentials | None:
    """The most telling answer over the resources that serve the endpoint."""
    answers = [_at(case, resource, route, methods) for resource in resources]
    known = [a for a in answers if a.without is not None or a.with_some is not None or a.counted is not None]
    return max(known, key=_telling, default=None)


def _telling(found: Credentials) -> tuple[int, int, bool]:
    without = found.without.count if found.without is not None else 0
    return without, found.with_some.count if found.with_some is not None else 0, found.counted is not None


def _at(case: Case, resource: Resource, route: Route, methods: Sequence[str]) -> Credentials:
    without = with_some = None
    for called in _lines(case, resource, route, methods):
        without = log_count(case, resource.id, f"(?i)^(?!.*{_REFUSED})(?=.*{called})(?=.*{WITHOUT})")
        with_some = log_count(case, resource.id, f"(?i)^(?=.*{called})(?=.*{WITH})")
        if without is not None or with_some is not None:
            break
    counted, is_of_route, days = _counted(case, resource, route, methods)
    return Credentials(resource, without, with_some, counted, is_of_route, days)


def _lines(case: Case, resource: Resource, route: Route, methods: Sequence[str]) -> list[str]:
    """How access lines spell a call: with or without the stage of the gateway before the path."""
    return [p for r in as_logged(case, resource, route) for p in patterns_of(r, methods)]


def _counted(case: Case, resource: Resource, route: Route, methods: Sequence[str]) -> tuple[Reading | None, bool, float]:
    best: tuple[Reading | None, bool, float] = (None, False, 0.0)
    for series in case.production.series_of(resource.id):
        dimensions = dimensions_of(series.metric)
        is_said = any(re.fullmatch(rf"(?i){_FIELD}", k) and re.fullmatch(rf"(?i){_NONE}", v) for k, v in dimensions.items())
        if not (is_said or _COUNTS.fullmatch(series.metric.partition("{")[0])):
            continue
        reading = statistic_reading(series, "mean")
        named = [v for v in dimensions.values() if "/" in v]
        is_of_route = any(_is_route(v, route, methods) for v in named)
        if reading is None or reading.unit != "1/s" or (named and not is_of_route):
            continue
        window = window_of(series)
        if best[0] is None or (is_of_route and not best[1]):
            best = (reading, is_of_route, (window.end - window.start).total_seconds() / 86_400)
    return best


def _is_route(value: str, route: Route, methods: Sequence[str]) -> bool:
    verb, _, rest = value.partition(" ")
    if verb.upper() in METHODS and methods and verb.upper() not in methods:
        return False
    path = normal(rest if verb.upper() in METHODS else value)
    return path == normal(route.path) or covers(normal(route.path), path)
