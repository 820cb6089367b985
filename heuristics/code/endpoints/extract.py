"""The full set of routes of a tree: every file by itself, then the prefixes of the files that mount them."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import PurePosixPath

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code.endpoints.contracts import routes_of_contract
from heuristics.code.endpoints.go import routes_go
from heuristics.code.endpoints.jvm import routes_jvm
from heuristics.code.endpoints.others import routes_csharp, routes_elixir, routes_php, routes_rust
from heuristics.code.endpoints.prefilter import may_route
from heuristics.code.endpoints.python import routes_python
from heuristics.code.endpoints.route import LocalRoute, LocalRoutes, Model, Mount, Route, ViewClass, Wanted, joined, normal
from heuristics.code.endpoints.ruby import routes_ruby
from heuristics.code.endpoints.script import routes_script
from heuristics.code.paths import is_docs_path, is_example_path, is_generated_path, is_test_path, language_of
from heuristics.code.syntax import parse
from heuristics.code.word_sets import words


class RouteSet(Record, frozen=False):
    """Every route of one side, and what each wants of its callers and gives back."""

    routes: tuple[Route, ...]
    wants: dict[tuple[str, str], tuple[Wanted, ...]] = field(default_factory=dict[tuple[str, str], tuple[Wanted, ...]])
    models: dict[str, Model] = field(default_factory=dict[str, Model])


def routes(tree: SourceTree) -> tuple[Route, ...]:
    """Every route of production code in a tree, prefixes joined, parameters as `{}`."""
    return route_set(tree).routes


def route_set(tree: SourceTree) -> RouteSet:
    """The routes of a tree with what they want; a file is read once however often it is asked for."""
    files = _files(tree)
    whole = _Whole(files)
    found: dict[tuple[str, str, str, int], Route] = {}
    wants: dict[tuple[str, str], tuple[Wanted, ...]] = {}
    for path, local in files.items():
        for route in local.routes:
            for made in whole.routes_of(path, route):
                found.setdefault((made.method, made.path, made.file, made.line), made)
                wants[made.key] = (*wants.get(made.key, ()), *whole.wants_of(path, route))
    for view in whole.unbound_views():
        found.setdefault((view.method, view.path, view.file, view.line), view)
    ordered = sorted(found.values(), key=lambda r: (r.path, r.method, r.file, r.line))
    return RouteSet(tuple(ordered), wants, whole.models)


_LANGUAGES = words("python typescript tsx javascript go java kotlin ruby php csharp rust elixir yaml json toml hcl proto graphql")


def _files(tree: SourceTree) -> dict[str, LocalRoutes]:
    """The files that say something about routes; then those that define a model or view that the first ones name."""
    found: dict[str, LocalRoutes] = {}
    rest: list[str] = []
    for path in tree.paths():
        language = language_of(path)
        if (
            language not in _LANGUAGES
            or is_test_path(path)
            or is_example_path(path)
            or is_docs_path(path)
            or is_generated_path(path)
        ):
            continue
        text = tree.text(path)
        if text and may_route(path, language, text):
            found[path] = local_routes(path, text)
        elif text and language in _MODEL_LANGUAGES:
            rest.append(path)
    known: set[str] = set()
    for _ in range(_MODEL_ROUNDS):
        wanted = (
            {name for local in found.values() for name in _named(local)}
            - known
            - {n for local in found.values() for n in (*local.models, *local.classes)}
        )
        known |= wanted
        if not wanted:
            break
        pattern = re.compile(rf"\b(?:class|const|record|interface|type)\s+(?:{'|'.join(sorted(map(re.escape, wanted)))})\b")
        for path in rest:
            if path not in found and pattern.search(tree.text(path) or ""):
                found[path] = local_routes(path, tree.text(path) or "")
    return found


_MODEL_LANGUAGES = words("python typescript tsx javascript java kotlin")
_MODEL_ROUNDS = 3


def _named(local: LocalRoutes) -> Iterator[str]:
    for route in local.routes:
        yield from (name for _, name in route.models)
        if route.view:
            yield route.view.split("#")[0]
    for shape in (*local.models.values(), *local.classes.values()):
        yield from shape.bases


@lru_cache(maxsize=16_384)
def local_routes(path: str, text: str) -> LocalRoutes:
    """What one file says about routes."""
    language = language_of(path) or ""
    if language in ("yaml", "json", "toml", "hcl", "proto", "graphql"):
        return routes_of_contract(path, text)
    root = parse(text, language)
    if root is None:
        return LocalRoutes()
    match language:
        case "python":
            return routes_python(root)
        case "typescript" | "tsx" | "javascript":
            return routes_script(root, path)
        case "go":
            return routes_go(root)
        case "java" | "kotlin":
            return routes_jvm(root)
        case "ruby":
            return routes_ruby(root, path)
        case "php":
            return routes_php(root, path)
        case "csharp":
            return routes_csharp(root)
        case "rust":
            return routes_rust(root)
        case _:
            return routes_elixir(root)


_Key = tuple[str, str]
"""File and router."""
_DEPTH = 8


class _Whole:
    """All files together: who mounts whom, which class has which methods, which model which fields."""

    def __init__(self, files: Mapping[str, LocalRoutes]) -> None:
        self._files = files
        self._by_stem = _stems(files)
        self.models = {name: replace(model, file=path) for path, local in files.items() for name, model in local.models.items()}
        self._views: dict[str, tuple[str, ViewClass]] = {
            name: (path, view) for path, local in files.items() for name, view in local.classes.items()
        }
        self._bound = {route.view.split("#")[0] for local in files.values() for route in local.routes if route.view}
        self._prefix_of = next(
            ((local.global_prefix, local.global_prefix_of) for local in files.values() if local.global_prefix), ("", "")
        )
        self._mounted: dict[_Key, list[tuple[_Key, Mount]]] = {}
        self._has_open_mounts = any(local.has_open_mounts for local in files.values())
        self._has_apps = any(local.apps for local in files.values())
        for path, local in files.items():
            for mount in local.mounts:
                for child in self._children(path, mount):
                    self._mounted.setdefault(child, []).append(((path, mount.parent), mount))

    def routes_of(self, path: str, route: LocalRoute) -> Iterator[Route]:
        """A route as callers see it, once for each place where its router is mounted."""
        keeps_slash = route.framework in ("django", "flask")
        for prefix, conditional in self._prefixes((path, route.router), 0, frozenset()):
            text = (
                route.path
                if ":/" in route.path[:8] or route.path.startswith("graphql:") or route.framework == "worker-route"
                else joined(prefix, route.path)
            )
            whole = text if route.framework in ("grpc", "graphql", "worker-route") else normal(text, keeps_slash=keeps_slash)
            if route.framework == "worker-route":
                whole = re.sub(r"\*$", "{*}", text)
            for method, line, file in self._methods(path, route):
                yield Route(
                    method, whole, file, line, route.conditional or conditional, route.framework, route.handler, route.is_redirect
                )

    def wants_of(self, path: str, route: LocalRoute) -> Iterator[Wanted]:
        """What the route wants and gives, the fields of its models included."""
        for wanted in route.wants:
            yield replace(wanted, file=path)
        for place, name in route.models:
            yield from self._fields(name, place, 0)

    def _fields(self, name: str, place: str, depth: int) -> Iterator[Wanted]:
        model = self.models.get(name)
        if model is None or depth > _DEPTH:
            return
        for wanted in model.fields.values():
            yield replace(wanted, place=place, file=model.file, is_required=wanted.is_required and place == "body")
        for base in model.bases:
            yield from self._fields(base, place, depth + 1)

    def unbound_views(self) -> Iterator[Route]:
        """View classes that no URL of the tree names: their methods still answer somewhere."""
        for name, (path, view) in sorted(self._views.items()):
            if (
                name in self._bound
                or not view.methods
                or not any(base.endswith(("View", "ViewSet", "Resource", "Endpoint")) for base in view.bases)
            ):
                continue
            for method, line in view.methods.items():
                yield Route(_DRF.get(method, method), f"view:{name}", path, line, framework="django", handler=f"{name}.{method}")

    def _methods(self, path: str, route: LocalRoute) -> Iterator[tuple[str, int, str]]:
        """The methods of a route; those of a view class are the functions that it has."""
        name, _, action = route.view.partition("#")
        if name not in self._views:
            yield route.method, route.line, path
            return
        methods = self._methods_of_class(name, 0)
        if action:
            if not methods or action in methods:
                yield route.method, route.line, path
            return
        known = {method: at for method, at in methods.items() if method.isupper()}
        if not known:
            yield route.method, route.line, path
        for method, (line, file) in known.items():
            yield method, line, file

    def _methods_of_class(self, name: str, depth: int) -> dict[str, tuple[int, str]]:
        if name not in self._views or depth > _DEPTH:
            return {}
        path, view = self._views[name]
        found: dict[str, tuple[int, str]] = {}
        for base in view.bases:
            found.update(self._methods_of_class(base, depth + 1))
        found.update({method: (line, path) for method, line in view.methods.items()})
        return found

    def _prefixes(self, key: _Key, depth: int, seen: frozenset[_Key]) -> Iterator[tuple[str, bool]]:
        path, router = key
        local = self._files[path]
        if router == "nest:":
            yield (self._prefix_of[0] if self._prefix_of[1] == "nestjs" else ""), False
            return
        own = local.routers.get(router, "")
        mounts = self._mounted.get(key, [])
        if not mounts or depth > _DEPTH or key in seen:
            is_dropped = (
                router in local.routers
                and router not in local.apps
                and self._is_closed(path)
                and not _serves_itself(local, router)
            )
            if not is_dropped or depth:
                yield own, False
            return
        for parent, mount in mounts:
            for prefix, conditional in self._prefixes(parent, depth + 1, seen | {key}):
                yield (
                    joined(joined(prefix, mount.prefix), own) if own else joined(prefix, mount.prefix),
                    conditional or mount.conditional,
                )

    def _is_closed(self, path: str) -> bool:
        """Whether every mount of the tree could be followed, so that a router nobody mounts is not served."""
        return self._has_apps and not self._has_open_mounts and language_of(path) == "python"

    def _children(self, path: str, mount: Mount) -> Iterator[_Key]:
        if not mount.module:
            yield path, mount.child
            return
        if mount.module == "*" and mount.child.startswith("ret:"):
            made = mount.child.removeprefix("ret:") + "."
            yield from sorted(
                {(other, r.router) for other in self._near(path) for r in self._files[other].routes if r.router.startswith(made)}
            )
            return
        if mount.module == "*":
            yield from (
                (other, mount.child)
                for other in self._near(path)
                if any(r.router == mount.child for r in self._files[other].routes)
                or any(m.parent == mount.child for m in self._files[other].mounts)
            )
            return
        for other in self._resolved(path, mount.module):
            local = self._files[other]
            if mount.child in local.routers or mount.child in local.apps or mount.child == "":
                yield other, mount.child
            elif mount.child in local.imports and (again := local.imports[mount.child]):
                yield from ((deeper, again[1]) for deeper in self._resolved(other, again[0]))
            else:
                named = {route.router for route in local.routes} | {m.parent for m in local.mounts} | set(local.routers)
                yield from (
                    (other, router)
                    for router in sorted(named)
                    if router in (f"fn:{mount.child}", "fn:default", mount.child) or mount.child in ("default", "*")
                )

    def _near(self, path: str) -> Iterator[str]:
        language = language_of(path)
        return (other for other in self._files if language_of(other) == language)

    def _resolved(self, path: str, module: str) -> Iterator[str]:
        """The files that an import may mean."""
        if module.startswith(("./", "../", "@/", "~/")):
            folder = PurePosixPath(path).parent
            parts = list(folder.parts) if module.startswith(".") else []
            for part in module.split("/"):
                if part == "..":
                    parts = parts[:-1]
                elif part not in (".", "@", "~"):
                    parts.append(part)
            stem = re.sub(r"\.[cm]?[jt]sx?$", "", "/".join(parts))
        else:
            level = len(module) - len(module.lstrip("."))
            parts = list(PurePosixPath(path).parent.parts) if level else []
            parts = parts[: len(parts) - level + 1] if level > 1 else parts
            stem = "/".join([*parts, *[part for part in module.lstrip(".").split(".") if part]])
        exact = [other for other in self._by_stem.get(stem.rsplit("/", 1)[-1], ()) if _stem(other) == stem]
        yield from exact or [
            other for other in self._by_stem.get(stem.rsplit("/", 1)[-1], ()) if ("/" + _stem(other)).endswith("/" + stem)
        ]


def _serves_itself(local: LocalRoutes, router: str) -> bool:
    return any(mount.parent == router for mount in local.mounts) and not local.apps


def _stem(path: str) -> str:
    return re.sub(r"(/(__init__|index))?\.\w+$", "", path)


def _stems(files: Collection[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in files:
        found.setdefault(_stem(path).rsplit("/", 1)[-1], []).append(path)
    return found


_DRF = {"list": "GET", "create": "POST", "retrieve": "GET", "update": "PUT", "partial_update": "PATCH", "destroy": "DELETE"}
