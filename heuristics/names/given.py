"""Which names a declared resource gives to the program that runs in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from gonogo.resource import Declared, Setting
from gonogo.word import Json

GivenKind = Literal["env", "binding", "key"]
"""A variable of a workload, a binding of a Worker, a key of a ConfigMap or Secret."""

_FORMS = (
    (re.compile(r"(?:(?:init_)?container\.[^.]+\.)?environment\.([A-Za-z_][\w.\-]*)"), "env"),
    (re.compile(r"binding\.([A-Za-z_]\w*)"), "binding"),
    (re.compile(r"data\.([A-Za-z_.\-][\w.\-]*)"), "key"),
)
_SOURCE = re.compile(r"(?:(?:init_)?container\.[^.]+\.)?environment_from\.(\w+)/(.+)")
STORES = ("kubernetes.configmap", "kubernetes.secret")


@dataclass(frozen=True, slots=True)
class Given:
    """One name, the setting that gives it, and the key of that setting."""

    name: str
    kind: GivenKind
    key: str
    setting: Setting


def name_of_key(kind: str, key: str) -> tuple[str, GivenKind] | None:
    """The name that a setting of this key gives, or None."""
    for pattern, given in _FORMS:
        match = pattern.fullmatch(key)
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


def _words(value: Json) -> list[str]:
    if isinstance(value, Mapping):
        return [str(name) for name in cast("Mapping[object, object]", value)]
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list | tuple) else []
