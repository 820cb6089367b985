"""What an object comes to when kustomize has laid its patches over it, and which changes take effect there.

A patch that goes, comes or moves changes the value that holds without any value being edited; a value of the base that every overlay
replaces may be edited without any effect (https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches/).
"""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from gonogo.record import Record
from gonogo.resource import Declared, Setting, SettingChange

PATCH_OF = "patch_of"
"""Setting of a patch that stands in the kustomization itself: where it is listed."""
_PRODUCTION = frozenset(("prod", "production", "prd", "live"))
_NOT_LAID_OVER = frozenset(("namespace", "name", PATCH_OF, "selector"))
_REPLICATED = ("kubernetes.deployment", "kubernetes.statefulset", "kubernetes.replicaset", "kubernetes.replicationcontroller")
Identity = tuple[str, str]
"""Kind and name of an object."""


class Laid(Record, frozen=False):
    """One object of one overlay: where it is declared, and its settings with everything laid over them."""

    declared: Declared
    settings: dict[str, Setting]

    def whole(self) -> Declared:
        """The declaration as it takes effect."""
        return self.declared.model_copy(update={"settings": dict(self.settings)})


def laid_over(resources: Iterable[Declared]) -> dict[tuple[str, str, str], Laid]:
    """(Folder of the overlay, kind, name) → the object there, for the overlays of production that no other one builds on."""
    overlays: dict[str, Declared] = {}
    files: dict[str, list[Declared]] = defaultdict(list)
    for one in resources:
        if one.kind == "kustomize.overlay":
            overlays[posixpath.dirname(one.file)] = one
        elif one.kind.startswith("kubernetes."):
            files[one.file].append(one)
    built_on = {path for folder, one in overlays.items() for path in _paths(folder, one, "resources", "bases", "components")}
    roots = [folder for folder in overlays if folder not in built_on]
    wanted = [r for r in roots if overlays[r].environment in _PRODUCTION] or [r for r in roots if overlays[r].environment is None]
    return {
        (root, *identity): laid
        for root in wanted
        for identity, laid in _built(root, overlays, files, frozenset()).items()
    }  # fmt: skip


def effective_changes(
    changes: Iterable[SettingChange], base: Iterable[Declared], head: Iterable[Declared]
) -> list[SettingChange]:
    """The changes with those that overlays make added, and those that take no effect or only speak of patches left out."""
    before, after = laid_over(base), laid_over(head)
    given = list(changes)
    if not before and not after:
        return given
    made = list(_moved(before, after))
    told = {(c.key, *_at(c.before, c.old)) for c in made} | {(c.key, *_at(c.after, c.new)) for c in made}
    kept: list[SettingChange] = []
    for change in given:
        places = {(change.key, *_at(change.before, change.old)), (change.key, *_at(change.after, change.new))} - {
            (change.key, "", 0)
        }
        if _is_patch(change.declared) and (change.key == "" or places & told):
            continue
        if change.key and not _takes_effect(change, before, after):
            continue
        kept.append(change)
    return [*kept, *made]


def _moved(before: Mapping[tuple[str, str, str], Laid], after: Mapping[tuple[str, str, str], Laid]) -> Iterator[SettingChange]:
    """Values that hold from another layer than before; each once, though several overlays may say it."""
    seen: set[tuple[str, tuple[str, int], tuple[str, int]]] = set()
    for identity, old in before.items():
        new = after.get(identity)
        if new is None:
            continue
        for key in sorted({*old.settings, *new.settings} - _NOT_LAID_OVER):
            was, now = old.settings.get(key), new.settings.get(key)
            if was is not None and now is not None and (_content(was) == _content(now) or _file(old, was) == _file(new, now)):
                continue
            if (was is None and now is None) or _is_of_one_file(old, new, was, now):
                continue
            change = SettingChange(key=key, before=old.whole(), after=new.whole(), old=was, new=now)
            place = (key, _at(old.declared, was), _at(new.declared, now))
            if place not in seen:
                seen.add(place)
                yield change


def _is_of_one_file(old: Laid, new: Laid, was: Setting | None, now: Setting | None) -> bool:
    """Whether a setting that only one side has stands in the object's own file: no overlay is at work then."""
    one = was or now
    return (was is None or now is None) and one is not None and one.file in (None, old.declared.file, new.declared.file)


def _takes_effect(
    change: SettingChange, before: Mapping[tuple[str, str, str], Laid], after: Mapping[tuple[str, str, str], Laid]
) -> bool:
    """False when production's overlays have the object, and none of them lets this value through."""
    declared = change.declared
    if not declared.kind.startswith("kubernetes.") or declared.part_of is not None:
        return True
    same = [
        k for k in after if k[1:] == (declared.kind, declared.name) and k in before and after[k].declared.file == declared.file
    ]
    return not same or any(
        _content(before[k].settings.get(change.key)) != _content(after[k].settings.get(change.key)) for k in same
    )


def _built(
    folder: str, overlays: Mapping[str, Declared], files: Mapping[str, list[Declared]], seen: frozenset[str]
) -> dict[Identity, Laid]:
    """The objects of a kustomization, those that it builds on included."""
    overlay = overlays.get(folder)
    if overlay is None or folder in seen:
        return {}
    found: dict[Identity, Laid] = {}
    for path in _paths(folder, overlay, "resources", "bases"):
        for one in files.get(path, ()):
            if one.part_of is None and one.name is not None:
                settings = {k: s if s.file else s.model_copy(update={"file": one.file}) for k, s in one.settings.items()}
                found[one.kind, one.name] = Laid(one, settings)
        found |= _built(path, overlays, files, seen | {folder})
    for path in _paths(folder, overlay, "components"):
        component = overlays.get(path)
        if component is not None:
            found |= _built(path, overlays, files, seen | {folder})
            _lay_over(found, component, files)
    _lay_over(found, overlay, files)
    return found


def _lay_over(objects: Mapping[Identity, Laid], overlay: Declared, files: Mapping[str, list[Declared]]) -> None:
    """Puts the patches of one kustomization over the objects, in their order, then its replica counts."""
    for patch, target in _patches(overlay, files):
        for (kind, name), laid in objects.items():
            if (kind, name) == (patch.kind, patch.name) if target is None else _is_aimed_at(target, kind, name):
                _put(laid, patch)
    for key, setting in overlay.settings.items():
        if key.startswith("replicas."):
            for kind in _REPLICATED:
                laid = objects.get((kind, key.removeprefix("replicas.")))
                if laid is not None:
                    laid.settings["replicas"] = setting.model_copy(update={"file": setting.file or overlay.file})


def _put(laid: Laid, patch: Declared) -> None:
    """The patch names its container; one without the name of the object's own main container is for another one."""
    mine, theirs = (_text(s, "main_container") for s in (laid.declared.settings, patch.settings))
    for key, setting in patch.settings.items():
        if key in _NOT_LAID_OVER or key == "main_container":
            continue
        written = key
        if (
            theirs
            and theirs != mine
            and not key.startswith(("container.", "replicas"))
            and f"container.{theirs}.{key}" in laid.settings
        ):
            written = f"container.{theirs}.{key}"
        laid.settings[written] = setting.model_copy(update={"file": setting.file or patch.file})


def _patches(overlay: Declared, files: Mapping[str, list[Declared]]) -> Iterator[tuple[Declared, Identity | None]]:
    """Each patch with what it is aimed at: None for the object that it names itself."""
    folder = posixpath.dirname(overlay.file)
    for key in ("patchesStrategicMerge", "patches_strategic_merge"):
        listed = overlay.settings.get(key)
        for item in cast("list[object]", listed.value) if listed is not None and isinstance(listed.value, list) else []:
            for patch in files.get(posixpath.normpath(posixpath.join(folder, str(item))), ()):
                yield patch, None
    places = {k.rpartition(".")[0] for k in overlay.settings if _listed_at(k)}
    own = [one for one in files.get(overlay.file, ()) if PATCH_OF in one.settings]
    inline = {_text(one.settings, PATCH_OF) for one in own}
    for place in sorted(places | inline, key=lambda p: (p.rpartition(".")[0], _number(p))):
        kind, name = (_text(overlay.settings, f"{place}.target.{k}") for k in ("kind", "name"))
        target = (kind.lower(), name) if kind or name else None
        path = _text(overlay.settings, f"{place}.path")
        patches = files.get(posixpath.normpath(posixpath.join(folder, path)), ()) if path else ()
        for patch in (*patches, *(one for one in own if _text(one.settings, PATCH_OF) == place)):
            yield patch, target


def _listed_at(key: str) -> bool:
    return key.startswith(("patches.", "patches_json6902.", "patchesJson6902.")) and key.endswith(".path")


def _is_aimed_at(target: Identity, kind: str, name: str) -> bool:
    wanted_kind, wanted_name = target
    return (not wanted_kind or kind == f"kubernetes.{wanted_kind}") and (not wanted_name or wanted_name == name)


def _paths(folder: str, overlay: Declared, *keys: str) -> Iterator[str]:
    for key in keys:
        listed = overlay.settings.get(key)
        for item in cast("list[object]", listed.value) if listed is not None and isinstance(listed.value, list) else []:
            if isinstance(item, str) and "://" not in item:
                yield posixpath.normpath(posixpath.join(folder, item))


def _is_patch(declared: Declared) -> bool:
    return declared.part_of is not None and declared.kind.startswith("kubernetes.")


def _at(declared: Declared | None, setting: Setting | None) -> tuple[str, int]:
    return ("", 0) if declared is None or setting is None else (setting.file or declared.file, setting.line)


def _file(laid: Laid, setting: Setting) -> str:
    return setting.file or laid.declared.file


def _content(setting: Setting | None) -> object:
    return None if setting is None else ("unknown", setting.text) if setting.value is None else setting.value


def _text(settings: Mapping[str, Setting], key: str) -> str:
    found = settings.get(key)
    return found.value if found is not None and isinstance(found.value, str) else ""


def _number(place: str) -> int:
    last = place.rpartition(".")[2]
    return int(last) if last.isdigit() else 0
