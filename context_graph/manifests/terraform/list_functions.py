"""The built-in functions over lists and sets: which elements there are, and in which order."""

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from context_graph.manifests.node import Node
from context_graph.manifests.terraform.call import MAX_ITEMS, Call, Function


def _range(call: Call) -> Node | None:
    numbers = [argument.number() for argument in call.arguments]
    whole = [int(number) for number in numbers if number is not None and number == int(number)]
    if len(whole) != len(numbers) or not 1 <= len(whole) <= 3:
        return None
    made = range(*whole)
    return Node([Node(i, call.line, text=str(i)) for i in made], call.line, text=call.text) if len(made) <= MAX_ITEMS else None


def _slice(call: Call) -> Node | None:
    items, start, end = call.arguments[0].value, call.arguments[1].number(), call.arguments[2].number()
    if not isinstance(items, list) or not call.arguments[0].is_known or start is None or end is None:
        return None
    return replace(call.arguments[0], value=items[int(start) : int(end)])


def _reverse(call: Call) -> Node | None:
    items = call.arguments[0].value
    return replace(call.arguments[0], value=items[::-1]) if isinstance(items, list) and call.arguments[0].is_known else None


def _one(call: Call) -> Node | None:
    """The only element; of a splat over resources, whatever they are."""
    items = call.arguments[0].value
    if isinstance(items, list) and call.arguments[0].is_known:
        return items[0] if len(items) == 1 else Node(None, call.line, text=call.text) if not items else None
    return None


def _sets(keep: Callable[[list[set[str]]], set[str]]) -> Function:
    def apply(call: Call) -> Node | None:
        known: dict[str, Node] = {}
        sets: list[set[str]] = []
        for argument in call.arguments:
            words = [(item.string(), item) for item in argument.items()]
            if not argument.is_known or any(word is None for word, _ in words):
                return None
            known = {str(word): item for word, item in words} | known
            sets.append({str(word) for word, _ in words})
        return Node([known[word] for word in sorted(keep(sets))], call.line, text=call.text)

    return apply


def _product(call: Call) -> Node | None:
    lists = [argument.value for argument in call.arguments]
    if any(not isinstance(items, list) or not argument.is_known for items, argument in zip(lists, call.arguments, strict=True)):
        return None
    known = [items for items in lists if isinstance(items, list)]
    if math.prod(len(items) for items in known) > MAX_ITEMS:
        return None
    return Node([Node(list(row), call.line) for row in itertools.product(*known)], call.line, text=call.text)


def _all_or_any(decide: Callable[[Iterable[bool]], bool]) -> Function:
    def apply(call: Call) -> Node | None:
        words = [item.string() for item in call.arguments[0].items()]
        if not call.arguments[0].is_known or None in words:
            return None
        return Node(decide(word == "true" for word in words), call.line, text=call.text)

    return apply


LIST_FUNCTIONS: dict[str, Function] = {
    "range": _range, "slice": _slice, "reverse": _reverse, "one": _one, "setproduct": _product,
    "setunion": _sets(lambda s: set[str]().union(*s)), "setintersection": _sets(lambda s: s[0].intersection(*s[1:])),
    "setsubtract": _sets(lambda s: s[0].difference(*s[1:])), "alltrue": _all_or_any(all), "anytrue": _all_or_any(any),
}  # fmt: skip
