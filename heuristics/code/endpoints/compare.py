"""What a change does to the routes: removed, narrowed, and answered by something else."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.endpoints.extract import RouteSet, route_set
from heuristics.code.endpoints.route import Route, Wanted, covers, methods_of


class Narrowed(Record):
    """A route that asks more of its callers, or gives them less, than before.

    `how`: `new required`, `now required`, `stricter type`, `auth added`, `removed from response`. A side that has
    nothing to show has no place.
    """

    route: Route
    how: str
    place: str
    name: str
    base: Place | None
    head: Place | None
    old_type: str = ""
    new_type: str = ""


class Rerouted(Record):
    """A request that another handler answers at head, because of the order or the width of the patterns."""

    base: Route
    head: Route


def removed_routes(
    base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None
) -> tuple[Route, ...]:
    """The routes of base that nothing at head answers, one method each; places are on the base side.

    A renamed parameter, a moved file, a redirect and a wider pattern remove nothing; a route behind a flag is
    `conditional_routes`' business. With no changed path that could matter the answer is empty and costs nothing.
    """
    base, head = _both(base_tree, head_tree, changed_paths)
    gone: list[Route] = []
    for route in base.routes:
        gone += [
            replace(route, method=method) for method in methods_of(route.method) if not _is_answered(method, route.path, head)
        ]
    return tuple(dict.fromkeys(gone))


def added_routes(base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None) -> tuple[Route, ...]:
    """The routes of head that nothing at base answers; places are on the head side."""
    return removed_routes(head_tree, base_tree, changed_paths)


def conditional_routes(
    base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None
) -> tuple[Route, ...]:
    """The routes of head that now depend on a flag, a profile or a condition."""
    base, head = _both(base_tree, head_tree, changed_paths)
    always = {route.key for route in base.routes if not route.conditional}
    still = {route.key for route in head.routes if not route.conditional}
    return tuple(route for route in head.routes if route.conditional and route.key in always and route.key not in still)


def redirected_routes(
    base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None
) -> tuple[Route, ...]:
    """The routes of head that now only point elsewhere (a redirect, or 410)."""
    base, head = _both(base_tree, head_tree, changed_paths)
    direct = {route.key for route in base.routes if not route.is_redirect}
    return tuple(route for route in head.routes if route.is_redirect and route.key in direct)


def narrowed_routes(
    base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None
) -> tuple[Narrowed, ...]:
    """What the routes that stay ask more, or give less."""
    base, head = _both(base_tree, head_tree, changed_paths)
    by_key = {route.key: route for route in base.routes}
    found: list[Narrowed] = []
    for route in head.routes:
        before = by_key.get(route.key)
        if before is not None and base.wants.get(route.key, ()) != head.wants.get(route.key, ()):
            found += _narrowed(before, route, base.wants.get(route.key, ()), head.wants.get(route.key, ()))
    return tuple(dict.fromkeys(found))


def rerouted_routes(
    base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None = None
) -> tuple[Rerouted, ...]:
    """Requests that another named handler answers at head."""
    base, head = _both(base_tree, head_tree, changed_paths)
    found: list[Rerouted] = []
    for route in base.routes:
        for method in methods_of(route.method):
            old, new = _first_match(method, route.path, base), _first_match(method, route.path, head)
            if old is not None and new is not None and old.handler and new.handler and old.handler != new.handler:
                found.append(Rerouted(replace(old, method=method, path=route.path), new))
    return tuple(dict.fromkeys(found))


_MATTERS = pattern(r"\.(py|[cm]?[jt]sx?|go|java|kt|rb|php|cs|rs|exs?|ya?ml|jsonc?|toml|tf|proto|graphqls?|gql)$")


def _both(base_tree: SourceTree, head_tree: SourceTree, changed_paths: Collection[str] | None) -> tuple[RouteSet, RouteSet]:
    if changed_paths is not None and not any(_MATTERS.search(path) for path in changed_paths):
        return RouteSet(()), RouteSet(())
    return route_set(base_tree), route_set(head_tree)


def _is_answered(method: str, path: str, head: RouteSet) -> bool:
    return any(
        (other.method in (method, "ANY") or (method == "HEAD" and other.method == "GET")) and covers(other.path, path)
        for other in head.routes
    )


_IN_ORDER = frozenset(("express", "django", "rails", "sinatra", "laravel", "worker"))


def _first_match(method: str, path: str, side: RouteSet) -> Route | None:
    matching = [route for route in side.routes if route.method in (method, "ANY") and covers(route.path, path)]
    if not matching:
        return None
    if all(route.framework in _IN_ORDER for route in matching) and len({route.file for route in matching}) == 1:
        return min(matching, key=lambda route: route.line)
    return min(matching, key=lambda route: (route.path.count("{"), route.method == "ANY", route.line))


def _narrowed(before: Route, after: Route, base: tuple[Wanted, ...], head: tuple[Wanted, ...]) -> Iterator[Narrowed]:
    old = {(wanted.place, wanted.name): wanted for wanted in base}
    new = {(wanted.place, wanted.name): wanted for wanted in head}
    had_guard = any(place == "auth" for place, _ in old)
    for (place, name), wanted in new.items():
        earlier = old.get((place, name))
        here = Place(file=wanted.file or after.file, line=wanted.line or after.line, side="head")
        there = (
            Place(file=earlier.file or before.file, line=earlier.line or before.line, side="base")
            if earlier is not None
            else None
        )
        if place == "auth":
            if earlier is None and not had_guard:
                yield Narrowed(after, "auth added", place, name, Place(file=before.file, line=before.line, side="base"), here)
        elif place in ("body", "query", "header", "path"):
            if wanted.is_required and earlier is None and place != "path":
                yield Narrowed(
                    after,
                    "new required",
                    place,
                    name,
                    Place(file=before.file, line=before.line, side="base"),
                    here,
                    "",
                    wanted.type,
                )
            elif earlier is not None and wanted.is_required and not earlier.is_required and place != "path":
                yield Narrowed(after, "now required", place, name, there, here, earlier.type, wanted.type)
            elif earlier is not None and is_stricter(earlier.type, wanted.type):
                yield Narrowed(after, "stricter type", place, name, there, here, earlier.type, wanted.type)
    for (place, name), earlier in old.items():
        if place == "response" and (place, name) not in new:
            there = Place(file=earlier.file or before.file, line=earlier.line or before.line, side="base")
            yield Narrowed(
                after,
                "removed from response",
                place,
                name,
                there,
                Place(file=after.file, line=after.line, side="head"),
                earlier.type,
            )


_WIDE = frozenset(["any", "object", "unknown", "str", "string", "json", "dict", "jsonnode"])


def is_stricter(old: str, new: str) -> bool:
    """Whether a type accepts less than it did: text to number, a union without one of its members, a tighter schema."""
    before, after = (re.sub(r"\s+|^:", "", text) for text in (old, new))
    if not before or not after or before == after:
        return False
    left, right = (
        set(re.split(r"[|,\[\]()]+", re.sub(r"Optional|Union|Annotated", "", text))) - {""} for text in (before, after)
    )
    if left > right:
        return True
    was_optional, is_optional = (bool(re.search(r"Optional|None|null|\?|undefined|nullable", text)) for text in (before, after))
    if was_optional and not is_optional:
        return True
    if before.lower() in _WIDE and after.lower() not in _WIDE:
        return True
    limits = re.compile(
        r"\.(min|max|length|regex|email|uuid|url|int|positive|enum|strict|nonempty)\(|(max|min)_length=|[gl][te]=|pattern="
    )
    return len(limits.findall(after)) > len(limits.findall(before)) or ("int" in after.lower() and "float" in before.lower())
