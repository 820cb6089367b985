"""Which names a declared resource gives to the program that runs in it."""

import re
from collections.abc import Mapping
from typing import Literal, cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Setting
from gonogo.word import Json

GivenKind = Literal["env", "binding", "key"]
"""A variable of a workload, a binding of a Worker, a key of a ConfigMap or Secret."""

_FORMS = (
    (pattern(r"(?:(?:init_)?container\.[^.]+\.)?environment\.([A-Za-z_][\w.\-]*)"), "env"),
    (pattern(r"binding\.([A-Za-z_]\w*)"), "binding"),
    (pattern(r"data\.([A-Za-z_.\-][\w.\-]*)"), "key"),
)
_KEY_OF = pattern(r"(secret|configMap)KeyRef: (\S+) (\S+)(?: (\S+))?")
_SOURCE = pattern(r"(?:(?:init_)?container\.[^.]+\.)?environment_from\.(\w+)/(.+)")
STORES = ("kubernetes.configmap", "kubernetes.secret")


class Given(Record):
    """One name, the setting that gives it, and the key of that setting."""

    name: str
    kind: GivenKind
    key: str
    setting: Setting


class KeyReference(Record):
    """A variable that is one key of a ConfigMap or Secret; the pod does not start without it unless it is optional."""

    kind: str
    """secret or configmap."""
    store: str
    key: str
    is_optional: bool
    setting: Setting


def name_of_key(kind: str, key: str) -> tuple[str, GivenKind] | None:
    """The name that a setting of this key gives, or None."""
    for tried, given in _FORMS:
        match = tried.fullmatch(key)
        if match is not None and (given != "key" or kind in STORES):
            return match[1], cast("GivenKind", given)
    return None


def given_names(declared: Declared) -> Mapping[str, Given]:
    """Name → how this declaration gives it; several containers' variables are one set."""
    found: dict[str, Given] = {}
    for key, setting in declared.settings.items():
        named = name_of_key(declared.kind, key)
        if named is not None:
            found.setdefault(named[0], Given(named[0], named[1], key, setting))
    for name, setting in (("environment_keys", None), ("bindings", None)):
        listed = declared.settings.get(name, setting)
        for one in _words(listed.value if listed else None):
            if listed is not None and one not in found and declared.kind not in STORES:
                found[one] = Given(one, "binding" if name == "bindings" else "env", name, listed)
    return found


def sources_of(declared: Declared) -> Mapping[str, Setting]:
    """ConfigMaps and Secrets that a pod takes whole (`configMapRef/name`)."""
    return {f"{m[1]}/{m[2]}": setting for key, setting in declared.settings.items() if (m := _SOURCE.fullmatch(key))}


def takes_from(declared: Declared, store: str) -> bool:
    """Whether the workload takes anything from the ConfigMap or Secret of that name."""
    if any(source.partition("/")[2] == store for source in sources_of(declared)):
        return True
    named = re.compile(rf"(?:configMapKeyRef|secretKeyRef)\b.*(?<![\w.-]){re.escape(store)}(?![\w.-])")
    return any(named.search(setting.text) for key, setting in declared.settings.items() if "environment." in key)


def key_references(declared: Declared) -> Mapping[str, KeyReference]:
    """Variable → the key of a ConfigMap or Secret that a pod takes it from, values of a chart put in."""
    found: dict[str, KeyReference] = {}
    for key, setting in declared.settings.items():
        named = name_of_key(declared.kind, key)
        taken = _KEY_OF.fullmatch(setting.text) if named is not None else None
        if named is not None and taken is not None:
            is_optional = (taken[4] or "").lower() == "true"
            found.setdefault(named[0], KeyReference(taken[1].lower(), taken[2], taken[3], is_optional, setting))
    return found


def _words(value: Json) -> list[str]:
    if isinstance(value, Mapping):
        return [str(name) for name in cast("Mapping[object, object]", value)]
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list | tuple) else []
