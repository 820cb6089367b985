"""Switches that a change turns on or off: defaults in code, values in configuration and in the environment of a manifest."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.code import ValueChange, is_ci_path, is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.word_sets import words
from heuristics.hot.spots import functions_of
from heuristics.limits.changed import words_of
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere, is_for_production


class Turned(Record):
    """One switch. `names` are what code calls it, `variables` what the environment may call it."""

    name: str
    names: tuple[str, ...]
    variables: tuple[str, ...]
    is_on: bool
    place: Place
    base_line: int | None
    is_default: bool
    declared: Declared | None = None
    owner: str = ""
    """The file that defines the names, empty when it is configuration."""


_TRUE, _FALSE = words("true on yes 1 enabled"), words("false off no 0 disabled")
_FLAGGY = words(
    "flag flags feature features ff enable enabled toggle toggles experiment experiments rollout beta canary use switch killswitch disable disabled"
)
_HOLDERS = words("flag flags feature features toggle toggles experiment experiments")
_READERS = pattern(
    r"(?i)(?:flag|feature|toggle|experiment|getenv|get_?env|environ|env|bool|variation|is_?enabled|value|fetch|config|setting|default)\w*(?:\.\w+)?$"
)
_SERVICES = pattern(r"(?i)(?:variation|is_?(?:feature_?)?enabled|boolean_?(?:value|details)|feature_?enabled|treatment)\w*$")
"""Calls of flag services: the last argument is what they give when they don't know better."""
_OTHER_BUSINESS = words(
    "log logging debug verbose cache caching ssl tls cors probe readiness liveness encrypted encryption backup versioning protection deletion autoscaling metrics tracing telemetry autocommit echo lazy daemon"
)


def turned(context: RuleContext) -> tuple[Turned, ...]:
    """Every switch of production that turns, once."""
    found: dict[tuple[str, int], Turned] = {}
    for one in (*_of_settings(context), *_of_values(context), *_of_lines(context)):
        found.setdefault((one.place.file, one.place.line), one)
    return tuple(found.values())


def as_switch(value: object) -> bool | None:
    """A value that means on or off."""
    text = str(value).strip().strip("\"'").lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _of_settings(context: RuleContext) -> Iterator[Turned]:
    for change in context.settings:
        prefix, _, name = change.key.partition(".")
        if prefix not in ("environment", "data") or not _turns(change) or change.new is None or change.old is None:
            continue
        if set(words_of(name)) & _OTHER_BUSINESS or not is_for_production(context, change.declared):
            continue
        new = as_switch(change.new.value)
        file = str(getattr(change.new, "file", None) or change.declared.file)
        place = Place(file=file, line=max(1, change.new.line), side="head")
        names, owner = _names_of_variable(context, name)
        yield Turned(
            name, names, (name,), bool(new), place, change.old.line, is_default=False, declared=change.declared, owner=owner
        )


def _turns(change: SettingChange) -> bool:
    sides = [as_switch(s.value) if s is not None and s.value is not None else None for s in (change.old, change.new)]
    return None not in sides and sides[0] != sides[1]


def _names_of_variable(context: RuleContext, variable: str) -> tuple[tuple[str, ...], str]:
    """What the code calls the value of an environment variable, and the file that reads it."""
    for place in context.head.search({variable}).get(variable, ()):
        if language_of(place.file) in CODE_LANGUAGES and is_production_code(place.file):
            return _named(context, place.file, place.line, variable), place.file
    return (variable,), ""


def _of_values(context: RuleContext) -> Iterator[Turned]:
    for value in context.values:
        if not is_production_code(value.file) or is_ci_path(value.file) or is_elsewhere(value.file, value.path.partition(".")[0]):
            continue
        sides = _sides(value)
        if sides is None or value.head_line is None:
            continue
        variable, new = sides
        is_code = language_of(value.file) in CODE_LANGUAGES
        own = _of_parent(value)
        name = variable or own
        if not name or set(words_of(f"{value.path} {name}")) & _OTHER_BUSINESS or not _is_flag(value, variable, is_code=is_code):
            continue
        names = _named(context, value.file, value.head_line, name) if is_code else (own,)
        spelled = re.sub(r"[^A-Z0-9]+", "_", value.path.upper()).strip("_")
        variables = tuple(dict.fromkeys(v for v in (variable, name if name.isupper() else "", "" if is_code else spelled) if v))
        place = Place(file=value.file, line=value.head_line, side="head")
        if value.call and _SERVICES.search(value.call):
            name = _flag_asked(context, place) or name
        yield Turned(name, names, variables, new, place, value.base_line, is_default=True, owner=value.file if is_code else "")


_STATES = words("default defaultvalue default_value enabled value on state initial active status fallback offvariation")


def _of_parent(value: ValueChange) -> str:
    """`instant_refunds` of `instant_refunds: {default: true}`: the key above, where the value's own name only says that it is a state."""
    parts = [p for p in re.split(r"[.\[\]]+", value.path) if p and not p.isdigit()]
    if value.name.lower() not in _STATES or len(parts) < 2 or parts[-1] != value.name:
        return value.name
    above = parts[-2]
    return value.name if set(words_of(above)) <= _HOLDERS or above.lower() in _STATES else above


def _sides(value: ValueChange) -> tuple[str, bool] | None:
    """The variable that the value is a default of, when the text says so, and the new state."""
    spelled = [re.fullmatch(r"\$\{([\w.\-]+):-?([^}]*)\}", str(side)) for side in (value.old, value.new)]
    if spelled[0] is not None and spelled[1] is not None and spelled[0][1] == spelled[1][1]:
        old, new = as_switch(spelled[0][2]), as_switch(spelled[1][2])
        return (spelled[1][1], new) if old is not None and new is not None and old != new else None
    old, new = (as_switch(side) if isinstance(side, bool | str) else None for side in (value.old, value.new))
    if old is None or new is None or old == new:
        return None
    name = value.name if value.call and re.fullmatch(r"[A-Z][A-Z0-9_]{2,}", value.name) else ""
    return name, new


def _is_flag(value: ValueChange, variable: str, *, is_code: bool) -> bool:
    if variable and (not value.call or _READERS.search(value.call) or "." in variable):
        return True
    if not is_code:
        return bool(
            set(words_of(value.path.rpartition(".")[0])) & _HOLDERS
            or set(words_of(value.name)) & {"feature", "flag", "toggle", "experiment"}
        ) or bool(re.search(r"(?i)(flags?|features?|toggles?|experiments?)[\w-]*\.\w+$", value.file))
    if value.call and _SERVICES.search(value.call):
        return True
    if value.call and not _READERS.search(value.call):
        return False
    mine = set(words_of(value.name)) | set(words_of(value.path))
    in_flags = re.search(r"(?i)(flags?|features?|toggles?|experiments?)[\w-]*\.\w+$", value.file) is not None
    return bool(mine & (_FLAGGY - {"use"})) or words_of(value.name)[:1] == ("use",) or in_flags


def _flag_asked(context: RuleContext, place: Place) -> str:
    """`reco` in `client.variation("reco", user, false)`."""
    lines = (context.head.text(place.file) or "").split("\n")[max(0, place.line - 3) : place.line]
    found = re.findall(r"\(\s*[\"']([\w.:/-]{1,80})[\"']", "\n".join(lines)[-1000:])
    return found[-1] if found else ""


_ENV = (
    r"(?:process\.env\.|process\.env\[[\"']|env\.|[gG]etenv\(\s*[\"']|environ(?:\.get\(|\[)\s*[\"']|ENV\[[\"']|ENV\.fetch\([\"'])"
)
_TEST = pattern(rf"{_ENV}(?P<name>[A-Z][A-Z0-9_]+)[^=!]{{0,20}}(?P<op>===?|!==?)\s*[\"'](?P<value>\w+)[\"']")


def _of_lines(context: RuleContext) -> Iterator[Turned]:
    """`X === "true"` that becomes `X !== "false"`: the state without the variable turns."""
    for file in context.changes.files:
        path = file.head_path
        if (
            file.is_binary
            or not path
            or language_of(path) not in CODE_LANGUAGES
            or not is_production_code(path)
            or is_elsewhere(path)
        ):
            continue
        for hunk in file.hunks:
            before = {m["name"]: m for text in hunk.removed[:200] if (m := _TEST.search(text[:1000]))}
            for i, text in enumerate(hunk.added[:200]):
                found = _TEST.search(text[:1000])
                old = before.get(found["name"]) if found else None
                if found is None or old is None or _unset(old) == _unset(found) or set(words_of(found["name"])) & _OTHER_BUSINESS:
                    continue
                place = Place(file=path, line=hunk.head_start + i, side="head")
                names = _named(context, path, place.line, found["name"])
                yield Turned(
                    found["name"], names, (found["name"],), _unset(found), place, hunk.base_start, is_default=True, owner=path
                )


def _unset(test: re.Match[str]) -> bool:
    """What the test gives when the variable is not there."""
    return test["op"].startswith("!")


def _named(context: RuleContext, path: str, line: int, name: str) -> tuple[str, ...]:
    """What code calls the value of this line: the variable or field that takes it, and accessors that only give it back."""
    lines = (context.head.text(path) or "").split("\n")
    near = lines[line - 1 : line + 3]
    found = [name]
    taken = re.match(
        r"\s*(?:export\s+|public\s+|private\s+|static\s+|final\s+|readonly\s+|const\s+|let\s+|var\s+|val\s+|bool(?:ean)?\s+|Boolean\s+)*[@$]?(\w+)\s*(?::\s*[\w.<>|]+\s*)?(?:=(?!=)|:)",
        near[0][:300] if near else "",
    )
    if taken:
        found.append(taken[1])
    elif near and near[0].lstrip().startswith("@"):
        field = next(
            (
                m[1]
                for text in near[1:]
                if (m := re.search(r"(\w+)\s*(?:=[^;]*)?;?\s*$", text[:300])) and not text.lstrip().startswith("@")
            ),
            None,
        )
        found += [field] if field else []
    own = tuple(dict.fromkeys(found))
    for spot in functions_of(context.head, path):
        body = "\n".join(lines[spot.start - 1 : spot.end])
        if spot.end - spot.start <= 5 and any(re.search(rf"\breturn\s+(?:this\.|self\.)?{re.escape(n)}\b", body) for n in own):
            found.append(spot.name)
    return tuple(dict.fromkeys(n for n in found if len(n) > 1))
