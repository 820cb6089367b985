"""Settings in normal form: snake_case, the unit in the name, numbers as numbers.

Manifests and snapshots are both read through `normal_key` and `normal_value`, so that a rule compares like with like.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import cast

from context_graph.normal_names import ALIASES
from gonogo.pattern import pattern
from gonogo.word import Json

_UNITS_S = {"ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_DURATION = pattern(r"\s*(\d{1,12}(?:\.\d{1,6})?)\s*(ms|sec|s|min|m|h|d)\s*")
_NUMBER = pattern(r"\s*[+-]?\d{1,18}(?:\.\d{1,12})?\s*")
_QUANTITY = pattern(r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*([KMGTPE]i?b?|k|m|g|b|mb|gb|kb)?\s*")
_MIB = {
    "": 1 / 1024**2, "b": 1 / 1024**2, "k": 1000 / 1024**2, "K": 1000 / 1024**2, "Ki": 1 / 1024,
    "M": 1000**2 / 1024**2, "Mi": 1, "G": 1000**3 / 1024**2, "Gi": 1024, "T": 1000**4 / 1024**2, "Ti": 1024**2,
    "P": 1000**5 / 1024**2, "Pi": 1024**3, "E": 1000**6 / 1024**2, "Ei": 1024**4,
}  # fmt: skip
_NUMERIC_SUFFIXES = ("_s", "_ms", "_mb", "_gb", "_mib", "_days", "_hours", "_minutes", "_bytes", "_count", "_percent", "_size")
_NUMERIC_ENDS = ("_threshold", "_capacity", "_concurrency", "_replicas", "_attempts", "_limit", "_factor", "_port", "_weight")
_NUMERIC = {"replicas", "ttl", "cpu", "cpu_limit", "cpu_request", "weight", "node_groups", "shard_count", "target_value", "port"}
_TEXTUAL = {"engine_version", "runtime", "version", "image", "schedule", "name", "identifier", "family", "handler"}
MAX_DEPTH = 8
"""Below this, an attribute is kept as it stands."""
_LISTS = {"function_response_types", "architectures", "records", "routes", "layers", "command", "args"}


def normal_attributes(kind: str, attributes: Mapping[str, Json]) -> dict[str, Json]:
    """A provider's attributes of one resource in normal form.

    What the table does not know is kept as it stands. A key that is already in normal form wins over an alias of it.
    Environment variables become `environment_keys`: names, never values.
    """
    kept: dict[str, Json] = {}
    derived: dict[str, Json] = {}
    for name, value in attributes.items():
        leaves = list(_leaves(name, value, depth=0))
        renamed = {key: leaf for path, leaf in leaves if (key := normal_key(kind, path)) is not None}
        for key, leaf in renamed.items():
            derived[key] = normal_value(key, leaf)
        if not renamed or len(renamed) < sum(1 for _, leaf in leaves if not isinstance(leaf, Mapping)):
            kept[name] = _without_environment_values(value) if renamed else _as_it_stands(name, value)
    return derived | kept if derived else kept


def normal_key(kind: str, path: str) -> str | None:
    """Our name for a provider's dotted path of this kind of resource; None when the table has none."""
    bare = canonical(path)
    return _aliases(kind).get(bare) or _aliases("*").get(bare)


def normal_value(key: str, value: Json, *, text: str = "") -> Json:
    """The value as this key has it: a number in the key's unit, a list, a truth value, or what it was.

    `text` is the value as it is written; versions are taken from it, since 15.10 is not 15.1.
    """
    last = key.rpartition(".")[2]
    if last in _TEXTUAL and isinstance(value, int | float) and not isinstance(value, bool):
        return text or str(value)
    if last in _LISTS and isinstance(value, str):
        return [value]
    if isinstance(value, str):
        return _from_text(last, value)
    return value


def canonical(path: str) -> str:
    """A path without letter case and separators of words; dots stay."""
    return _canonical(path)


@lru_cache(maxsize=20_000)
def snake(name: str) -> str:
    """`VPCZoneIdentifier` → `vpc_zone_identifier`; what is snake_case already stays."""
    broken = re.sub(r"([a-z0-9])([A-Z])|([A-Z]+)([A-Z][a-z])", lambda m: "_".join(g for g in m.groups() if g), name)
    return broken.replace("-", "_").lower()


def cores(value: Json) -> Json:
    """A Kubernetes or compose CPU quantity in cores: `500m` → 0.5."""
    if isinstance(value, str):
        digits = value.strip()
        if digits.endswith("m") and _NUMBER.fullmatch(digits[:-1]):
            return _number(float(digits[:-1]) / 1000)
        if _NUMBER.fullmatch(digits):
            return _number(float(digits))
    return value


def mebibytes(value: Json) -> Json:
    """A memory quantity in MiB: `1Gi` → 1024; a bare number is bytes."""
    if isinstance(value, bool):
        return value
    match = _QUANTITY.fullmatch(str(value)) if isinstance(value, int | float | str) else None
    if match is None:
        return value
    number, unit = float(match.group(1)), (match.group(2) or "")
    if unit == "m":  # milli-bytes are legal in Kubernetes and never meant; Docker means mebibytes
        return _number(number)
    if unit in ("g", "gb", "mb", "kb"):
        return _number(number * {"g": 1024, "gb": 1024, "mb": 1, "kb": 1 / 1024}[unit])
    factor = _MIB.get(unit) or _MIB.get(unit.removesuffix("b"), 1)
    return _number(round(number * factor, 3))


def seconds(value: Json) -> Json:
    """A duration in seconds: `5m` → 300, `1h30m` → 5400; numbers are seconds already."""
    if not isinstance(value, str):
        return value
    parts = _DURATION.findall(value)
    if parts and _DURATION.sub("", value).strip() == "":
        return _number(sum(float(number) * _UNITS_S[unit] for number, unit in parts))
    return _number(float(value)) if _NUMBER.fullmatch(value) else value


@lru_cache(maxsize=50_000)
def _canonical(path: str) -> str:
    return path.replace("_", "").replace("-", "").lower()


@cache
def _aliases(kind: str) -> dict[str, str]:
    names = ALIASES.get(kind, {})
    table = {canonical(path): key for key, paths in names.items() for path in paths.split()}
    return {canonical(key): key for key in names} | table


def _leaves(path: str, value: Json, *, depth: int) -> list[tuple[str, Json]]:
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [(path, value)]
    if not isinstance(value, Mapping) or depth > MAX_DEPTH:
        return [(path, value)]
    below = cast("Mapping[str, Json]", value)
    if canonical(path).endswith("environment.variables"):
        return [(path, sorted(below))]
    return [leaf for key, inner in below.items() for leaf in _leaves(f"{path}.{key}", inner, depth=depth + 1)]


def _as_it_stands(name: str, value: Json) -> Json:
    """An attribute that the table lacks: only a unit in its name makes a number of its text."""
    return value if isinstance(value, str) and value.lower() in ("true", "false") else normal_value(name, value)


def _without_environment_values(value: Json) -> Json:
    if not isinstance(value, Mapping):
        return value
    below = cast("Mapping[str, Json]", value)
    return {key: inner for key, inner in below.items() if canonical(key) != "variables"}


def _from_text(last: str, value: str) -> Json:
    if last.endswith("_mib"):
        return mebibytes(value)
    if last in ("cpu_limit", "cpu_request"):
        return cores(value)
    if last in _NUMERIC or last.endswith(_NUMERIC_SUFFIXES + _NUMERIC_ENDS):
        if _NUMBER.fullmatch(value):
            return _number(float(value))
        return seconds(value) if last.endswith("_s") else value
    if value in ("true", "false", "True", "False") and last not in _TEXTUAL:
        return value.lower() == "true"
    return value


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value
