"""HCL's binary operators over values that may be unknown: None means that the text does not settle it."""

import operator
from collections.abc import Callable

from context_graph.manifests.node import Node, Scalar


def whole(number: float) -> int | float:
    """The number without a needless fraction."""
    return int(number) if abs(number) < 1e18 and number == int(number) else number


def _arithmetic(apply: Callable[[float, float], float]) -> Callable[[Node, Node], Scalar]:
    def of(left: Node, right: Node) -> Scalar:
        a, b = left.number(), right.number()
        try:
            return whole(apply(a, b)) if a is not None and b is not None else None
        except (ArithmeticError, ValueError):
            return None

    return of


def _compared(apply: Callable[[float, float], bool]) -> Callable[[Node, Node], Scalar]:
    def of(left: Node, right: Node) -> Scalar:
        a, b = left.number(), right.number()
        return apply(a, b) if a is not None and b is not None else None

    return of


def _equal(left: Node, right: Node) -> Scalar:
    if not left.is_known or not right.is_known:
        return None
    if isinstance(left.value, list | dict) or isinstance(right.value, list | dict):
        return left.json() == right.json()
    return left.string() == right.string()


def _different(left: Node, right: Node) -> Scalar:
    same = _equal(left, right)
    return None if same is None else not same


def _both(left: Node, right: Node) -> Scalar:
    values = (left.string(), right.string())
    return False if "false" in values else True if values == ("true", "true") else None


def _either(left: Node, right: Node) -> Scalar:
    values = (left.string(), right.string())
    return True if "true" in values else False if values == ("false", "false") else None


BINARY: dict[str, Callable[[Node, Node], Scalar]] = {
    "+": _arithmetic(operator.add), "-": _arithmetic(operator.sub), "*": _arithmetic(operator.mul), "/": _arithmetic(lambda a, b: a / b),
    "%": _arithmetic(operator.mod), "==": _equal, "!=": _different, "&&": _both, "||": _either, ">": _compared(operator.gt),
    "<": _compared(operator.lt), ">=": _compared(operator.ge), "<=": _compared(operator.le),
}  # fmt: skip
