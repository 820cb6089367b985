"""Routes that manifests put behind authentication: authorizers and API keys of gateways, function URLs, ingresses."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Relation, Setting
from heuristics.code import Narrowed, Route
from heuristics.code.endpoints.route import normal
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production

_DEMANDS = pattern(
    r"(?:auth\.)?(?:authorizer|default_authorizer|authorization|authorization_type|auth_type|api_key_required|private|custom_authorizer|authorizer_id)(?:\.\w+)?"
    r"|function_url_config\.auth_type|url\.authorizer"
    r"|metadata\.annotations\..*(?:auth_url|auth_type|auth_secret|auth_signin|auth_tls_secret|auth_tls_verify_client|external_auth\w*|ext_auth\w*)"
    r"|(?:default_)?action(?:s)?\.(?:\d+\.)?type"
)
_DEFAULTS = pattern(
    r"auth\.(?:default_authorizer|api_key_required)|(?:mutual_tls\w*|mutual_tls_authentication)\..*|metadata\.annotations\..*"
)
_NOTHING = ("", "none", "false", "off", "no", "optional", "optional_no_ca", "forward", "redirect", "fixed-response")
_GATES = (
    "aws.apigateway.route",
    "aws.apigateway.method",
    "aws.lambda.function_url",
    "aws.lambda.url",
    "kubernetes.ingress",
    "aws.elb.listener_rule",
)


class Guard(Record):
    """What a route demands, and the line that says so; an explicit NONE demands nothing."""

    demands: bool
    name: str
    place: Place


def newly_guarded(context: RuleContext) -> Iterator[Narrowed]:
    """Every declared route that demands no credentials at base and some at head."""
    if not {"base", "head"} <= context.declared.keys():
        return
    before = {key: guard for key, (_, guard) in _routes(context, context.declared["base"]).items()}
    for key, (route, guard) in _routes(context, context.declared["head"]).items():
        was = before.get(key)
        if key in before and guard is not None and guard.demands and (was is None or not was.demands):
            yield Narrowed(route, "auth added", "auth", guard.name, None, guard.place)


Keyed = dict[tuple[str, str, str], tuple[Route, Guard | None]]


def _routes(context: RuleContext, side: Declarations) -> Keyed:
    """(API, method, path) → the route with what guards it: by itself, else by its API."""
    known = {d.address: d for d in side.resources}
    apis = {e.source: e.target for e in side.edges if e.relation is Relation.DEPENDS_ON and _is_api(known.get(e.target))}
    found: Keyed = {}
    seen: set[str] = set()
    for one in side.resources:
        if not is_for_production(context, one) or not (one.kind in _GATES or _url(one)):
            continue
        api = known.get(apis.get(one.address, "")) or next(
            (d for d in side.resources if d.kind == "aws.apigateway.api" and d.address == _text(one, "rest_api_id")), None
        )
        own = _guard(one, _DEMANDS)
        guard = own if own is not None else _guard(api, _DEFAULTS) if api is not None else None
        for method, path in _paths(one, known, side):
            seen |= {api.address} if api is not None else set()
            found[api.address if api else one.address, method, path] = (
                Route(method, path, one.file, one.line, framework="gateway"),
                guard,
            )
    for api in side.resources:
        if api.kind == "aws.apigateway.api" and api.address not in seen:
            for method, path in _live_routes(context, api):
                found[api.address, method, path] = (
                    Route(method, path, api.file, api.line, framework="gateway"),
                    _guard(api, _DEFAULTS),
                )
    return found


def _is_api(declared: Declared | None) -> bool:
    return declared is not None and declared.kind == "aws.apigateway.api"


def _url(declared: Declared) -> bool:
    return declared.kind == "aws.lambda.function" and any(key.startswith("function_url_config.") for key in declared.settings)


def _guard(declared: Declared, keys: re.Pattern[str]) -> Guard | None:
    found: list[Guard] = []
    for key, setting in declared.settings.items():
        if keys.fullmatch(key):
            text = str(setting.value if setting.value is not None else setting.text).strip("\"'").lower()
            is_action = key.endswith("type") and "action" in key
            demands = text.startswith("authenticate") if is_action else text not in _NOTHING
            found.append(Guard(demands, key.rpartition(".")[2], Place(file=setting.file or declared.file, line=setting.line)))
    return next((g for g in found if g.demands), next(iter(found), None))


def _paths(declared: Declared, known: Mapping[str, Declared], side: Declarations) -> Iterator[tuple[str, str]]:
    settings = declared.settings
    if declared.kind == "kubernetes.ingress":
        listed = settings.get("routes")
        for text in _listed(listed.value if listed is not None else None):
            host, _, rest = text.partition("/")
            yield "ANY", normal("/" + rest) if rest else f"{host}/{{*}}"
        return
    if declared.kind in ("aws.lambda.function_url", "aws.lambda.url", "aws.lambda.function"):
        yield "ANY", "/{*}"
        return
    written = _text(declared, "route_key")
    if written:
        verb, _, path = written.partition(" ")
        if path:
            yield verb.upper(), normal(path)
        return
    path = _text(declared, "path") or _of_resources(declared, known, side)
    if path:
        verb = (_text(declared, "method") or _text(declared, "http_method") or "ANY").upper()
        yield ("ANY" if verb in ("*", "X-AMAZON-APIGATEWAY-ANY-METHOD") else verb), normal(path)


def _of_resources(method: Declared, known: Mapping[str, Declared], side: Declarations) -> str:
    """The path of a REST API's method, by its chain of resources."""
    parts: list[str] = []
    at = method.address
    for _ in range(10):
        above = next(
            (
                e.target
                for e in side.edges
                if e.source == at and (d := known.get(e.target)) is not None and d.kind == "aws.apigateway.resource"
            ),
            None,
        )
        if above is None:
            break
        parts.append(_text(known[above], "path_part"))
        at = above
    return "/" + "/".join(reversed(parts)) if parts and all(parts) else ""


def _live_routes(context: RuleContext, api: Declared) -> Iterator[tuple[str, str]]:
    """The routes that production's gateway lists, for an API whose routes stand in a definition of its own."""
    live = context.live_of(api)
    resource = context.production.resource(live) if live is not None else None
    for text in _listed(resource.attributes.get("routes") if resource is not None else None):
        verb, _, path = text.partition(" ")
        if path.startswith("/"):
            yield verb.upper(), normal(path)


def _text(declared: Declared, key: str) -> str:
    setting: Setting | None = declared.settings.get(key)
    return setting.value if setting is not None and isinstance(setting.value, str) else ""


def _listed(value: object) -> list[str]:
    return [str(one) for one in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else []
