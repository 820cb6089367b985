"""Health checks that ask another path or port from now on, and what the code answers there."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.access.walls import Wall, wall_before
from heuristics.code import Route, routes
from heuristics.code.endpoints.route import covers, normal
from heuristics.rule import RuleContext
from heuristics.runtime.declared import is_for_production, place_of_change, production_settings
from heuristics.runtime.probes import Probe, probe_of

_ASKED = pattern(r"https?://[^/\s\"']+?(?::(?P<port>\d{2,5}))?(?P<path>/[^\s\"'|;&)]*)")
_KEYS = pattern(r"(liveness|startup|readiness|health_check)_(path|port|command)")


class MovedCheck(Record):
    """One check of one workload, with what it asks before and after."""

    probe: Probe
    declared: Declared
    place: Place
    path: str
    old_path: str
    port: int | None
    """None where it is not said, or by a name that the manifest does not resolve."""
    old_port: int | None
    route: Route | None
    """The code that answers the new path at head."""
    wall: Wall | None
    """What stands before it and asks for credentials."""
    old_route: Route | None


class WalledCheck(Record):
    """A check that stays while its path comes to stand behind middleware that asks for credentials."""

    probe: Probe
    declared: Declared
    place: Place
    """The line of the check."""
    path: str
    wall: Wall


def moved_checks(context: RuleContext) -> tuple[MovedCheck, ...]:
    """Every check of production whose path or port changes, each once."""
    found: dict[tuple[str, str], MovedCheck] = {}
    for change in production_settings(context):
        probe = probe_of(change.key) if _KEYS.fullmatch(change.key) else None
        if probe is None or change.before is None or change.after is None:
            continue
        old, new = asked_of(change.before, probe), asked_of(change.after, probe)
        if old is None or new is None or old == new or (change.declared.address, probe.value) in found:
            continue
        found[change.declared.address, probe.value] = _moved(context, change, probe, old, new)
    return tuple(found.values())


def walled_checks(context: RuleContext) -> tuple[WalledCheck, ...]:
    """Every check whose path meets a wall at head and none at base."""
    changed = {f.head_path for f in context.changes.files if f.head_path and f.hunks}
    if not changed or "head" not in context.declared:
        return ()
    return tuple(_walled(context, changed))


def asked_of(declared: Declared, probe: Probe) -> tuple[str, int | None] | None:
    """Path and port that a check asks, also where a command of it does."""
    path = declared.settings.get(f"{probe.value}_path")
    port = declared.settings.get(f"{probe.value}_port")
    if path is not None and isinstance(path.value, str):
        return path.value.partition("?")[0], _port_of(port.value if port is not None else None)
    command = declared.settings.get(f"{probe.value}_command")
    said = _ASKED.search(str(command.value)) if command is not None else None
    return (said["path"].partition("?")[0], int(said["port"]) if said["port"] else None) if said is not None else None


def route_at(context: RuleContext, side: str, path: str) -> Route | None:
    """The route of one side that answers a path."""
    tree = context.base if side == "base" else context.head
    every = [r for r in routes(tree) if r.method in ("GET", "ANY", "HEAD") and r.path.startswith("/")]
    exact = [r for r in every if normal(r.path) == normal(path)]
    return next(iter(exact or [r for r in every if "{" in r.path and covers(normal(r.path), normal(path))]), None)


def _moved(
    context: RuleContext, change: SettingChange, probe: Probe, old: tuple[str, int | None], new: tuple[str, int | None]
) -> MovedCheck:
    route = route_at(context, "head", new[0])
    wall = wall_before(context.head, route) if route is not None and not _sends_headers(change.after, probe) else None
    declared = change.after if change.after is not None else change.declared
    return MovedCheck(
        probe, declared, _place(context, change, declared, probe), new[0], old[0], new[1], old[1], route, wall,
        route_at(context, "base", old[0]),
    )  # fmt: skip


def _place(context: RuleContext, change: SettingChange, declared: Declared, probe: Probe) -> Place:
    setting = declared.settings.get(f"{probe.value}_path")
    changed = context.changes.file(declared.file)
    if setting is not None and changed is not None and setting.line in changed.added_lines():
        return declared.place(setting)
    return place_of_change(change)


def _walled(context: RuleContext, changed: set[str]) -> Iterator[WalledCheck]:
    bases = {d.address: d for d in context.declared["base"].resources}
    for declared in context.declared["head"].resources:
        before = bases.get(declared.address)
        if before is None or not is_for_production(declared):
            continue
        for probe in Probe:
            asked = asked_of(declared, probe)
            if asked is None or asked_of(before, probe) != asked or _sends_headers(declared, probe):
                continue
            at, was = route_at(context, "head", asked[0]), route_at(context, "base", asked[0])
            if at is None or was is None or at.file not in changed:
                continue
            wall = wall_before(context.head, at)
            if wall is not None and wall_before(context.base, was) is None:
                setting = declared.settings.get(f"{probe.value}_path") or declared.settings.get(f"{probe.value}_command")
                yield WalledCheck(probe, declared, declared.place(setting), asked[0], wall)


def _sends_headers(declared: Declared | None, probe: Probe) -> bool:
    return declared is not None and any(re.match(rf"{probe.value}_(http_)?headers", key) for key in declared.settings)


def _port_of(value: object) -> int | None:
    if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
        return int(value)
    return None
