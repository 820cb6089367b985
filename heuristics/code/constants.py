"""The value of constant expressions: `5 * 60 * 1000`, `3 * time.Second`, `Duration.ofSeconds(3)`, `5.minutes`."""

import re
from collections.abc import Mapping

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.syntax import Node
from heuristics.code.views import CALL_KINDS, STRING_KINDS, call_of, string_of
from heuristics.code.word_sets import words

Value = int | float | str | bool

SECONDS = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0,
}  # fmt: skip
"""Seconds in one of each unit."""

_DEPTH_LIMIT = 60


class Constant(Record):
    """A value known from the text alone. `unit` is set when the expression itself says it; `null` has value None."""

    value: Value | None
    unit: str = ""
    seconds: float | None = None


def constant_of(node: Node, known: Mapping[str, Constant] | None = None, *, depth: int = 0) -> Constant | None:
    """The value of an expression, or None when it takes more than the text (and `known` names) to know it."""
    if depth > _DEPTH_LIMIT:
        return None
    kind = node.kind
    if kind in _WRAPPERS and len(node.named) == 1:
        return constant_of(node.named[0], known, depth=depth + 1)
    if kind in _NUMBERS:
        value = number(node.text)
        return None if value is None else Constant(value)
    if kind in STRING_KINDS:
        text = string_of(node)
        return None if text is None else Constant(text, *duration_text(text))
    if kind in ("true", "false", "True", "False", "boolean_literal", "boolean"):
        return Constant(node.text.strip().lower() == "true")
    if kind in _NULLS:
        return Constant(None)
    if kind in _BINARY and len(node.named) == 2:
        return _binary(node, known, depth)
    if kind in _UNARY and len(node.named) == 1 and node.text.lstrip().startswith("-"):
        inner = constant_of(node.named[0], known, depth=depth + 1)
        return Constant(-inner.value) if inner is not None and isinstance(inner.value, int | float) else None
    if kind in CALL_KINDS:
        return _called(node, known, depth)
    if kind in NAME_KINDS:
        return _named(node.text, known)
    return None


_NUMBERS = words(
    "integer float number int_literal float_literal integer_literal real_literal decimal_integer_literal decimal_floating_point_literal "
    "hex_integer_literal octal_integer_literal long_literal unsigned_literal hex_literal"
)
_NULLS = words("none null nil undefined null_literal None")
_BINARY = words(
    "binary_operator binary_expression binary multiplicative_expression additive_expression infix_expression shift_expression"
)
_UNARY = words("unary_operator unary_expression unary prefix_expression unary_op_expression prefix_unary_expression")
NAME_KINDS = words(
    "identifier constant simple_identifier name selector_expression attribute member_expression field_access navigation_expression "
    "scoped_identifier member_access_expression scope_resolution type_identifier"
)
_WRAPPERS = words(
    "parenthesized_expression parenthesized_statements literal_element argument value_argument expression_list literal long_literal as_expression "
    "satisfies_expression type_cast_expression block_body"
)


def number(text: str) -> int | float | None:
    """A numeric literal of any of the languages: separators, suffixes, hexadecimal, octal, binary."""
    plain = text.strip().replace("_", "").lower()
    if re.fullmatch(r"0x[0-9a-f]+[lun]*", plain):
        return int(plain.rstrip("lun"), 16)
    if re.fullmatch(r"0o?[0-7]+|0b[01]+", plain) and plain != "0":
        return int(plain.replace("0o", "0"), 8) if "b" not in plain else int(plain, 2)
    plain = re.sub(r"(?<=[\d.])([iuf](8|16|32|64|128|size)|[lunfdm]+)$", "", plain)
    if re.fullmatch(r"\d+", plain):
        return int(plain) if len(plain) < 40 else None
    if re.fullmatch(r"(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", plain):
        return float(plain)
    return None


def _binary(node: Node, known: Mapping[str, Constant] | None, depth: int) -> Constant | None:
    if depth == 0 and _is_long_chain(node):
        return None
    right = constant_of(node.named[1], known, depth=depth + 1)
    left = constant_of(node.named[0], known, depth=depth + 1) if right is not None else None
    operator = next((c.kind for c in node.children if not c.is_named), "")
    if left is None or right is None:
        return None
    a, b = left.value, right.value
    if isinstance(a, str) and isinstance(b, str) and operator == "+":
        return Constant(a + b)
    if not isinstance(a, int | float) or not isinstance(b, int | float):
        return None
    timed = left if left.seconds is not None else right if right.seconds is not None else None
    result = _arithmetic(operator, a, b)
    if result is None or timed is None:
        return None if result is None else Constant(result)
    if operator == "*":
        other = right if timed is left else left
        return Constant(result, timed.unit, (timed.seconds or 0.0) * float(other.value or 0))
    if operator in "+-" and left.seconds is not None and right.seconds is not None:
        total = left.seconds + right.seconds * (1 if operator == "+" else -1)
        return Constant(total, "s", total)
    if operator == "/" and left.seconds is not None and right.seconds is not None and right.seconds:
        return Constant(left.seconds / right.seconds)
    return Constant(result)


def _is_long_chain(node: Node) -> bool:
    """Whether an expression is too long to be a constant that somebody wrote: seen without evaluating it."""
    for side in (0, -1):
        inner, steps = node, 0
        while inner.kind in _BINARY and inner.named and steps <= _DEPTH_LIMIT:
            inner, steps = inner.named[side], steps + 1
        if steps > _DEPTH_LIMIT:
            return True
    return False


def _arithmetic(operator: str, a: float, b: float) -> float | None:
    try:
        match operator:
            case "*":
                return a * b
            case "+":
                return a + b
            case "-":
                return a - b
            case "/":
                quotient = a / b
                return int(quotient) if isinstance(a, int) and isinstance(b, int) and quotient.is_integer() else quotient
            case "//":
                return a // b
            case "%":
                return a % b
            case "**":
                return a**b if abs(b) <= 64 and abs(a) <= 1e6 else None
            case "<<":
                return int(a) << int(b) if 0 <= b <= 128 else None
            case _:
                return None
    except (ArithmeticError, ValueError):
        return None


_UNIT_OF_WORD = {
    "nanosecond": "ns", "nanos": "ns", "nano": "ns", "ns": "ns",
    "microsecond": "us", "micros": "us", "us": "us",
    "millisecond": "ms", "millis": "ms", "milli": "ms", "ms": "ms", "msec": "ms",
    "second": "s", "secs": "s", "sec": "s", "s": "s",
    "minute": "min", "mins": "min", "min": "min", "m": "min",
    "hour": "h", "hr": "h", "h": "h", "hrs": "h",
    "day": "d", "d": "d", "week": "w", "w": "w",
}  # fmt: skip


def unit_of_word(word: str) -> str:
    """The unit that a word names (`Seconds`, `ofMillis`, `from_secs`, `MINUTES`), or an empty text."""
    plain = re.sub(r"^(of|from|in|to|total)_?(?=[a-z])", "", word.lower()) or word.lower()
    return _UNIT_OF_WORD.get(plain, "") or _UNIT_OF_WORD.get(plain.removesuffix("s"), "")


_DURATION_CALLEES = pattern(
    r"(?i)^(?:(?:java\.time\.)?duration[.:]+(?:of|from_)?(?P<a>\w+)|(?:system\.)?timespan\.from(?P<b>\w+)|:timer\.(?P<c>\w+)|dur::(?P<d>\w+)"
    r"|(?:carbon\w*|dateinterval|cdk\.duration|time)[.:]+(?P<e>millis|seconds|minutes|hours|days))$"
)


def _called(node: Node, known: Mapping[str, Constant] | None, depth: int) -> Constant | None:
    call = call_of(node)
    if call is None:
        return None
    values = [constant_of(a.value, known, depth=depth + 1) for a in call.arguments[:4]] if call.arguments else []
    if call.name == "timedelta" and call.arguments:
        return _timedelta([a.name for a in call.arguments], values)
    first = values[0] if len(call.arguments) >= 1 else None
    if not call.arguments:
        return _suffixed(node, known, depth)
    if len(call.arguments) == 1 and first is not None and isinstance(first.value, int | float):
        found = _DURATION_CALLEES.match(call.callee)
        unit = unit_of_word(next((g for g in found.groups() if g), "")) if found else ""
        if unit:
            return Constant(first.value, unit, first.value * SECONDS[unit])
        if call.callee in (
            "time.Duration",
            "int",
            "float",
            "Number",
            "int64",
            "float64",
            "int32",
            "uint",
            "uint64",
            "Decimal",
            "BigInt",
            "Integer",
            "Long.valueOf",
        ):
            return Constant(first.value, first.unit, first.seconds)
        scale = re.fullmatch(r"TimeUnit\.(\w+)\.to(\w+)", call.callee)
        if scale and (source := unit_of_word(scale[1])) and (target := unit_of_word(scale[2])):
            seconds = first.value * SECONDS[source]
            return Constant(seconds / SECONDS[target], target, seconds)
    if len(call.arguments) == 1 and call.name == "ms" and first is not None and first.seconds is not None:
        return Constant(first.seconds * 1000, "ms", first.seconds)
    if call.callee == "Duration.parse" and first is not None:
        return first
    return None


def _suffixed(node: Node, known: Mapping[str, Constant] | None, depth: int) -> Constant | None:
    """Ruby's `5.minutes` (a call without arguments)."""
    receiver = node.field("receiver")
    method = node.field("method")
    if receiver is None or method is None:
        return None
    inner, unit = constant_of(receiver, known, depth=depth + 1), unit_of_word(method.text)
    if inner is None or not isinstance(inner.value, int | float):
        return None
    if method.text in ("to_i", "to_f", "in_seconds", "seconds") and inner.seconds is not None:
        return Constant(inner.seconds, "s", inner.seconds)
    if method.text == "in_milliseconds" and inner.seconds is not None:
        return Constant(inner.seconds * 1000, "ms", inner.seconds)
    scale = {"kilobytes": 10, "megabytes": 20, "gigabytes": 30}.get(method.text + ("" if method.text.endswith("s") else "s"))
    if scale is not None:
        return Constant(inner.value * 2**scale)
    return Constant(inner.value, unit, inner.value * SECONDS[unit]) if unit else None


def _timedelta(names: list[str | None], values: list[Constant | None]) -> Constant | None:
    order = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
    total, unit = 0.0, "s"
    for position, (name, constant) in enumerate(zip(names, values, strict=False)):
        word = unit_of_word(name or (order[position] if position < len(order) else ""))
        if constant is None or not isinstance(constant.value, int | float) or not word:
            return None
        total, unit = total + constant.value * SECONDS[word], word
    if len(names) == 1 and values[0] is not None and isinstance(values[0].value, int | float):
        return Constant(values[0].value, unit, total)
    return Constant(total, "s", total)


_UNIT_CONSTANTS = pattern(r"^(?:time|TimeUnit|ChronoUnit|DateUtils|Time)[.:]+(\w+)$")


def _named(text: str, known: Mapping[str, Constant] | None) -> Constant | None:
    if text in ("true", "false", "True", "False"):
        return Constant(text.lower() == "true")
    if text in ("undefined", "nil", "None", "null"):
        return Constant(None)
    found = _UNIT_CONSTANTS.match(text)
    if found and (unit := unit_of_word(found[1])):
        return Constant(1, unit, SECONDS[unit])
    suffix = re.fullmatch(r"(\d[\d_]*)\.(\w+)", text)  # Kotlin: 3.seconds
    if suffix and (unit := unit_of_word(suffix[2])):
        value = int(suffix[1].replace("_", ""))
        return Constant(value, unit, value * SECONDS[unit])
    return known.get(text) if known else None


def duration_text(text: str) -> tuple[str, float | None]:
    """Unit and seconds of `500ms`, `30s`, `1h30m`, `PT5S`, `5 minutes`."""
    plain = text.strip()
    iso = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", plain)
    if iso and any(iso.groups()):
        hours, minutes, seconds = (float(g or 0) for g in iso.groups())
        return "s", hours * 3600 + minutes * 60 + seconds
    if len(plain) > 24 or not re.fullmatch(r"(?:\d+(?:\.\d+)?\s*[a-zA-Z]+\s*)+", plain):
        return "", None
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]+)", plain)
    units = [unit_of_word(word) for _, word in parts]
    if not all(units):
        return "", None
    return units[-1], sum(float(amount) * SECONDS[unit] for (amount, _), unit in zip(parts, units, strict=True))
