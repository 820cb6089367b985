"""The surface of a repository as JSON and as text."""

import json
from typing import Any

from gonogo.resource import Place
from heuristics.code import Creation, Read, Route
from heuristics.surface.compared import NarrowedRoute, SurfaceChange
from heuristics.surface.listing import Surface

SCHEMA = "gonogo.surface/1"
Seen = tuple[Surface, SurfaceChange | None]
"""The surface, at head for a range, and for a range what differs."""


def surface_json(seen: Seen) -> str:
    """One document."""
    return json.dumps(surface_document(seen), indent=1, ensure_ascii=False) + "\n"


def surface_document(seen: Seen) -> dict[str, Any]:
    """The document as values."""
    surface, change = seen
    document: dict[str, Any] = {"schema": SCHEMA, **_listed(surface)}
    if change is not None:
        document["removed"] = _listed(change.removed)
        document["added"] = _listed(change.added)
        document["narrowed"] = {
            "routes": [_narrowed(n) for n in change.narrowed_routes],
            "reads": [_read(n.read) | {"was": n.was} for n in change.narrowed_reads],
            "creates": [_creation(n.creation) | {"how": n.how} for n in change.narrowed_creates],
        }
    return document


def surface_text(seen: Seen) -> str:
    """A line each, `-` removed, `+` added, `!` narrowed; for a range only what differs."""
    surface, change = seen
    if change is None:
        return "".join(f"{line}\n" for line in _lines(surface)) or "nothing is exposed, read or created\n"
    lines = [f"- {line}" for line in _lines(change.removed)] + [f"+ {line}" for line in _lines(change.added)]
    for narrowed in change.narrowed_routes:
        what = " ".join(part for part in (narrowed.how, narrowed.where, narrowed.name) if part)
        lines.append(f"! {_route_line(narrowed.route, narrowed.place)}  {what}")
    lines += [f"! {_read_line(n.read)} (was {n.was})" for n in change.narrowed_reads]
    lines += [f"! {_creation_line(n.creation)}  {n.how}" for n in change.narrowed_creates]
    return "".join(f"{line}\n" for line in lines) or "nothing is removed, added or narrowed\n"


def _listed(surface: Surface) -> dict[str, Any]:
    return {
        "routes": [_route(r) for r in surface.routes],
        "reads": [_read(r) for r in surface.reads],
        "creates": [_creation(c) for c in surface.creates],
    }


def _route(route: Route) -> dict[str, Any]:
    return {
        "method": route.method,
        "path": route.path,
        "file": route.file,
        "line": route.line,
        "conditional": route.conditional,
        "framework": route.framework,
        "handler": route.handler,
    }


def _narrowed(narrowed: NarrowedRoute) -> dict[str, Any]:
    return _route(narrowed.route) | {
        "file": narrowed.place.file,
        "line": narrowed.place.line,
        "side": narrowed.place.side,
        "how": narrowed.how,
        "where": narrowed.where,
        "name": narrowed.name,
        "old_type": narrowed.old_type,
        "new_type": narrowed.new_type,
    }


def _read(read: Read) -> dict[str, Any]:
    return {
        "kind": read.kind,
        "name": read.name,
        "requirement": read.requirement,
        "phase": read.phase,
        "file": read.file,
        "line": read.line,
        "default": read.default,
        "ambient": read.is_ambient,
    }


def _creation(creation: Creation) -> dict[str, Any]:
    return {
        "kind": creation.kind,
        "name": creation.name,
        "file": creation.file,
        "line": creation.line,
        "by": creation.how,
        "environment": creation.environment,
        "may_be_empty": creation.may_be_empty,
    }


def _lines(surface: Surface) -> list[str]:
    return [
        *(_route_line(r, Place(file=r.file, line=max(r.line, 1))) for r in surface.routes),
        *(_read_line(r) for r in surface.reads),
        *(_creation_line(c) for c in surface.creates),
    ]


def _route_line(route: Route, place: Place) -> str:
    return f"route   {route.method} {route.path}  {place.file}:{place.line}"


def _read_line(read: Read) -> str:
    return f"read    {read.kind} {read.name} {read.requirement} at {read.phase}  {read.file}:{read.line}"


def _creation_line(creation: Creation) -> str:
    return f"creates {creation.kind} {creation.name}  {creation.file}:{creation.line}"
