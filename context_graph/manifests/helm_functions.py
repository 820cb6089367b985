"""The functions of Helm's templates that names and labels are made with (https://helm.sh/docs/chart_template_guide/function_list/)."""

import json
import re
from collections.abc import Callable, Mapping
from typing import cast

from gonogo.pattern import pattern

Given = tuple[object, ...]
"""The arguments; what is piped comes last."""
_MAX_TEXT = 20_000
_MAX_INDENT = 200
_VERB = pattern(r"%[sdvq]")
_HUMP = pattern(r"(?<=[a-z0-9])(?=[A-Z])|[ _]")


def truth(value: object) -> bool:
    """As `if` takes it: empty, zero and nil do not hold."""
    return bool(value)


def text_of(value: object) -> str:
    """As Go's templates print it. Raises TypeError for a list or a mapping."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError


def fields_of(value: object) -> Mapping[str, object]:
    """The mapping. Raises TypeError when it is none."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    raise TypeError


def _items(value: object) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    raise TypeError


def _whole(value: object) -> int:
    return int(float(text_of(value) or 0))


def _default(given: Given) -> object:
    fallback, *rest = given
    return rest[0] if rest and truth(rest[0]) else fallback


def _trunc(given: Given) -> object:
    length, text = _whole(given[0]), text_of(given[1])
    return text[:length] if length >= 0 else text[length:]


def _indent(given: Given) -> str:
    pad = " " * min(_MAX_INDENT, _whole(given[0]))
    return "\n".join(pad + line for line in text_of(given[1]).split("\n"))


def _printf(given: Given) -> object:
    left = iter(given[1:])

    def shown(match: re.Match[str]) -> str:
        text = text_of(next(left))
        return f'"{text}"' if match.group() == "%q" else text

    return _VERB.sub(shown, text_of(given[0]))


def _dict(given: Given) -> object:
    return {text_of(key): value for key, value in zip(given[::2], given[1::2], strict=True)}


def _and(given: Given) -> object:
    return next((one for one in given if not truth(one)), given[-1])


def _or(given: Given) -> object:
    return next((one for one in given if truth(one)), given[-1])


def _replaced(given: Given) -> object:
    return text_of(given[2])[:_MAX_TEXT].replace(text_of(given[0]), text_of(given[1]))[:_MAX_TEXT]


def _joined(given: Given) -> object:
    return text_of(given[0]).join(text_of(item) for item in _items(given[1]))


def _yaml(given: Given) -> object:
    """JSON is YAML; mappings and lists are written line by line so that they can be indented."""
    if isinstance(given[0], dict):
        return "\n".join(f"{json.dumps(key)}: {json.dumps(below)}" for key, below in fields_of(given[0:1][0]).items())
    if isinstance(given[0], list):
        return "\n".join(f"- {json.dumps(item)}" for item in _items(given[0:1][0]))
    return json.dumps(given[0])


FUNCTIONS: Mapping[str, Callable[[Given], object]] = {
    "default": _default,
    "coalesce": _or,
    "required": lambda given: given[1],
    "ternary": lambda given: given[0] if truth(given[2]) else given[1],
    "quote": lambda given: f'"{text_of(given[0])}"',
    "squote": lambda given: f"'{text_of(given[0])}'",
    "toString": lambda given: text_of(given[0]),
    "trunc": _trunc,
    "trim": lambda given: text_of(given[0]).strip(),
    "trimSuffix": lambda given: text_of(given[1]).removesuffix(text_of(given[0])),
    "trimPrefix": lambda given: text_of(given[1]).removeprefix(text_of(given[0])),
    "trimAll": lambda given: text_of(given[1]).strip(text_of(given[0])),
    "lower": lambda given: text_of(given[0]).lower(),
    "upper": lambda given: text_of(given[0]).upper(),
    "title": lambda given: text_of(given[0]).title(),
    "kebabcase": lambda given: _HUMP.sub("-", text_of(given[0])).lower(),
    "replace": _replaced,
    "join": _joined,
    "indent": _indent,
    "nindent": lambda given: "\n" + _indent(given),
    "printf": _printf,
    "print": lambda given: "".join(text_of(one) for one in given),
    "contains": lambda given: text_of(given[0]) in text_of(given[1]),
    "hasPrefix": lambda given: text_of(given[1]).startswith(text_of(given[0])),
    "hasSuffix": lambda given: text_of(given[1]).endswith(text_of(given[0])),
    "eq": lambda given: any(given[0] == other for other in given[1:]),
    "ne": lambda given: given[0] != given[1],
    "not": lambda given: not truth(given[0]),
    "empty": lambda given: not truth(given[0]),
    "and": _and,
    "or": _or,
    "dict": _dict,
    "list": list,
    "get": lambda given: fields_of(given[0]).get(text_of(given[1]), ""),
    "hasKey": lambda given: text_of(given[1]) in fields_of(given[0]),
    "int": lambda given: _whole(given[0]),
    "toYaml": _yaml,
}
"""Name → what it does. A TypeError, ValueError, LookupError or StopIteration means that it can't be told."""
