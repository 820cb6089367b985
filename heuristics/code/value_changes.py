"""Which values a change alters, adds or removes, each with its name on both sides."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from gonogo.record import Record
from heuristics.code.config_sites import sites_in_configuration
from heuristics.code.constants import Value
from heuristics.code.paths import CODE_LANGUAGES, language_of
from heuristics.code.value_sites import ValueSite, sites_in_code


class ValueChange(Record):
    """One value that differs. A side without the value has no line and no text; `old` and `new` are None there too.

    A value that is written but is no plain number, text or boolean (`None`, `null`) has its text and no value.
    `call` is the callee when the value is an argument; `unit` is what the number is in (`s`, `ms`, `min` ...).
    """

    file: str
    name: str
    path: str
    scope: str
    call: str
    base_line: int | None
    head_line: int | None
    old: Value | None
    new: Value | None
    old_text: str | None
    new_text: str | None
    unit: str = ""
    old_seconds: float | None = None
    new_seconds: float | None = None

    @property
    def is_added(self) -> bool:
        """Whether only head has it."""
        return self.old_text is None

    @property
    def is_removed(self) -> bool:
        """Whether only base has it."""
        return self.new_text is None


def value_changes(path: str, base_text: str | None, head_text: str | None) -> tuple[ValueChange, ...]:
    """The values of one file that differ, in the order of head; a missing side is an added or deleted file.

    Sides are paired by scope, key path and callee, then more loosely, so that code that only moved gives nothing.
    """
    base, head = list(value_sites(path, base_text or "")), list(value_sites(path, head_text or ""))
    for key in _KEYS:
        base, head = _without_equals(base, head, key)
    changes: list[ValueChange] = []
    for key in _PAIRING_KEYS:
        base, head, pairs = _paired(base, head, key)
        changes += [_change(path, old, new) for old, new in pairs]
    changes += [_change(path, None, new) for new in head]
    changes += [_change(path, old, None) for old in base]
    return tuple(sorted(changes, key=lambda c: (c.head_line or c.base_line or 0, c.base_line or 0)))


def value_sites(path: str, text: str) -> tuple[ValueSite, ...]:
    """Every value of a file with its name; empty when the file can't be read."""
    language = language_of(path, text.split("\n", 1)[0])
    if language is None:
        return ()
    found = sites_in_code(text, language) if language in CODE_LANGUAGES else sites_in_configuration(text, language)
    return found or ()


_Key = Callable[[ValueSite], Hashable]

_KEYS: tuple[_Key, ...] = (
    lambda s: (s.scope, s.path, s.call, s.position, _meaning(s)),
    lambda s: (s.path, s.call, s.position, _meaning(s)),
    lambda s: (s.name, _meaning(s)),
    lambda s: (s.call, s.position, _meaning(s)) if s.call else (id(s),),
)
"""Two sites with an equal key are the same value at most moved."""

_PAIRING_KEYS: tuple[_Key, ...] = (
    lambda s: (s.scope, s.path, s.call, s.position),
    lambda s: (s.scope, s.path, s.position),
    lambda s: (s.scope, s.name, s.call),
    lambda s: (s.path, s.call, s.position),
    lambda s: (s.name, s.call, s.position),
)
"""Two sites with an equal key are one value that changed."""


def _meaning(site: ValueSite) -> Hashable:
    if site.seconds is not None and not isinstance(site.value, str):
        return round(site.seconds, 9)
    return (site.value, type(site.value) is bool) if site.value is not None else site.text


def _without_equals(base: Sequence[ValueSite], head: Sequence[ValueSite], key: _Key) -> tuple[list[ValueSite], list[ValueSite]]:
    counted: dict[Hashable, int] = defaultdict(int)
    for site in base:
        counted[key(site)] += 1
    kept_head: list[ValueSite] = []
    taken: dict[Hashable, int] = defaultdict(int)
    for site in head:
        this = key(site)
        if counted[this] > taken[this]:
            taken[this] += 1
        else:
            kept_head.append(site)
    kept_base: list[ValueSite] = []
    for site in base:
        this = key(site)
        if taken[this]:
            taken[this] -= 1
        else:
            kept_base.append(site)
    return kept_base, kept_head


def _paired(
    base: Iterable[ValueSite], head: Iterable[ValueSite], key: _Key
) -> tuple[list[ValueSite], list[ValueSite], list[tuple[ValueSite, ValueSite]]]:
    waiting: dict[Hashable, list[ValueSite]] = defaultdict(list)
    for site in base:
        waiting[key(site)].append(site)
    pairs: list[tuple[ValueSite, ValueSite]] = []
    kept: list[ValueSite] = []
    for site in head:
        old = waiting[key(site)]
        if old:
            pairs.append((old.pop(0), site))
        else:
            kept.append(site)
    return [site for sites in waiting.values() for site in sites], kept, pairs


def _change(path: str, old: ValueSite | None, new: ValueSite | None) -> ValueChange:
    shown = new or old
    if shown is None:
        raise ValueError("a change has at least one side")
    unit = next((s.unit for s in (new, old) if s is not None and s.unit), "")
    return ValueChange(
        file=path,
        name=shown.name,
        path=shown.path,
        scope=shown.scope,
        call=shown.call,
        base_line=old.line if old else None,
        head_line=new.line if new else None,
        old=old.value if old else None,
        new=new.value if new else None,
        old_text=old.text if old else None,
        new_text=new.text if new else None,
        unit=unit,
        old_seconds=old.seconds if old else None,
        new_seconds=new.seconds if new else None,
    )
