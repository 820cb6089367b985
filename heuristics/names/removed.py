"""Names that a manifest gave at base and gives no more, with the code that still reads them."""

import re
from collections.abc import Collection

from gonogo.record import Record
from gonogo.resource import Declared, Setting, SettingChange
from heuristics.code import Creation, Read, creations_of, is_production_code, language_of, reads_in, spellings_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.names.given import STORES, GivenKind, given_names, name_of_key, sources_of
from heuristics.rule import RuleContext
from heuristics.stages import production_settings


class RemovedName(Record):
    """One name that went. `before` and `after` are its declaration; `after` is None when the whole store went."""

    name: str
    kind: GivenKind
    before: Declared
    after: Declared | None
    setting: Setting
    reads: tuple[Read, ...]
    """What production code at head still reads under that name."""
    reads_before: tuple[Read, ...]
    mentions: tuple[tuple[str, int], ...]
    """Lines of code at head that hold the word without being a read that we understand."""
    elsewhere: tuple[Creation, ...]
    """Other places of the head's manifests that give it."""


def removed_names(context: RuleContext) -> tuple[RemovedName, ...]:
    """Every variable, binding and key of a ConfigMap or Secret that the change takes away."""
    gone = [found for change in production_settings(context) for found in _gone(change)]
    if not gone:
        return ()
    names = {name for name, *_ in gone}
    at_head, mentions = _reads(context, names, is_head=True)
    at_base, _ = _reads(context, names, is_head=False)
    created = creations_of(context.head)
    found: dict[tuple[str, str, str], RemovedName] = {}
    for name, kind, change, setting in gone:
        before = change.before
        if before is None or _moved_within(change.after, name):
            continue
        key = (name, before.kind, before.address)
        elsewhere = tuple(c for c in created if c.name == name and c.has_value)
        found.setdefault(
            key,
            RemovedName(
                name,
                kind,
                before,
                change.after,
                setting,
                at_head.get(name, ()),
                at_base.get(name, ()),
                mentions.get(name, ()),
                elsewhere,
            ),
        )
    return tuple(found.values())


def has_code(context: RuleContext) -> bool:
    """Whether this repository holds programs at all, so that not reading a name says something."""
    return any(language_of(p) in CODE_LANGUAGES - {"bash"} and is_production_code(p) for p in context.head.paths())


def _gone(change: SettingChange) -> list[tuple[str, GivenKind, SettingChange, Setting]]:
    before = change.before
    if before is None:
        return []
    if change.key == "" and change.after is None and before.kind in STORES:
        return [(g.name, g.kind, change, g.setting) for g in given_names(before).values()]
    if change.after is None or change.old is None or change.new is not None:
        return []
    named = name_of_key(before.kind, change.key)
    return [(named[0], named[1], change, change.old)] if named is not None else []


def _moved_within(after: Declared | None, name: str) -> bool:
    return after is not None and name in given_names(after)


def new_sources(removed: RemovedName) -> list[str]:
    """ConfigMaps and Secrets that the workload takes whole at head and did not at base: they may hold the name."""
    if removed.after is None:
        return []
    return sorted(set(sources_of(removed.after)) - set(sources_of(removed.before)))


def _reads(
    context: RuleContext, names: Collection[str], *, is_head: bool
) -> tuple[dict[str, tuple[Read, ...]], dict[str, tuple[tuple[str, int], ...]]]:
    tree = context.head if is_head else context.base
    spelled = {spelling: name for name in names for spelling in _spellings(name)}
    files: dict[str, set[str]] = {}
    hits: dict[str, list[tuple[str, int]]] = {}
    for word, places in tree.search(list(spelled)).items():
        for place in places:
            if is_production_code(place.file) and language_of(place.file) in _READING:
                files.setdefault(place.file, set()).add(spelled[word])
                if word == spelled[word] and language_of(place.file) in CODE_LANGUAGES:
                    hits.setdefault(word, []).append((place.file, place.line))
    found: dict[str, list[Read]] = {}
    for path, wanted in sorted(files.items()):
        for read in reads_in(path, tree.text(path) or ""):
            for name in wanted & {read.name, read.name.upper(), *read.aliases}:
                found.setdefault(name, []).append(read)
    read_at = {(r.file, r.line) for reads in found.values() for r in reads}
    left = {
        name: tuple(h for h in places if h not in read_at and _is_use(tree.text(h[0]) or "", h[1], name))
        for name, places in hits.items()
    }
    return {name: tuple(reads) for name, reads in found.items()}, left


_READING = CODE_LANGUAGES | {"yaml", "properties", "conf", "html"}


def _spellings(name: str) -> tuple[str, ...]:
    dotted = name.lower().replace("_", ".")
    return tuple(dict.fromkeys((name, name.lower(), dotted, dotted.replace(".", "-"), *spellings_of(name.lower()))))


def _is_use(text: str, line: int, name: str) -> bool:
    """A comment or the declaration of a type is no use."""
    lines = text.split("\n")
    written = lines[line - 1] if 0 < line <= len(lines) else ""
    before = written.split(name)[0]
    if re.match(r"\s*(//|#|\*|/\*|--)", written) or "//" in before or " #" in before:
        return False
    return re.match(rf"\s*(readonly\s+)?{re.escape(name)}\??\s*:\s*[A-Z]\w*", written) is None
