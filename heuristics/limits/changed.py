"""Every number that a change alters, whether it stands in code, in application configuration or in a manifest."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Setting, SettingChange
from gonogo.word import Json
from heuristics.code import ValueChange, is_ci_path, is_production_code
from heuristics.limits.command_flags import FlagChange, flag_changes
from heuristics.limits.command_lines import line_changes
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

_WORD = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DIGITS = pattern(r"\s*[\"']?(-?\d{1,15}(?:\.\d{1,9})?)[\"']?\s*")


class Changed(Record):
    """One value with a number on at least one side.

    `key` is the normal-form key of a manifest's setting or the dotted path of a value in code. An absent side is None;
    `is_unknown` is True when a side has an expression that the text does not settle.
    """

    key: str
    name: str
    file: str
    base_line: int | None
    head_line: int | None
    old: float | None
    new: float | None
    old_text: str | None
    new_text: str | None
    old_seconds: float | None = None
    new_seconds: float | None = None
    call: str = ""
    scope: str = ""
    declared: Declared | None = None
    program: Declared | None = None
    """Whose command line the value stands on."""
    is_unknown: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The lower-case words of the name: `maxPollRecords` → max, poll, records."""
        return words_of(self.name)

    @property
    def path_words(self) -> frozenset[str]:
        """The words of the whole key and of the callee."""
        return frozenset(words_of(self.key) + words_of(self.call))

    @property
    def is_added(self) -> bool:
        """Whether only head has it."""
        return self.old is None and self.old_text is None

    @property
    def is_removed(self) -> bool:
        """Whether only base has it."""
        return self.new is None and self.new_text is None

    @property
    def place(self) -> Place:
        """The line to cite: head's, else the removed one."""
        side: Side = "head" if self.head_line else "base"
        return Place(file=self.file, line=self.head_line or self.base_line or 1, side=side)


def changed_numbers(context: RuleContext) -> Iterator[Changed]:
    """Settings of manifests first, then values of code and configuration that no manifest reader took."""
    taken: set[tuple[str, int | None]] = set()
    named: set[tuple[str, int | None, tuple[str, ...]]] = set()
    for change in context.settings:
        if not is_elsewhere(change.declared.file, change.declared.environment or ""):
            for flag in flag_changes(context, change):
                taken.add((flag.file, flag.head_line))
                yield _of_flag(flag)
        found = _of_setting(change)
        if found is None:
            continue
        if found.old is not None or found.new is not None or found.is_unknown:
            taken.add((found.file, found.head_line or found.base_line))
        if not is_elsewhere(found.file, change.declared.environment or ""):
            yield found
    for value in context.values:
        if (
            (value.file, value.head_line or value.base_line) in taken
            or not is_production_code(value.file)
            or is_ci_path(value.file)
        ):
            continue
        if not is_elsewhere(value.file, value.path.partition(".")[0]):
            for found in (_of_value(value), *_inside_text(value)):
                named.add((found.file, found.head_line, words_of(found.name)))
                yield found
    for flag in line_changes(context):
        is_known = (flag.file, flag.head_line) in taken or (flag.file, flag.head_line, words_of(flag.name)) in named
        if not is_known and not is_elsewhere(flag.file) and not is_ci_path(flag.file):
            yield _of_flag(flag)


@lru_cache(maxsize=4_000)
def words_of(name: str) -> tuple[str, ...]:
    """Words of a name in any spelling, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(name[:200]))


def normal_name(name: str) -> str:
    """A name of a service or variable without case and separators of words: `FX_RATES` and `fx-rates` are one."""
    return "-".join(words_of(name))


def as_number(value: Json) -> float | None:
    """A plain number, also when it is written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = _DIGITS.fullmatch(value) if isinstance(value, str) else None
    return float(found[1]) if found else None


def setting_number(declared: Declared | None, key: str) -> float | None:
    """A number among the settings of a declaration."""
    setting = declared.settings.get(key) if declared is not None else None
    return as_number(setting.value) if setting is not None else None


def _of_value(value: ValueChange) -> Changed:
    return Changed(
        key=value.path,
        name=value.name.lstrip(":"),
        file=value.file,
        base_line=value.base_line,
        head_line=value.head_line,
        old=as_number(value.old),
        new=as_number(value.new),
        old_text=value.old_text,
        new_text=value.new_text,
        old_seconds=value.old_seconds,
        new_seconds=value.new_seconds,
        call=value.call,
        scope=value.scope,
    )


_PAIR = pattern(r"([A-Za-z][\w.-]{1,60})[= ](\d{1,12})(?=$|[\s&,;'\"\]])")


def _inside_text(value: ValueChange) -> Iterator[Changed]:
    """Numbers inside a text: flags (`--workers=4`), options of an address (`?connection_limit=5`), `-c name=value`."""
    if not isinstance(value.old, str) or not isinstance(value.new, str):
        return
    olds, news = (dict(_PAIR.findall(side[:2000])) for side in (value.old, value.new))
    for name in [n for n in news if n in olds and olds[n] != news[n]][:4]:
        found = _of_value(value)
        bare = name.lstrip("-")
        yield replace(
            found,
            key=f"{found.key}.{bare}",
            name=bare,
            old=float(olds[name]),
            new=float(news[name]),
            old_text=olds[name],
            new_text=news[name],
            old_seconds=None,
            new_seconds=None,
        )


def _of_setting(change: SettingChange) -> Changed | None:
    shown = change.new or change.old
    if not change.key or shown is None:
        return None
    declared = change.declared
    return Changed(
        key=change.key,
        name=change.key.rpartition(".")[2],
        file=_file_of(declared, shown),
        base_line=change.old.line if change.old else None,
        head_line=change.new.line if change.new else None,
        old=_setting_value(declared, change.key, change.old),
        new=_setting_value(declared, change.key, change.new),
        old_text=_text(change.old),
        new_text=_text(change.new),
        declared=declared,
        is_unknown=any(side is not None and side.value is None for side in (change.old, change.new)),
    )


def _of_flag(flag: FlagChange) -> Changed:
    return Changed(
        key=f"command.{flag.name}",
        name=flag.name,
        file=flag.file,
        base_line=flag.base_line,
        head_line=flag.head_line,
        old=flag.old,
        new=flag.new,
        old_text=f"{flag.old:g}",
        new_text=f"{flag.new:g}",
        program=flag.declared,
    )


def _setting_value(declared: Declared, key: str, setting: Setting | None) -> float | None:
    """ECS writes memory as a bare number of MiB, also between quotes; elsewhere a bare number is bytes."""
    if setting is None:
        return None
    if declared.kind.startswith("aws.ecs.") and key.endswith("_mib") and (written := as_number(setting.text)) is not None:
        return written
    return as_number(setting.value)


def _text(setting: Setting | None) -> str | None:
    return None if setting is None else setting.text or str(setting.value)


def _file_of(declared: Declared, setting: Setting) -> str:
    """The file that the value stands in: a variable's default may stand in another one than the resource."""
    return setting.file or declared.file
