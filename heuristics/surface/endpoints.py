"""Endpoints that a change removes, each once however many methods it has, and endpoints that only move."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.code import Route, is_production_code, redirected_routes, removed_routes, route_callers, routes
from heuristics.code.endpoints.route import METHODS, normal
from heuristics.rule import RuleContext
from heuristics.stages import production_settings

_MOUNTS = pattern(
    r"include_router|register_blueprint|\.use\(|include\(|mount|\.nest\(|\.Route\(|\.Mount\(|Group\(|resources?\b|scope\b|namespace\b|path\(|routes?\b|Mapping\(|@Controller|@Path\(|import|require"
)


class RemovedEndpoint(Record):
    """One endpoint that nothing at head answers. `methods` is empty when every method of it goes."""

    route: Route
    methods: tuple[str, ...]
    place: Place
    """The removed line: the declaration of the route, else what mounted it."""
    callers: tuple[Place, ...]
    """Code of the same repository that calls it at head."""
    stays: tuple[str, ...] = ()
    """Methods of the same path that head still answers."""

    @property
    def label(self) -> str:
        """`GET /v1/quotes/{}`, `Inventory/Reserve`, `Query.search`."""
        path = self.route.path.removeprefix("grpc:/").removeprefix("graphql:")
        methods = "/".join(self.methods)
        return f"{methods} {path}" if methods and not self.route.path.startswith(("grpc:", "graphql:")) else path


class MovedEndpoints(Record):
    """Routes whose declaration goes at one place and comes back at another with the same path."""

    before: tuple[Route, ...]
    after: tuple[Route, ...]
    is_redirect: bool = False


def changed_paths(context: RuleContext) -> tuple[str, ...]:
    """Paths of production code and contracts that differ."""
    paths = [p for f in context.changes.files if f.hunks for p in (f.base_path, f.head_path) if p]
    return tuple(p for p in dict.fromkeys(paths) if is_production_code(p))


def removed_endpoints(context: RuleContext) -> tuple[RemovedEndpoint, ...]:
    """Every endpoint that goes with this change."""
    paths = changed_paths(context)
    if not paths:
        return ()
    gone = [*removed_routes(context.base, context.head, paths), *_of_manifests(context)]
    if not gone:
        return ()
    at_head = routes(context.head)
    grouped: dict[tuple[str, str, int], list[Route]] = {}
    seen: set[tuple[str, str]] = set()
    for route in gone:
        if (route.method, _bare(route.path)) not in seen:
            seen.add((route.method, _bare(route.path)))
            grouped.setdefault((route.path, route.file, route.line), []).append(route)
    found: list[RemovedEndpoint] = []
    for (path, _, _), own in grouped.items():
        methods = tuple(r.method for r in own if r.method != "ANY")
        stays = tuple(sorted({r.method for r in at_head if _bare(r.path) == _bare(path)}))
        callers = route_callers(context.head, own[0]) if len(found) < 50 else ()
        found.append(
            RemovedEndpoint(own[0], () if len(methods) >= len(METHODS[:5]) else methods, _place(context, own[0]), callers, stays)
        )
    return tuple(found)


def moved_endpoints(context: RuleContext) -> tuple[MovedEndpoints, ...]:
    """Declarations that go from one place and stand at another, and routes that became redirects."""
    paths = changed_paths(context)
    removed = {(f.base_path, line) for f in context.changes.files if f.base_path for line in f.removed_lines()}
    if not removed or not paths:
        return ()
    redirects = redirected_routes(context.base, context.head, paths)
    before = [r for r in routes(context.base) if (r.file, r.line) in removed]
    if not before:
        return ()
    after = {r.key: r for r in routes(context.head)}
    pairs = [(r, after[r.key]) for r in before if r.key in after and after[r.key].file != r.file and not after[r.key].is_redirect]
    found: list[MovedEndpoints] = []
    if pairs:
        found.append(MovedEndpoints(tuple(b for b, _ in pairs), tuple(a for _, a in pairs)))
    turned = [(r, a) for a in redirects for r in before if r.key == a.key]
    if turned:
        found.append(MovedEndpoints(tuple(b for b, _ in turned), tuple(a for _, a in turned), is_redirect=True))
    return tuple(found)


def _bare(path: str) -> str:
    return path if path.startswith(("grpc:", "graphql:")) else path.strip("/")


def _place(context: RuleContext, route: Route) -> Place:
    """The route's own line when it goes, else the removed line that mounted it."""
    own = context.changes.file(route.file)
    if own is not None and (own.head_path is None or route.line in own.removed_lines()):
        return Place(file=route.file, line=route.line, side="base")
    stem = re.split(r"[./]", route.file)[-2] if "." in route.file else route.file
    scored = [(_blame(file, text, route, stem), file, line) for file, line, text in _removed(context.changes.files)]
    best = max(scored, key=lambda s: s[0], default=(0, "", 0))
    return Place(file=best[1], line=best[2], side="base") if best[0] > 0 else Place(file=route.file, line=route.line, side="base")


def _blame(file: str, text: str, route: Route, stem: str) -> int:
    """How likely a removed line took the route away: it holds a part of its path, or mounts the file that declares it."""
    literals = [part.strip("/") for part in re.findall(r"""["'`](/?[\w{}<>:.*-][\w/{}<>:.*-]*)["'`]""", text)]
    has_path = any(part and f"/{part}/" in f"{route.path}/".replace("//", "/") for part in literals)
    is_mount = _MOUNTS.search(text) is not None
    names_file = re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", text) is not None
    return (
        (4 if has_path else 0)
        + (2 if is_mount and names_file else 1 if is_mount else 0)
        + (1 if file == route.file and has_path else 0)
    )


def _removed(files: Sequence[ChangedFile]) -> Iterator[tuple[str, int, str]]:
    for file in files:
        if file.base_path and is_production_code(file.base_path):
            for line, text in file.removed_lines().items():
                yield file.base_path, line, text[:1_000]


# -- what only manifests say ----------------------------------------------------------------------------


def _of_manifests(context: RuleContext) -> Iterator[Route]:
    """Hosts and paths of ingresses, rules of load balancers, routes of API gateways."""
    for change in production_settings(context):
        before = change.before
        if before is None:
            continue
        if change.key == "routes" and before.kind != "cloudflare.worker":
            yield from _of_list(change, before)
        elif change.key == "" and change.after is None:
            if before.kind == "kubernetes.ingress" or before.kind.endswith(".httproute"):
                yield from _of_list(change, before)
            elif before.kind in (
                "aws.apigateway.route",
                "aws.elb.listener_rule",
                "cloudflare.workers_route",
                "cloudflare.worker.route",
            ):
                yield from _of_rule(before)


def _of_list(change: SettingChange, before: Declared) -> Iterator[Route]:
    old = before.settings.get("routes")
    new = change.after.settings.get("routes") if change.after is not None else None
    left = set(_words(new.value if new is not None else None))
    for written in _words(old.value if old is not None else None):
        if written not in left and not any(_wider(other, written) for other in left):
            at = before.place(old, "base")
            yield Route("ANY", written, at.file, at.line, framework=before.kind)


def _wider(other: str, written: str) -> bool:
    host, _, path = other.partition("/")
    old_host, _, old_path = written.partition("/")
    return host in (old_host, "*") and old_path.startswith(path.removesuffix("*").rstrip("/"))


def _of_rule(before: Declared) -> Iterator[Route]:
    key = before.settings.get("route_key")
    if key is not None and isinstance(key.value, str):
        method, _, path = key.value.partition(" ")
        if path:
            yield Route(method, normal(path), before.file, key.line, framework="apigateway")
        return
    verb, path_setting = before.settings.get("method"), before.settings.get("path") or before.settings.get("pattern")
    if path_setting is not None and isinstance(path_setting.value, str):
        method = str(verb.value).upper() if verb is not None and isinstance(verb.value, str) else "ANY"
        path = path_setting.value if "." in path_setting.value.partition("/")[0] else normal(path_setting.value)
        yield Route("ANY" if method in ("*", "ANY") else method, path, before.file, path_setting.line, framework=before.kind)
        return
    for name, setting in before.settings.items():
        if "path_pattern" in name and setting.value:
            for one in _words(setting.value):
                yield replace(Route("ANY", normal(one.replace("*", "{*}")), before.file, setting.line), framework=before.kind)


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list | tuple) else []
