"""Whether the labels of a series, or the words of a log line, name one endpoint, and whether they would if it were called.

`field=delay` beside `type=Sailing` is one name in two labels; `method=GET` is no route; a count by operation says nothing of a field.
"""

import re
from collections.abc import Mapping, Sequence

from bot.investigator.case import Case
from bot.investigator.facts.traffic import Counted, dimensions_of
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code import Route, routes
from heuristics.code.endpoints.route import METHODS, covers, normal

_OWNER_KEYS = pattern(r"(graphql_?)?(parent|object|owner)?_?(type|type_?name|parent|object|owner)(_?name)?")
_FIELD_KEYS = pattern(
    r"(graphql_?)?(field|resolver|selection|coordinate|path|member|name|operation|query|mutation)(_?(name|path))?"
)
_SERVICE_KEYS = pattern(r"(grpc|rpc)[._]?service([._]?name)?")
_PROCEDURE_KEYS = pattern(
    r"((grpc|rpc)[._]?)?(full[._]?)?(method|procedure|rpc|operation|handler|path|route|endpoint|name)(_?name)?"
)
_ROUTE_KEYS = pattern(
    r"(http_?|url_?|request_?)?(route|path|uri|url|endpoint|resource|handler|operation(name)?|method|target|pattern|action|host|template)(_?(name|path|pattern|template))?"
)
_UNSORTED = pattern(r"(?i)\W?(other|others|unknown|unmatched|undefined|none|null|not[ _-]?found|_all|all|\*)?\W?")
"""Where calls are counted whose route is not told apart."""


class Names(Record):
    """An endpoint and its siblings: what else the same type or service of the schema answers."""

    route: Route
    methods: tuple[str, ...]
    owner: str = ""
    """`Sailing` of a field, `acme.v1.Stock` of a procedure; empty for a path."""
    member: str = ""
    siblings: frozenset[str] = frozenset()
    is_only: bool = True
    """Whether no other type or service of the schema has a member of this name."""

    @property
    def short(self) -> str:
        """The owner without its package."""
        return self.owner.rpartition(".")[2]


def names_of(case: Case, route: Route, methods: Sequence[str]) -> Names:
    """The endpoint with what the schema of both sides has beside it."""
    owner, member = _parts(route)
    if not owner:
        return Names(route, tuple(methods))
    kind = route.path.partition(":")[0]
    every = [r for side in ("base", "head") for r in routes(case.diff.trees[side]) if r.path.startswith(f"{kind}:")]
    known = {_parts(r) for r in every}
    siblings = frozenset(name for of, name in known if of == owner and name != member)
    is_only = not any(name == member and of != owner for of, name in known)
    return Names(route, tuple(methods), owner, member, siblings, is_only)


def is_counted(names: Names, counted: Counted) -> bool:
    """Whether the series counts calls of this endpoint and of no other."""
    labels = dimensions_of(counted.series.metric)
    if names.owner:
        return _is_member(names, labels, names.member)
    return any(_is_path(value, names) for key, value in labels.items() if _ROUTE_KEYS.fullmatch(key))


def would_tell(names: Names, counted: Counted) -> bool:
    """Whether a series of the same metric would have named the endpoint if it had been called."""
    labels = dimensions_of(counted.series.metric)
    if names.owner:
        return any(_is_member(names, labels, one, is_sibling=True) for one in names.siblings)
    values = [v for k, v in labels.items() if _ROUTE_KEYS.fullmatch(k)]
    return any(_path_in(v).startswith("/") or "." in v for v in values) and not may_hold_others(labels)


def may_hold_others(labels: Mapping[str, str]) -> bool:
    """Whether a series counts whatever is not told apart by its labels."""
    return any(_UNSORTED.fullmatch(v) for k, v in labels.items() if _ROUTE_KEYS.fullmatch(k) or _FIELD_KEYS.fullmatch(k))


def telling_words(names: Names) -> str | None:
    """A regular expression of log lines that would name the member if they were of it; None when nothing beside it is known."""
    if not names.siblings:
        return None
    members = f"(?:{'|'.join(re.escape(one) for one in sorted(names.siblings)[:60])})"
    return procedure_in(members, names) if names.route.path.startswith("grpc:") else selection_of(members, names)


def procedure_in(member: str, names: Names) -> str:
    """Log lines of a call of a procedure: `/acme.v1.Stock/Reserve`, `"grpc.service": "acme.v1.Stock", "grpc.method": "Reserve"`."""
    services = rf"(?:{re.escape(names.owner)}|{re.escape(names.short)})"
    key = r"(?:grpc|rpc)[._-]?"
    apart = rf"{key}service[\"']?\s?[=:]\s?[\"']?{services}\b.{{1,120}}{key}method[\"']?\s?[=:]\s?[\"']?{member}(?!\w)"
    return rf"/{services}/{member}(?!\w)|{apart}"


def selection_of(member: str, names: Names) -> str:
    """Log lines that list the selected fields: `fields=id,tier`, `"fields": ["Sailing.departsAt"]`, `query { sailing { tier } }`."""
    whole = rf"(?<![\w.])(?:{re.escape(names.owner)}[./])?{member}(?!\w)"
    return rf"(?:fields?|selections?|coordinates?|query)[\"'\\]*\s?[=:]\s?(?:[\[{{(\"'\\][^\]]{{0,2000}}?|[^ ]*?|)?{whole}"


def _parts(route: Route) -> tuple[str, str]:
    if route.path.startswith("grpc:"):
        service, _, method = route.path.removeprefix("grpc:/").rpartition("/")
        return service, method
    if route.path.startswith("graphql:"):
        owner, _, name = route.path.removeprefix("graphql:").partition(".")
        return owner, name
    return "", ""


def _is_member(names: Names, labels: Mapping[str, str], member: str, *, is_sibling: bool = False) -> bool:
    """Whether the labels name this member of the owner, in one value or in two."""
    is_rpc = names.route.path.startswith("grpc:")
    keys, owners = (_PROCEDURE_KEYS, _SERVICE_KEYS) if is_rpc else (_FIELD_KEYS, _OWNER_KEYS)
    said = [v for k, v in labels.items() if owners.fullmatch(k) and not METHODS.count(v.upper())]
    of_owner = any(v in (names.owner, names.short) or v.endswith("." + names.short) for v in said)
    if said and not of_owner and (is_rpc or _looks_like_type(said)):
        return False
    is_root = names.owner in ("Query", "Mutation", "Subscription")
    for value in (v for k, v in labels.items() if keys.fullmatch(k)):
        left, _, right = value.strip("/").replace("/", ".").rpartition(".")
        if right == member and left and (left in (names.owner, names.short) or left.endswith("." + names.short)):
            return True
        if value == member and (of_owner or is_root or is_rpc or names.is_only or is_sibling):
            return of_owner or not said
    return False


def _looks_like_type(values: Sequence[str]) -> bool:
    """`Sailing` is a type of the schema; `query` and `http` are kinds of call."""
    return any(re.fullmatch(r"[A-Z]\w*", v) for v in values)


def _path_in(value: str) -> str:
    """`GET /v1/x`, `https://api.example/v1/x` and `/v1/x` all name a path."""
    verb, _, rest = value.partition(" ")
    return re.sub(r"^https?://[^/]+", "", rest.strip() if verb.upper() in METHODS and rest else value)


def _is_path(value: str, names: Names) -> bool:
    verb, _, rest = value.partition(" ")
    if verb.upper() in METHODS and rest and names.methods and verb.upper() not in names.methods:
        return False
    wanted = normal(names.route.path)
    path = _path_in(value)
    if not names.route.path.startswith("/"):
        return _hostless(normal(path)) == _hostless(wanted)
    is_plain = "{" not in path and ":" not in path
    return path.startswith("/") and (normal(path) == wanted or (is_plain and covers(wanted, normal(path))))


def _hostless(path: str) -> str:
    return path.strip("/").removesuffix("{*}").rstrip("/")
