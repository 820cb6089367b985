"""What differs between the manifests of base and head, one setting at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from context_graph.manifests.assemble import bare_address
from context_graph.manifests.overlays import PATCH_OF, effective_changes
from context_graph.manifests.read import Manifests
from gonogo.resource import Declared, Setting, SettingChange

_UNCOMPARED = {"moved_from", "for_each_key", "count_names", PATCH_OF, "main_container"}


def setting_changes(base: Manifests, head: Manifests) -> tuple[SettingChange, ...]:
    """One change per setting that differs, sorted by place and key.

    Resources are matched by kind, address and environment, else by kind and explicit name, else as Terraform's `moved`
    says. One that is only on one side gives a single change with the key "" and no settings. What overlays lay over objects
    counts as it takes effect.
    """
    pairs, removed, added = _matched(base.resources, head.resources)
    changes = [change for before, after in pairs for change in _differences(before, after)]
    changes += [SettingChange(key="", before=one, after=None, old=None, new=None) for one in removed if not _is_reference(one)]
    changes += [SettingChange(key="", before=None, after=one, old=None, new=None) for one in added if not _is_reference(one)]
    return tuple(sorted(effective_changes(changes, base.resources, head.resources), key=_order))


def _is_reference(declared: Declared) -> bool:
    """A mention of something that exists elsewhere, which goes and comes without anything being deleted or made."""
    return "is_reference" in declared.settings


def _order(change: SettingChange) -> tuple[str, str, str, str]:
    declared = change.declared
    return declared.file, declared.address, declared.environment or "", change.key


def _matched(
    base: Iterable[Declared], head: Iterable[Declared]
) -> tuple[list[tuple[Declared, Declared]], list[Declared], list[Declared]]:
    left, right = list(base), list(head)
    pairs: list[tuple[Declared, Declared]] = []
    for key in _KEYS:
        olds, news = _grouped(left, key), _grouped(right, key)
        for name, old in olds.items():
            new = news.get(name, [])
            if len(old) == len(new) or key is not _by_name:
                pairs += zip(old, new, strict=False)
        taken = {id(declared) for pair in pairs for declared in pair}
        left = [declared for declared in left if id(declared) not in taken]
        right = [declared for declared in right if id(declared) not in taken]
        if not left and not right:
            break
    return pairs, left, right


def _grouped(
    declared: list[Declared], key: "Callable[[Declared], tuple[str, ...] | None]"
) -> dict[tuple[str, ...], list[Declared]]:
    groups: dict[tuple[str, ...], list[Declared]] = defaultdict(list)
    for one in declared:
        name = key(one)
        if name is not None:
            groups[name].append(one)
    return groups


def _by_place(one: Declared) -> tuple[str, ...] | None:
    return one.kind, bare_address(one.address), one.environment or "", one.file


def _by_address(one: Declared) -> tuple[str, ...] | None:
    return one.kind, bare_address(one.address), one.environment or ""


def _by_name(one: Declared) -> tuple[str, ...] | None:
    return (one.kind, one.name, one.environment or "") if one.name is not None else None


def _by_move(one: Declared) -> tuple[str, ...] | None:
    moved = one.settings.get("moved_from")
    was = str(moved.value) if moved is not None else bare_address(one.address)
    return one.kind, was, one.environment or ""


def _by_any_environment(one: Declared) -> tuple[str, ...] | None:
    return one.kind, bare_address(one.address)


_KEYS = (_by_place, _by_address, _by_name, _by_move, _by_any_environment)


def _differences(before: Declared, after: Declared) -> list[SettingChange]:
    old, new = before.settings, _aligned(before.settings, after.settings)
    found: list[SettingChange] = []
    for key in sorted({*old, *new} - _UNCOMPARED):
        left, right = old.get(key), new.get(key)
        if left is None or right is None or _content(left) != _content(right):
            found.append(SettingChange(key=key, before=before, after=after, old=left, new=right))
    return found


def _content(setting: Setting) -> object:
    return ("unknown", setting.text) if setting.value is None and setting.text else setting.value


def _aligned(old: Mapping[str, Setting], new: Mapping[str, Setting]) -> dict[str, Setting]:
    """Head's settings with list positions renamed so that equal elements meet: an element that went is one change."""
    olds, news = _lists(old), _lists(new)
    renamed: dict[str, str] = {}
    for prefix, elements in news.items():
        before = olds.get(prefix)
        if before is None or list(elements.values()) == list(before.values()):
            continue
        for number, place in _alignment(before, elements).items():
            renamed[f"{prefix}.{number}"] = f"{prefix}.{place}"
    if not renamed:
        return dict(new)
    return {_renamed(key, renamed): setting for key, setting in new.items()}


def _lists(settings: Mapping[str, Setting]) -> dict[str, dict[str, object]]:
    """Prefix → position → content, for keys like `statement.2` and `listener.0.port`."""
    lists: dict[str, dict[str, dict[str, object]]] = defaultdict(lambda: defaultdict(dict))
    for key, setting in settings.items():
        parts = key.split(".")
        place = next((i for i, part in enumerate(parts) if i and part.isdigit()), None)
        if place is not None:
            lists[".".join(parts[:place])][parts[place]][".".join(parts[place + 1 :])] = _content(setting)
    return {prefix: cast("dict[str, object]", dict(elements)) for prefix, elements in lists.items()}


def _alignment(before: dict[str, object], after: dict[str, object]) -> dict[str, str]:
    """Position on head → position on base, or one that base does not use."""
    free = dict(before)
    places: dict[str, str] = {}
    for number, content in after.items():
        same = next((place for place, other in free.items() if other == content), None)
        if same is not None:
            places[number] = same
            del free[same]
    unused = [number for number in map(str, range(len(before) + len(after) + 1)) if number not in before]
    rest = [number for number in after if number not in places]
    for number in rest:
        place = min(free, key=lambda p: (p != number, int(p)), default=None)
        if place is not None and (len(rest) <= len(free) or place == number):
            places[number] = place
            del free[place]
        else:
            places[number] = unused.pop(0)
    return places


def _renamed(key: str, renamed: Mapping[str, str]) -> str:
    parts = key.split(".")
    place = next((i for i, part in enumerate(parts) if i and part.isdigit()), None)
    if place is None:
        return key
    head = ".".join(parts[: place + 1])
    return ".".join([renamed.get(head, head), *parts[place + 1 :]])
