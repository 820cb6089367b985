"""How often one endpoint is called: series by route, lines of the access log, and what both say of the other routes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from bot.investigator.case import Case
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import Counted, access_lines, counted_by, dimensions_of, lines_like, upstream
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.code import Route
from heuristics.code.endpoints.route import METHODS, covers, normal

_KEYS = pattern(
    r"(http_?|url_?|request_?|grpc_?)?(route|path|uri|url|endpoint|resource|handler|operation(name)?|method|rpc|field|target|pattern|action|query|mutation|host|template)"
)
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
    hits, others = counted_by(case, resource.id, _KEYS, lambda value: _names(value, route, methods))
    exact = [h for h in hits if _method_agrees(h, methods, stays)]
    counted = max(exact, key=lambda c: c.total, default=None)
    spelled = (p for r in as_logged(case, resource, route) for p in patterns_of(r, methods))
    logged = next((found for p in spelled if (found := lines_like(case, resource.id, p)) is not None), None)
    others_logged = None
    if logged is None and access_lines(case, resource.id) >= ENOUGH_LINES:
        others_logged = lines_like(case, resource.id, _telling_lines(route))
        if others_logged is not None and others_logged.count < ENOUGH_LINES:
            others_logged = None
    telling = () if _is_grouped(others, route) else tuple(o for o in others if o.total > 0 and _tells_of(o, route))
    return Calls(resource, counted, logged, telling, others_logged)


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


def _telling_lines(route: Route) -> str:
    """Lines that would name the endpoint if they were a call of it: `POST /graphql` says nothing of a field."""
    if route.path.startswith("grpc:"):
        return r"/[\w.]+/[A-Z]\w+"
    if route.path.startswith("graphql:"):
        is_root = route.path.startswith(("graphql:Query.", "graphql:Mutation.", "graphql:Subscription."))
        return rf"\b(?:fields?|selections?{'|operation|operationName|mutation|query' if is_root else ''})[=:\"]"
    return _ACCESS_PATTERN


def _tells_of(counted: Counted, route: Route) -> bool:
    """Whether a count by this dimension would show the endpoint: paths don't show fields or procedures."""
    dimensions = dimensions_of(counted.series.metric)
    if route.path.startswith("graphql:"):
        is_root = route.path.startswith(("graphql:Query.", "graphql:Mutation.", "graphql:Subscription."))
        keys = r"(?i).*field.*|.*(operation|query|mutation|resolver).*" if is_root else r"(?i).*(field|resolver).*"
        return any(re.fullmatch(keys, key) is not None for key in dimensions)
    if route.path.startswith("grpc:"):
        return any(re.fullmatch(r"(?i).*(rpc|method|procedure).*", k) and v.upper() not in METHODS for k, v in dimensions.items())
    return True


def _method_agrees(counted: Counted, methods: Sequence[str], stays: Sequence[str]) -> bool:
    """A count by path alone says nothing about a method that goes while another one stays."""
    values = dimensions_of(counted.series.metric).values()
    said = {m for value in values for m in METHODS if re.match(rf"(?i){m}\b", value)}
    if said:
        return not methods or bool(said & set(methods))
    return not (stays and methods and set(stays) - set(methods))


def _names(value: str, route: Route, methods: Sequence[str]) -> bool:
    if route.path.startswith("grpc:"):
        service, _, method = route.path.removeprefix("grpc:/").rpartition("/")
        return value == method or value.strip("/").endswith(f"{service.rpartition('.')[2]}/{method}")
    if route.path.startswith("graphql:"):
        owner, _, name = route.path.removeprefix("graphql:").partition(".")
        return value in (f"{owner}.{name}", f"{owner}/{name}") or (
            value == name and owner in ("Query", "Mutation", "Subscription")
        )
    verb, _, rest = value.partition(" ")
    path = rest.strip() if verb.upper() in METHODS and rest else value
    if verb.upper() in METHODS and rest and methods and verb.upper() not in methods:
        return False
    if not route.path.startswith("/"):
        return _hostless(normal(path)) == _hostless(normal(route.path))
    bare = re.sub(r"^https?://[^/]+", "", path)
    return bare.startswith("/") and (
        normal(bare) == normal(route.path) or ("{" not in bare and ":" not in bare and covers(normal(route.path), normal(bare)))
    )


def _hostless(path: str) -> str:
    return path.strip("/").removesuffix("{*}").rstrip("/")


def patterns_of(route: Route, methods: Sequence[str]) -> Iterator[str]:
    """Regular expressions for log lines of a call, the strictest first."""
    if route.path.startswith("grpc:"):
        service, _, method = route.path.removeprefix("grpc:/").rpartition("/")
        yield rf"/(?:{re.escape(service)}|{re.escape(service.rpartition('.')[2])})/{re.escape(method)}(?!\w)"
        return
    if route.path.startswith("graphql:"):
        owner, _, name = route.path.removeprefix("graphql:").partition(".")
        yield rf"(?:fields?|selection|query)[=:\"\s]+[^ ]*(?<![\w]){re.escape(name)}(?!\w)"
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
