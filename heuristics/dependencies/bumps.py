"""Which versions a change moves: libraries that run in production and the runtimes that they run on."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.dependencies.pins import Pin, Version, pins_in, version_of
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere, is_for_production


class Bump(Record):
    """One version that differs. `declared` is the function whose runtime it is, when a manifest says so."""

    ecosystem: str
    name: str
    old: Version
    new: Version
    old_text: str
    new_text: str
    place: Place
    declared: Declared | None = None

    @property
    def is_runtime(self) -> bool:
        """Whether it is the language itself."""
        return self.name == self.ecosystem

    @property
    def is_raised(self) -> bool:
        """Whether the new version is the later one."""
        return _padded(self.new) > _padded(self.old)

    def passes(self, since: Version) -> bool:
        """Whether the change goes from before this version to it or beyond."""
        return _padded(self.old) < _padded(since) <= _padded(self.new)

    @property
    def label(self) -> str:
        """`redis 4.6.13`, `Python 3.12`."""
        title = {"python": "Python", "node": "Node.js", "ruby": "Ruby", "java": "Java", "php": "PHP"}
        return f"{title.get(self.name, self.name) if self.is_runtime else self.name} {'.'.join(map(str, self.new))}"


def bumps(context: RuleContext) -> tuple[Bump, ...]:
    """Every library and runtime whose version differs, once; a version that only a lock file moves is not seen."""
    found: dict[tuple[str, str, str], Bump] = {}
    for bump in (*_of_settings(context), *_of_files(context)):
        key = (bump.ecosystem, bump.name, bump.declared.address if bump.declared is not None else bump.place.file)
        found.setdefault(key, bump)
    runtimes = {b.ecosystem for b in found.values() if b.is_runtime and b.declared is not None}
    return tuple(b for b in found.values() if not (b.is_runtime and b.declared is None and b.ecosystem in runtimes))


def pins_at_head(context: RuleContext, ecosystem: str) -> frozenset[str]:
    """The names of the libraries that head asks for, in every package file of the ecosystem."""
    names = {
        pin.name
        for path in context.head.paths()
        if _FILES[ecosystem].search(path) and "node_modules" not in path
        for pin in pins_in(path, context.head.text(path) or "")
    }
    return frozenset(names)


_FILES = {
    "python": pattern(r"(^|/)([\w.-]*(requirements|constraints)[\w.-]*\.(txt|in)|pyproject\.toml|Pipfile)$"),
    "node": pattern(r"(^|/)package\.json$"),
    "ruby": pattern(r"(^|/)Gemfile$"),
    "php": pattern(r"(^|/)composer\.json$"),
    "java": pattern(r"(^|/)Dockerfile$"),
}


def _of_files(context: RuleContext) -> Iterator[Bump]:
    for file in context.changes.files:
        if file.is_binary or not file.hunks or not file.base_path or not file.head_path or is_elsewhere(file.path):
            continue
        before = {(p.ecosystem, p.name): p for p in pins_in(file.base_path, context.base.text(file.base_path) or "")}
        if not before:
            continue
        for pin in pins_in(file.head_path, context.head.text(file.head_path) or ""):
            old = before.get((pin.ecosystem, pin.name))
            if old is not None and _padded(old.version) != _padded(pin.version):
                yield _bump(old, pin, Place(file=file.head_path, line=pin.line, side="head"))


def _bump(old: Pin, new: Pin, place: Place) -> Bump:
    return Bump(new.ecosystem, new.name, old.version, new.version, old.text, new.text, place)


_RUNTIME = pattern(r"(python|nodejs|ruby|java)(\d[\d.]*)(?:\.x|\.al2\w*)?")


def _of_settings(context: RuleContext) -> Iterator[Bump]:
    for change in context.settings:
        if change.key != "runtime" or change.old is None or change.new is None or not is_for_production(context, change.declared):
            continue
        old, new = (_RUNTIME.fullmatch(str(side.value)) for side in (change.old, change.new))
        if old is None or new is None or old[1] != new[1]:
            continue
        before, after = version_of(old[2]), version_of(new[2])
        if before is not None and after is not None and before != after:
            name = {"nodejs": "node"}.get(old[1], old[1])
            place = change.declared.place(change.new)
            yield Bump(name, name, before, after, old[0], new[0], place, change.declared)


def _padded(version: Version) -> Version:
    return (*version, 0, 0, 0)[:3]
