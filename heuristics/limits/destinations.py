"""Where a proxy or a client sends what a setting is about: the cluster, host or service that stands beside it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.pattern import pattern
from heuristics.code import language_of, value_sites
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.limits.changed import Changed, normal_name, words_of
from heuristics.rule import RuleContext

_KEYS = (
    "cluster", "host", "hosts", "hostname", "domains", "destination", "upstream", "backend", "backendref", "backendrefs", "service", "services", "targetref", "targetrefs",
    "proxypass", "authority", "address", "url", "uri", "baseurl", "server", "servers", "endpoint",
)  # fmt: skip
_NO_HOST = pattern(r"[*/]|\d{1,3}(\.\d{1,3}){3}|localhost|.{120,}|.*\s.*|true|false")
_HOST = pattern(r"(?:[a-z][a-z0-9+.-]*://)?([\w.-]+)")


def destinations(changed: Changed, context: RuleContext) -> frozenset[str]:
    """Normal names of the services that the nearest block around the setting names; empty when it names none."""
    values = dict(_beside(changed, context))
    parts = changed.key.split(".")
    widest = 1 if parts[0] == "spec" or changed.declared is not None else 2
    for depth in range(len(parts) - 1, widest - 1, -1):
        prefix = ".".join(parts[:depth]) + "."
        inside = {k.removeprefix(prefix): v for k, v in values.items() if k.startswith(prefix)}
        if found := frozenset(name for key, value in inside.items() if _is_destination(key) and (name := host_of(value))):
            return frozenset({*found, *(n for cluster in found for n in _of_cluster(cluster, values))})
    return frozenset()


def host_of(text: str) -> str:
    """The first label of an address as a normal name; empty for what is no name of a service."""
    found = _HOST.match(text.strip("\"' "))
    if found is None or _NO_HOST.fullmatch(found[1]):
        return ""
    return normal_name(found[1].split(".")[0])


def _is_destination(key: str) -> bool:
    parts = [p for p in key.split(".") if not p.isdigit() and not p.startswith("#")]
    if not parts or len(parts) > 4:
        return False
    last = "".join(words_of(parts[-1]))
    return last in _KEYS or (last in ("name", "service", "host") and len(parts) > 1 and "".join(words_of(parts[-2])) in _KEYS)


def _beside(changed: Changed, context: RuleContext) -> Iterator[tuple[str, str]]:
    if changed.declared is not None:
        for key, setting in changed.declared.settings.items():
            value: object = setting.value
            listed = list(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else [value]
            for number, one in enumerate(listed):
                if isinstance(one, str):
                    yield f"{key}.{number}", one
        return
    if language_of(changed.file) in CODE_LANGUAGES:
        return
    for site in value_sites(changed.file, context.head.text(changed.file) or ""):
        if isinstance(site.value, str):
            yield site.path, site.value


def _of_cluster(name: str, values: Mapping[str, str]) -> Iterator[str]:
    """The hosts of the cluster, where the name of a route's cluster is that of a block with addresses."""
    for key, value in values.items():
        found = re.fullmatch(r"(.*\bclusters\.\d+)\.name", key)
        if found is not None and normal_name(value) == name:
            for other, address in values.items():
                if other.startswith(found[1] + ".") and other.endswith(".address") and (host := host_of(address)):
                    yield host
