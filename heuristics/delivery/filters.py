"""What a subscription, rule or mapping lets through: fields of a message and the values that each of them may have."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from gonogo.word import Json

FILTER_ROOT = pattern(
    r"(?i)(filter_policy|event_pattern|filter_criteria(?:\.filters?)?(?:\.\d+)?\.pattern|filter_patterns?(?:\.\d+)?|filters?(?:\.\d+)?(?:\.pattern)?)(?:\.|$)"
)
_OPERATORS = ("prefix", "suffix", "anything_but", "equals_ignore_case", "exists", "numeric", "cidr", "wildcard")
_ATTRIBUTE = pattern(r"""attributes[.:]\s*["']?([\w-]+)["']?\s*(!?=)\s*["']([^"']*)["']""")
_HAS_PREFIX = pattern(r"""hasPrefix\(\s*attributes[.:]\s*["']?([\w-]+)["']?\s*,\s*["']([^"']*)["']""")
_SIZE_LIMIT = 50_000


class Allowed(Record):
    """One way in which a field may match. An operator that is not understood lets everything through."""

    operator: str
    value: str

    def lets(self, value: str) -> bool:
        """Whether a message with this value passes."""
        match self.operator:
            case "equals":
                return value == self.value
            case "prefix":
                return value.startswith(self.value)
            case "suffix":
                return value.endswith(self.value)
            case "equals_ignore_case":
                return value.lower() == self.value.lower()
            case "anything_but":
                return value != self.value
            case _:
                return True


def filter_of(declared: Declared) -> Mapping[str, tuple[Allowed, ...]]:
    """Field → what it may be; every field must match. Empty when nothing is filtered or the filter is not understood."""
    found: dict[str, list[Allowed]] = {}
    for key, setting in declared.settings.items():
        root = FILTER_ROOT.match(key)
        if root is None:
            continue
        path = [part for part in key[root.end() :].split(".") if part and not part.isdigit()]
        for field, allowed in _leaves(path, setting.value):
            found.setdefault(field, []).append(allowed)
    return {field: tuple(dict.fromkeys(ways)) for field, ways in found.items()}


def lets_through(ways: Sequence[Allowed], value: str) -> bool:
    """Whether a field with these ways lets a value through."""
    excluded = [w for w in ways if w.operator == "anything_but"]
    others = [w for w in ways if w.operator != "anything_but"]
    return any(w.lets(value) for w in others) or (bool(excluded) and all(w.lets(value) for w in excluded))


def _leaves(path: Sequence[str], value: Json) -> Iterator[tuple[str, Allowed]]:
    pending: list[tuple[tuple[str, ...], object]] = [(tuple(path), value)]
    steps = 0
    while pending and steps < 2_000:
        steps += 1
        at, one = pending.pop(0)
        if isinstance(one, Mapping):
            pending += [((*at, str(k)), v) for k, v in cast("Mapping[object, object]", one).items()]
        elif isinstance(one, list | tuple):
            pending += [(at, v) for v in cast("Sequence[object]", one)]
        elif isinstance(one, str) and one.lstrip().startswith("{") and len(one) < _SIZE_LIMIT:
            pending.append((at, _parsed(one)))
        elif isinstance(one, str) and not at:
            yield from _expression(one)
        elif at and one is not None:
            yield from _leaf(at, one)


def _leaf(path: Sequence[str], value: object) -> Iterator[tuple[str, Allowed]]:
    words = [part.replace("-", "_") for part in path]
    operator = "equals"
    while words and words[-1].lower() in _OPERATORS:
        operator = words.pop().lower()
    if words:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield words[-1], Allowed(operator, text)


def _expression(text: str) -> Iterator[tuple[str, Allowed]]:
    """`attributes.type = "paid" OR hasPrefix(attributes.type, "x")` of Pub/Sub."""
    for name, sign, value in _ATTRIBUTE.findall(text[:_SIZE_LIMIT]):
        yield name.replace("-", "_"), Allowed("equals" if sign == "=" else "anything_but", value)
    for name, value in _HAS_PREFIX.findall(text[:_SIZE_LIMIT]):
        yield name.replace("-", "_"), Allowed("prefix", value)


def _parsed(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None
