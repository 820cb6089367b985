"""The built-in functions that a manifest's own text settles. None of them reads a file, the clock or the network."""

import math
from collections.abc import Callable
from dataclasses import replace

from context_graph.manifests.json_source import JsonError, read_json
from context_graph.manifests.node import Node
from context_graph.manifests.terraform.call import MAX_ITEMS, MAX_TEXT, Call, Function, replace_arguments
from context_graph.manifests.terraform.list_functions import LIST_FUNCTIONS


def called(name: str, call: Call) -> Node | None:
    """The function's value, or None when it is not known here."""
    function = _FUNCTIONS.get(name)
    if function is None:
        return None
    try:
        found = function(call)
        return None if found is not None and isinstance(found.value, list | dict) and len(found.value) > MAX_ITEMS else found
    except (ValueError, ArithmeticError, IndexError, TypeError):
        return None


def _first(call: Call) -> Node | None:
    return call.arguments[0] if call.arguments else None


def _list(call: Call) -> Node | None:
    return call.arguments[0] if call.arguments and isinstance(call.arguments[0].value, list) else None


def _concat(call: Call) -> Node | None:
    items: list[Node] = []
    for argument in call.arguments:
        if isinstance(argument.value, list) and argument.is_known:
            items += argument.value
        else:
            items.append(argument)
    return Node(items, call.line, text=call.text)


def _merge(call: Call) -> Node | None:
    merged: dict[str, Node] = {}
    unknown = [argument for argument in call.arguments if not argument.is_known]
    for argument in call.arguments:
        merged |= argument.entries()
    references = tuple(r for argument in unknown for r in argument.references)
    known = [argument for argument in call.arguments if argument.entries()]
    at = known[0] if known else None
    return (
        Node(merged, at.line if at else call.line, text=call.text, references=references, file=at.file if at else None)
        if merged
        else None
    )


def _to_number(call: Call) -> Node | None:
    number = call.arguments[0].number()
    return None if number is None else replace(call.arguments[0], value=_whole(number))


def _to_string(call: Call) -> Node | None:
    string = call.arguments[0].string()
    return None if string is None else replace(call.arguments[0], value=string)


def _lookup(call: Call) -> Node | None:
    key = call.arguments[1].string()
    if not isinstance(call.arguments[0].value, dict) or key is None:
        return None
    return call.arguments[0].value.get(key) or (call.arguments[2] if len(call.arguments) > 2 else None)


def _text(change: Callable[[str], str]) -> Function:
    def apply(call: Call) -> Node | None:
        string = call.arguments[0].string()
        return None if string is None else replace(call.arguments[0], value=change(string))

    return apply


def _json_decode(call: Call) -> Node | None:
    """What was encoded here is a tree already; a text is read."""
    given = call.arguments[0]
    if given.tree is not None or isinstance(given.value, list | dict):
        return given.tree or given
    written = given.string()
    try:
        return replace(read_json(written[:MAX_TEXT], first_line=call.line), text=call.text) if written is not None else None
    except JsonError:
        return None


def _asked(question: Callable[[str, str], bool]) -> Function:
    def apply(call: Call) -> Node | None:
        string, part = call.arguments[0].string(), call.arguments[1].string()
        return None if string is None or part is None else Node(question(string, part), call.line, text=call.text)

    return apply


def _cut(change: Callable[[str, str], str]) -> Function:
    def apply(call: Call) -> Node | None:
        string, part = call.arguments[0].string(), call.arguments[1].string()
        return None if string is None or part is None else replace(call.arguments[0], value=change(string, part))

    return apply


def _substr(call: Call) -> Node | None:
    string, start, length = call.arguments[0].string(), call.arguments[1].number(), call.arguments[2].number()
    if string is None or start is None or length is None:
        return None
    begin = int(start) if start >= 0 else max(0, len(string) + int(start))
    return replace(call.arguments[0], value=string[begin:] if length < 0 else string[begin : begin + int(length)])


def _format_list(call: Call) -> Node | None:
    lists = [argument.items() if isinstance(argument.value, list) else None for argument in call.arguments[1:]]
    size = max((len(items) for items in lists if items is not None), default=0)
    if any(not argument.is_known for argument in call.arguments) or size > MAX_ITEMS:
        return None
    made: list[Node] = []
    for i in range(size):
        row = [items[i] if items is not None else call.arguments[n + 1] for n, items in enumerate(lists)]
        one = _format(replace_arguments(call, [call.arguments[0], *row]))
        if one is None:
            return None
        made.append(one)
    return Node(made, call.line, text=call.text)


def _join(call: Call) -> Node | None:
    separator = call.arguments[0].string()
    items = [item.string() for argument in call.arguments[1:] for item in argument.items()]
    if separator is None or None in items or not all(a.is_known for a in call.arguments):
        return None
    references = tuple(r for a in call.arguments for i in a.items() for r in i.references)
    return Node(separator.join(str(i) for i in items)[:MAX_TEXT], call.line, text=call.text, references=references)


def _split(call: Call) -> Node | None:
    separator, string = call.arguments[0].string(), call.arguments[1].string()
    if not separator or string is None:
        return None
    return Node([Node(part, call.line, text=part) for part in string[:MAX_TEXT].split(separator)], call.line, text=call.text)


def _replace(call: Call) -> Node | None:
    string, old, new = (argument.string() for argument in call.arguments[:3])
    if string is None or old is None or new is None or (len(old) > 1 and old.startswith("/") and old.endswith("/")):
        return None
    return replace(call.arguments[0], value=string.replace(old, new)[:MAX_TEXT] if old else string)


def _format(call: Call) -> Node | None:
    template = call.arguments[0].string()
    values = [argument.string() for argument in call.arguments[1:]]
    if template is None or None in values:
        return None
    parts = template.replace("%d", "%s").replace("%v", "%s").split("%s")
    if len(parts) != len(values) + 1 or "%" in "".join(parts).replace("%%", ""):
        return None
    woven = parts[0] + "".join(str(value) + part for value, part in zip(values, parts[1:], strict=True))
    references = tuple(r for argument in call.arguments for r in argument.references)
    return Node(woven.replace("%%", "%")[:MAX_TEXT], call.line, text=call.text, references=references)


def _coalesce(call: Call) -> Node | None:
    for argument in call.arguments:
        if not argument.is_known:
            return None
        if argument.value not in (None, "", []):
            return argument
    return None


def _try(call: Call) -> Node | None:
    return next((argument for argument in call.arguments if argument.is_known), None)


def _length(call: Call) -> Node | None:
    value = call.arguments[0].value
    known = call.arguments[0].is_known and isinstance(value, list | dict | str)
    return Node(len(value), call.line, text=call.text) if known and isinstance(value, list | dict | str) else None


def _keys(call: Call) -> Node | None:
    if not isinstance(call.arguments[0].value, dict):
        return None
    return Node(
        [Node(key, node.line, file=node.file) for key, node in sorted(call.arguments[0].value.items())], call.line, text=call.text
    )


def _values(call: Call) -> Node | None:
    if not isinstance(call.arguments[0].value, dict):
        return None
    return Node([node for _, node in sorted(call.arguments[0].value.items())], call.line, text=call.text)


def _element(call: Call) -> Node | None:
    items, number = call.arguments[0].value, call.arguments[1].number()
    return items[int(number) % len(items)] if isinstance(items, list) and items and number is not None else None


def _flatten(call: Call) -> Node | None:
    items: list[Node] = []
    stack = list(reversed(call.arguments[0].items()))
    while stack and len(items) <= MAX_ITEMS:
        item = stack.pop()
        if isinstance(item.value, list):
            stack += reversed(item.value)
        else:
            items.append(item)
    return Node(items, call.line, text=call.text)


def _compact(call: Call) -> Node | None:
    items = [i for i in call.arguments[0].items() if not (i.is_known and i.value in ("", None))]
    return replace(call.arguments[0], value=items) if call.arguments[0].is_known else None


def _contains(call: Call) -> Node | None:
    wanted, items = call.arguments[1].string(), call.arguments[0].items()
    if wanted is None or not call.arguments[0].is_known or any(not i.is_known for i in items):
        return None
    return Node(any(i.string() == wanted for i in items), call.line, text=call.text)


def _zipmap(call: Call) -> Node | None:
    keys = [key.string() for key in call.arguments[0].items()]
    return (
        Node({str(k): v for k, v in zip(keys, call.arguments[1].items(), strict=True)}, call.line, text=call.text)
        if None not in keys
        else None
    )


def _fold(choose: Callable[[list[float]], float]) -> Function:
    def apply(call: Call) -> Node | None:
        numbers = [argument.number() for argument in call.arguments]
        known = [number for number in numbers if number is not None]
        return Node(_whole(choose(known)), call.line, text=call.text) if known and len(known) == len(numbers) else None

    return apply


def _sum(call: Call) -> Node | None:
    return _fold(sum)(replace_arguments(call, call.arguments[0].items()))


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


_FUNCTIONS: dict[str, Function] = LIST_FUNCTIONS | {
    "jsonencode": _first, "yamlencode": _first, "sensitive": _first, "nonsensitive": _first, "tomap": _first, "ephemeralasnull": _first,
    "toset": _list, "tolist": _list, "sort": _list, "distinct": _list, "tonumber": _to_number, "tostring": _to_string,
    "tobool": _first, "concat": _concat, "merge": _merge, "lookup": _lookup, "join": _join, "split": _split, "replace": _replace,
    "format": _format, "coalesce": _coalesce, "coalescelist": _coalesce, "try": _try, "length": _length, "keys": _keys,
    "values": _values, "element": _element, "flatten": _flatten, "compact": _compact, "contains": _contains, "zipmap": _zipmap,
    "lower": _text(str.lower), "upper": _text(str.upper), "title": _text(str.title), "trimspace": _text(str.strip),
    "max": _fold(max), "min": _fold(min), "ceil": _fold(lambda n: math.ceil(n[0])), "floor": _fold(lambda n: math.floor(n[0])),
    "abs": _fold(lambda n: abs(n[0])), "sum": _sum, "jsondecode": _json_decode, "formatlist": _format_list,
    "startswith": _asked(str.startswith), "endswith": _asked(str.endswith), "strcontains": _asked(lambda s, p: p in s),
    "trimprefix": _cut(str.removeprefix), "trimsuffix": _cut(str.removesuffix), "trim": _cut(str.strip), "substr": _substr,
}  # fmt: skip
