"""How often one endpoint is called: series by route, lines of the access log, and what both say of the other routes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from bot.investigator.case import Case
from bot.investigator.facts.route_labels import (
    Names,
    is_counted,
    may_hold_others,
    names_of,
    procedure_in,
    selection_of,
    telling_words,
    would_tell,
)
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import Counted, access_lines, counted_of, dimensions_of, lines_like, upstream
from gonogo.evidence import LogEvidence
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.code import Route
from heuristics.code.endpoints.route import METHODS, normal

_ACCESS_PATTERN = r"\b(?:GET|POST|PUT|PATCH|DELETE)\s+(?:https?://[^/\s]+)?/"
ENOUGH_LINES = 50
"""Sampled access lines from which the absence of a route among them says something."""
SELDOM = 10
"""Calls over the whole window up to which they may be a probe or a crawler."""


class Calls(Record):
    """What production says about one endpoint at one resource."""

    resource: Resource
    counted: Counted | None = None
    logged: LogEvidence | None = None
    others: tuple[Counted, ...] = ()
    """Other routes of the resource that are counted."""
    others_logged: LogEvidence | None = None
    """Access lines of the resource, when there are enough of them and none is of this endpoint."""
    asked: tuple[Resource, ...] = field(default=())


def calls_of(case: Case, route: Route, methods: Sequence[str], stays: Sequence[str]) -> Calls | None:
    """The most telling answer over the resources that may serve the endpoint; None when none of them was read."""
    resources = serving(case, route.file)
    answers = [_at(case, resource, route, methods, stays) for resource in resources]
    if not answers:
        return None
    best = max(answers, key=_telling)
    return Calls(best.resource, best.counted, best.logged, best.others, best.others_logged, tuple(resources))


def calls_at(case: Case, resource: Resource, route: Route, methods: Sequence[str]) -> Calls:
    """The same at one resource that is known to answer."""
    return _at(case, resource, route, methods, ())


def serving(case: Case, path: str) -> list[Resource]:
    """The programs that run the file and what routes to them; else everything that the repository deploys."""
    found: dict[str, Resource] = {}
    own = runners(case, path) or workloads(case) or case.deployed()
    for resource in own:
        found[resource.id] = resource
        for above in upstream(case, resource.id):
            router = case.production.resource(above)
            if router is not None:
                found[above] = router
    for resource in case.deployed():  # gateways, load balancers and zones that this repository declares
        if resource.kind.startswith(("aws.apigateway", "aws.elb", "cloudflare.", "kubernetes.ingress", "aws.cloudfront")):
            found.setdefault(resource.id, resource)
    return list(found.values())


def _telling(calls: Calls) -> tuple[float, int, int, int]:
    total = calls.counted.total if calls.counted is not None else -1.0
    return total, calls.logged.count if calls.logged is not None else 0, len(calls.others), int(calls.others_logged is not None)


def _at(case: Case, resource: Resource, route: Route, methods: Sequence[str], stays: Sequence[str]) -> Calls:
    names = names_of(case, route, methods)
    labelled = counted_of(case, resource.id)
    hits = [c for c in labelled if is_counted(names, c)]
    others = [c for c in labelled if c not in hits]
    exact = [h for h in hits if _method_agrees(h, methods, stays)]
    counted = max(exact, key=lambda c: c.total, default=None)
    spelled = (p for r in as_logged(case, resource, route) for p in patterns_of(r, methods))
    logged = next((found for p in spelled if (found := lines_like(case, resource.id, p)) is not None), None)
    others_logged = _lines_of_others(case, resource, names) if logged is None else None
    is_told = not hits and not _is_grouped(others, route) and not any(_hides(c, names) for c in others)
    telling = tuple(o for o in others if o.total > 0 and would_tell(names, o)) if is_told else ()
    return Calls(resource, counted, logged, telling, others_logged)


def _hides(counted: Counted, names: Names) -> bool:
    """Whether calls of the endpoint may be among what this busy series does not tell apart."""
    return counted.total > 0 and may_hold_others(dimensions_of(counted.series.metric)) and not names.owner


def _lines_of_others(case: Case, resource: Resource, names: Names) -> LogEvidence | None:
    """Access lines that would name the endpoint if they were calls of it: `POST /graphql` says nothing of a field."""
    if access_lines(case, resource.id) < ENOUGH_LINES:
        return None
    shown = telling_words(names) if names.owner else _ACCESS_PATTERN
    found = lines_like(case, resource.id, shown) if shown is not None else None
    return found if found is not None and found.count >= ENOUGH_LINES else None


def as_logged(case: Case, resource: Resource, route: Route) -> list[Route]:
    """The route as access lines may spell it: as it stands, and below the stage of its gateway."""
    if not route.path.startswith("/"):
        return [route]
    declared = case.diff.declared["head"].resources if "head" in case.diff.declared else ()
    stages = [
        d.settings["stage_name"].value for d in declared if "stage_name" in d.settings and d.kind.startswith("aws.apigateway")
    ]
    stages += [resource.attributes.get(key) for key in ("stage_name", "stage")]
    names = sorted({s.strip("/") for s in stages if isinstance(s, str) and s not in ("", "$default")})
    return [route, *(Route(route.method, f"/{name}{route.path}", route.file, route.line) for name in names)]


def _is_grouped(others: Sequence[Counted], route: Route) -> bool:
    """Whether a busy count by a beginning of the path, with nothing counted below it, may hold the endpoint's calls."""
    values = {normal(v) for o in others if o.total > 0 for v in dimensions_of(o.series.metric).values() if v.startswith("/")}
    above = [v for v in values if v != "/" and route.path.startswith(v + "/")]
    return any(not any(other.startswith(v + "/") for other in values) for v in above)


def _method_agrees(counted: Counted, methods: Sequence[str], stays: Sequence[str]) -> bool:
    """A count by path alone says nothing about a method that goes while another one stays."""
    values = dimensions_of(counted.series.metric).values()
    said = {m for value in values for m in METHODS if re.match(rf"(?i){m}\b", value)}
    if said:
        return not methods or bool(said & set(methods))
    return not (stays and methods and set(stays) - set(methods))


def patterns_of(route: Route, methods: Sequence[str]) -> Iterator[str]:
    """Regular expressions for log lines of a call, the strictest first."""
    if route.path.startswith("grpc:"):
        service, _, method = route.path.removeprefix("grpc:/").rpartition("/")
        yield procedure_in(re.escape(method), Names(route, tuple(methods), service, method))
        return
    if route.path.startswith("graphql:"):
        owner, _, name = route.path.removeprefix("graphql:").partition(".")
        yield selection_of(re.escape(name), Names(route, tuple(methods), owner, name))
        if owner in ("Query", "Mutation"):
            yield rf"(?:operation|operationName|mutation|query)[=:\"\s]+{re.escape(name)}(?!\w)"
        return
    verbs = "(?:" + "|".join(methods or METHODS[:5]) + ")"
    if not route.path.startswith("/"):
        host, _, rest = route.path.partition("/")
        written = (r"[^/\s]+\." if host.startswith("*.") else "") + re.escape(host.removeprefix("*."))
        yield rf"https?://{written}/{_regex(rest)}(?=[\s?\"#&]|$)"
        return
    path = _regex(route.path.lstrip("/"))
    yield rf"\b{verbs}\s+\"?(?:https?://[^/\s\"]+)?/{path}/?(?=[\s?\"#]|$)"
    if methods:
        yield rf"\b{verbs}\b.{{0,200}}[\s\"=:]/{path}/?(?=[\s?\"#,}}]|$)"
        yield rf"[\s\"=:]/{path}/?(?=[\s?\"#,}}]).{{0,200}}\b{verbs}\b"


def _regex(path: str) -> str:
    parts = re.split(r"(\{\*\}|\{\})", path)
    return "".join(r"\S*" if p == "{*}" else r"[^/\s?\"#]+" if p == "{}" else re.escape(p) for p in parts)
