"""A route, and when one route covers another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from gonogo.pattern import pattern
from gonogo.record import Record

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
VERBS = {verb.lower(): verb for verb in METHODS}
"""Lower case → method."""


class Route(Record):
    """One thing that can be called: a method and a path (`{}` for a parameter, `{*}` for all that follows).

    gRPC methods are `grpc:/pkg.Service/Method`, GraphQL fields `graphql:Query.field`, hosts of Workers
    `host/path`. `method` may be `ANY`. `conditional`: whether it exists depends on a flag or a profile.
    """

    method: str
    path: str
    file: str
    line: int
    conditional: bool = False
    framework: str = ""
    handler: str = ""
    is_redirect: bool = False
    is_mounted: bool = True

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same route on both sides."""
        return self.method, self.path


class Wanted(Record):
    """One thing a route wants or gives: a field of its body, a query parameter, a header, a guard."""

    place: str
    """`body`, `query`, `header`, `path`, `auth` or `response`."""
    name: str
    type: str = ""
    is_required: bool = False
    line: int = 0
    file: str = ""


class LocalRoute(Record):
    """A route as one file declares it, before the prefixes of other files are put before it."""

    router: str
    method: str
    path: str
    line: int
    framework: str
    handler: str = ""
    conditional: bool = False
    is_redirect: bool = False
    wants: tuple[Wanted, ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    """(`body` or `response`, name of the model class)."""
    view: str = ""
    """The class whose methods are the methods of this route, where the file doesn't say them."""


class Mount(Record):
    """A router put below a prefix of another: by local name, or by name in another file."""

    parent: str
    prefix: str
    child: str
    module: str = ""
    """Where the child is defined: a dotted or relative module, empty for this file."""
    conditional: bool = False


class LocalRoutes(Record, frozen=False):
    """All that one file says about routes."""

    routes: list[LocalRoute] = field(default_factory=list[LocalRoute])
    mounts: list[Mount] = field(default_factory=list[Mount])
    routers: dict[str, str] = field(default_factory=dict[str, str])
    """Router → its own prefix; routers that nothing mounts are not served."""
    apps: set[str] = field(default_factory=set[str])
    """Routers that serve by themselves."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Local name → module and name there."""
    classes: dict[str, "ViewClass"] = field(default_factory=dict[str, "ViewClass"])
    models: dict[str, "Model"] = field(default_factory=dict[str, "Model"])
    global_prefix: str = ""
    global_prefix_of: str = ""
    """The framework that the global prefix is for."""
    has_open_mounts: bool = False
    """Some router is mounted in a way that can't be followed."""


class ViewClass(Record):
    """A class that answers requests with its methods."""

    name: str
    line: int
    methods: Mapping[str, int]
    """HTTP method → line."""
    bases: Sequence[str] = ()


class Model(Record):
    """The fields of a request or response body."""

    name: str
    file: str
    line: int
    fields: Mapping[str, Wanted]
    bases: Sequence[str] = ()


_PARAMETER = pattern(
    r"\[\[?\.\.\.\w+\]\]?|\{\*+\w*\}|\{\w+:\.\*\}|\{\w+\.\.\.\}|\{\w+\+\}|<path:\w+>|\{\w+:path\}|(?P<one>\(\?P<\w+>(?:[^()]|\([^()]*\))*\)|\[[\w-]+\]|\{[^{}/]*\}|<[^<>]*>|:\w+(?:\([^()]*\))?)|(?P<rest>\*\w*|:\w+\*)"
)


def normal(path: str, *, keeps_slash: bool = False) -> str:
    """A path in one spelling: one leading slash, `{}` for each parameter, `{*}` for all that follows."""
    text = path[:2_000].strip().removeprefix("^").removesuffix("$").removesuffix("\\Z")
    text = _PARAMETER.sub(lambda m: "{}" if m["one"] else "{*}", text)
    text = re.sub(r"\\([./-])", r"\1", text)
    text = re.sub(r"/{2,}", "/", "/" + text.lstrip("/"))
    if not keeps_slash and len(text) > 1:
        text = text.rstrip("/")
    return text or "/"


def joined(prefix: str, path: str) -> str:
    """Two parts of a path, with exactly one slash between them."""
    if not path:
        return prefix
    if not prefix:
        return path
    return prefix.rstrip("/") + "/" + path.lstrip("/")


def methods_of(method: str) -> tuple[str, ...]:
    """The methods that a route answers: ANY stands for all of them."""
    return METHODS[:5] if method == "ANY" else (method,)


def covers(wide: str, path: str) -> bool:
    """Whether everything that `path` matches is matched by `wide` too."""
    if wide == path:
        return True
    if ":" in wide[:8] or ":" in path[:8]:
        return False
    left, right = wide.strip("/").split("/"), path.strip("/").split("/")
    for place, segment in enumerate(left):
        if segment.endswith("{*}"):
            start = segment.removesuffix("{*}")
            return place <= len(right) and (
                (place == len(right) and not start) or (place < len(right) and right[place].startswith(start))
            )
        if place >= len(right) or (segment != right[place] and segment != "{}"):
            return False
        if segment == "{}" and right[place] == "{*}":
            return False
    return len(left) == len(right) and wide.endswith("/") == path.endswith("/")
