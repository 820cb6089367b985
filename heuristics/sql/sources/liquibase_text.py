"""XML and YAML as one kind of tree with lines; nothing in it is resolved or fetched."""

import re
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, cast

from gonogo.record import Record

if TYPE_CHECKING:
    from yaml.nodes import Node

_DEEPEST = 40
_MOST = 100_000
_LONGEST = 2_000_000


class Element(Record, frozen=False):
    """An element or key, with its lines, its scalar attributes, its children and its text."""

    name: str
    line: int
    end_line: int = 0
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: "list[Element]" = field(default_factory=list["Element"])
    content: str = ""
    text_line: int = 0
    is_scalar: bool = False

    def text(self, name: str) -> str | None:
        """An attribute, or the text of the child of that name."""
        if name in self.attributes:
            return self.attributes[name]
        return next((c.content.strip() for c in self.children if c.name == name), None)

    def child(self, name: str) -> "Element | None":
        """The first child of that name."""
        return next((c for c in self.children if c.name == name), None)

    def below(self, name: str) -> "Iterator[Element]":
        """Every element of that name, in order."""
        stack: list[Element] = [self]
        while stack:
            found = stack.pop()
            if found.name == name:
                yield found
            else:
                stack.extend(reversed(found.children))


def read_xml(text: str) -> Element | None:
    """The tree of an XML document; None when it is broken or declares entities."""
    from xml.parsers import expat  # noqa: PLC0415 - entities are refused below

    root = Element("", 1)
    open_elements = [root]
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > _DEEPEST:
            raise ValueError("nested too deep")
        element = Element(name.rpartition(":")[2], parser.CurrentLineNumber, attributes=dict(attributes))
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop().end_line = parser.CurrentLineNumber

    def characters(data: str) -> None:
        element = open_elements[-1]
        element.text_line = element.text_line or parser.CurrentLineNumber
        element.content += data

    def refuse(*_: object) -> None:
        raise ValueError("entities are not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = refuse
    parser.buffer_text = True
    try:
        parser.Parse(text, True)  # noqa: FBT003 - expat's own argument
    except (expat.ExpatError, ValueError):
        return None
    return root


def read_yaml(text: str) -> Element | None:
    """The tree of a YAML or JSON document; None when it is broken, aliased or nested too deep."""
    import yaml  # noqa: PLC0415 - only a changelog needs it

    if len(text) > _LONGEST or _flow_depth(text) > _DEEPEST:
        return None

    try:
        node = cast("Node | None", yaml.compose(text, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType] - PyYAML has no types here
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if node is None:
        return None
    root = Element("", 1)
    budget = [_MOST]
    return root if _fill(root, node, depth=0, budget=budget) else None


def _flow_depth(text: str) -> int:
    """How deep brackets can be nested; the parser's time grows with the square of it."""
    depth = deepest = 0
    for sign in re.findall(r"[\[{\]}]", text):
        depth += 1 if sign in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _fill(element: Element, node: "Node", *, depth: int, budget: list[int]) -> bool:
    from yaml.nodes import MappingNode, ScalarNode, SequenceNode  # noqa: PLC0415

    budget[0] -= 1
    if depth > _DEEPEST or budget[0] < 0:
        return False
    element.end_line = node.end_mark.line + (0 if node.end_mark.column == 0 else 1)
    if isinstance(node, ScalarNode):
        element.content, element.is_scalar = str(node.value), True
        element.text_line = node.start_mark.line + (2 if node.style in ("|", ">") else 1)
        return True
    if isinstance(node, MappingNode):
        for key, value in node.value:  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - PyYAML has no types here
            child = Element(str(key.value), key.start_mark.line + 1)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            if not _fill(child, value, depth=depth + 1, budget=budget):  # pyright: ignore[reportUnknownArgumentType]
                return False
            element.children.append(child)
        return True
    if isinstance(node, SequenceNode):
        for value in node.value:  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            child = Element("-", value.start_mark.line + 1)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            if not _fill(child, value, depth=depth + 1, budget=budget):  # pyright: ignore[reportUnknownArgumentType]
                return False
            element.children.append(child)
    return True
