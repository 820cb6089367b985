"""Holds every request to GitHub's own OpenAPI description."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote

from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from werkzeug.datastructures import Headers, ImmutableMultiDict

from tests.github.shapes import description

_NOT_DESCRIBED = (
    ("POST", r"/app-manifests/[^/]+/conversions"),
    ("GET", r"/user"),
    ("GET", r"/user/installations"),
    ("GET", r"/user/installations/\d+/repositories"),
    ("GET", r"/repos/[^/]+/[^/]+/contents/?"),
    ("GET", r"/repos/[^/]+/[^/]+/actions/secrets"),
    ("GET", r"/repos/[^/]+/[^/]+/deployments/\d+/statuses"),
)
"""Endpoints that GitHub has and the cut-down description leaves out."""

NO_SUCH_ENDPOINT = "GitHub's description has no such endpoint"
_TOO_MANY = "per_page is more than 100: GitHub would cut it down silently"
_STRANGER = "unknown query parameter"
LET_PASS = (NO_SUCH_ENDPOINT, _TOO_MANY, _STRANGER)
"""Complaints that GitHub itself does not make, or makes by a 404: the request goes on."""

_GREEDY = {"path", "branch", "ref", "basehead"}
"""Parameters whose value may hold slashes."""


@dataclass
class Seen:
    """A request in the form that openapi-core reads."""

    method: str
    path: str
    body: bytes | None
    content_type: str
    parameters: RequestParameters = field(default_factory=RequestParameters)
    host_url: str = "https://api.github.com"


def complaint(method: str, path: str, query: str, headers: Mapping[str, str], body: bytes) -> str | None:
    """Why GitHub's description does not allow this request, or None. `path` is percent-decoded, without prefix."""
    if not headers.get("user-agent"):
        return "no User-Agent: GitHub answers 403"
    return _complaint(method, path, query, headers.get("content-type", "").partition(";")[0], body)


@lru_cache(maxsize=4096)
def _complaint(method: str, path: str, query: str, content_type: str, body: bytes) -> str | None:
    if any(method == known and re.fullmatch(pattern, path) for known, pattern in _NOT_DESCRIBED):
        return None
    template, values = _matched(path)
    operation: dict[str, Any] | None = description()["paths"].get(template, {}).get(method.lower()) if template else None
    if template is None or operation is None:
        return NO_SUCH_ENDPOINT
    asked = parse_qsl(query, keep_blank_values=True)
    known = {p["name"] for p in _parameters(template, operation) if p["in"] == "query"}
    if strangers := sorted({name for name, _ in asked} - known):
        return f"{_STRANGER} {', '.join(strangers)}"
    if any(name == "per_page" and value.isdigit() and int(value) > 100 for name, value in asked):
        return _TOO_MANY
    filled = template
    for name, value in values.items():
        filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
    seen = Seen(method.lower(), filled, body or None, content_type or "application/json")
    seen.parameters = RequestParameters(query=ImmutableMultiDict(asked), header=Headers({}), cookie=ImmutableMultiDict())
    try:
        _openapi().validate_request(seen)
    except OpenAPIError as wrong:
        return _words(wrong)
    return None


@cache
def _openapi() -> OpenAPI:
    return OpenAPI.from_dict(_requests_only(), config=Config(spec_validator_cls=None))  # pyright: ignore[reportArgumentType]  it is GitHub's, and checked


def _requests_only() -> dict[str, Any]:
    """The description without answers: they are ours to give, and take most of the time to load."""
    whole = description()
    bare = {"200": {"description": "an answer"}}
    methods = {"get", "post", "patch", "put", "delete"}
    paths = {
        path: {key: value | {"responses": bare} if key in methods else value for key, value in item.items()}
        for path, item in whole["paths"].items()
    }
    kept = {key: value for key, value in whole["components"].items() if key in {"schemas", "parameters"}}
    return whole | {"paths": paths, "components": kept}


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    """Longest first, so that what is said literally wins."""
    found: list[tuple[re.Pattern[str], str]] = []
    for template in sorted(description()["paths"], key=lambda t: (-t.count("/"), t.count("{"))):
        pieces = re.split(r"(\{\w+\})", template)
        form = "".join(_piece(p[1:-1]) if p.startswith("{") else re.escape(p) for p in pieces)
        found.append((re.compile(form), template))
    return found


def _piece(name: str) -> str:
    return f"(?P<{name}>.+)" if name in _GREEDY else f"(?P<{name}>[^/]+)"


def template_of(path: str) -> str | None:
    """The description's path for an address: `/repos/{owner}/{repo}/pulls/{pull_number}`."""
    return _matched(path)[0]


def _matched(path: str) -> tuple[str | None, dict[str, str]]:
    for pattern, template in _templates():
        if match := pattern.fullmatch(path):
            return template, match.groupdict()
    return None, {}


def _parameters(template: str, operation: Mapping[str, Any]) -> list[dict[str, Any]]:
    shared = description()["components"]["parameters"]
    listed = [*description()["paths"][template].get("parameters", []), *operation.get("parameters", [])]
    return [shared[p["$ref"].rsplit("/", 1)[1]] if "$ref" in p else p for p in listed]


def _words(wrong: BaseException) -> str:
    """The deepest reason; openapi-core wraps it."""
    reasons = [str(e.message) for e in getattr(wrong.__cause__, "schema_errors", ())]
    while wrong.__cause__ is not None:
        wrong = wrong.__cause__
        reasons += [str(e.message) for e in getattr(wrong, "schema_errors", ())]
    said = "; ".join(dict.fromkeys(reasons)) or f"{type(wrong).__name__}: {wrong}"
    return said if len(said) <= 400 else f"{said[:100]} [...] {said[-200:]}"
