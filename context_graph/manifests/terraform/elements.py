"""What a block stands for: one resource or module, or one for each element of its `for_each`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from context_graph.manifests.node import Node
from context_graph.manifests.terraform.expressions import Evaluation, pairs
from context_graph.manifests.terraform.syntax import Block

MAX_ELEMENTS = 60


class _Instance(Protocol):
    def evaluation(self, file: str, loop: Mapping[str, Node] | None = None) -> Evaluation:
        """What expressions mean where the block stands."""
        ...


def elements(block: Block, instance: _Instance) -> list[tuple[str, Mapping[str, Node], bool]]:
    """(index in the address, loop variables, conditional) of each element that the block stands for."""
    unknown = Node(None, block.line, is_known=False)
    each, count = block.attributes.get("for_each"), block.attributes.get("count")
    if each is not None:
        source = instance.evaluation(block.file).value(each.expression)
        items = pairs(source)
        if items is not None and 0 < len(items) <= MAX_ELEMENTS:
            is_set = isinstance(source.value, list)
            keyed = [(value if is_set else key, value) for key, value in items]
            if all(key.string() is not None for key, _ in keyed):
                return [
                    (f'["{key.string()}"]', {"each": Node({"key": key, "value": value}, block.line)}, False)
                    for key, value in keyed
                ]
        return [("", {"each": replace(unknown, references=source.references)}, True)]
    if count is not None:
        number = instance.evaluation(block.file).value(count.expression)
        is_literal = count.expression.text.strip().isdigit() and number.number() not in (None, 0)
        index = Node(0, block.line) if number.number() == 1 else unknown
        return [("", {"count": Node({"index": index}, block.line)}, not is_literal)]
    return [("", {}, False)]
