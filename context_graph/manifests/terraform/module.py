"""A module: the blocks of one directory, and an instance of it with its arguments, locals and outputs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

from context_graph.manifests.node import Node, Reference
from context_graph.manifests.production_stage import LAPTOP_STAGES, names_the_stage, production_among
from context_graph.manifests.terraform.expressions import Evaluation, pairs
from context_graph.manifests.terraform.syntax import Attribute, Block
from gonogo.pattern import pattern
from gonogo.record import Record

_MAP_KEY = pattern(r"""[{\s,"']([a-z]{3,10})["']?\s*[=:](?!=)|==\s*["']([a-z]{3,10})["']""")
MAX_MODULE_DEPTH = 12
MAX_DYNAMIC = 400
"""Blocks that `dynamic` may make of one resource, nested ones multiplied."""
_COMPUTED = {"arn", "id", "invoke_arn", "url", "endpoint", "address", "dns_name", "qualified_arn", "unique_id"}
_IDS_THAT_ARE_NAMES = {"aws_s3_bucket": "bucket"}


class Definition(Record, frozen=False):
    """The blocks of one directory, sorted by what they are."""

    directory: str
    resources: dict[str, Block] = field(default_factory=dict[str, Block])
    data: dict[str, Block] = field(default_factory=dict[str, Block])
    variables: dict[str, Block] = field(default_factory=dict[str, Block])
    local_values: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    outputs: dict[str, Block] = field(default_factory=dict[str, Block])
    modules: dict[str, Block] = field(default_factory=dict[str, Block])
    moved: list[Block] = field(default_factory=list[Block])

    def add(self, blocks: Iterable[Block]) -> None:
        """Sorts in the blocks of one file."""
        for block in blocks:
            labels = block.labels
            if block.type == "resource" and len(labels) == 2:
                self.resources[".".join(labels)] = block
            elif block.type == "data" and len(labels) == 2:
                self.data["data." + ".".join(labels)] = block
            elif block.type == "variable" and labels:
                self.variables[labels[0]] = block
            elif block.type == "locals":
                self.local_values |= block.attributes
            elif block.type == "output" and labels:
                self.outputs[labels[0]] = block
            elif block.type == "module" and labels:
                self.modules[labels[0]] = block
            elif block.type == "moved":
                self.moved.append(block)


class Instance:
    """One use of a definition; values are computed when they are asked for, once.

    `child` gives the instance behind a module call of this directory, or None when its source is not in the tree.
    """

    def __init__(
        self,
        definition: Definition,
        *,
        prefix: str = "",
        arguments: Mapping[str, Callable[[], Node]] | None = None,
        child: Callable[["Instance", str], "list[Instance] | None"],
        depth: int = 0,
        copies: int = 1,
    ) -> None:
        self.definition, self.prefix, self.depth, self.copies = definition, prefix, depth, copies
        self._arguments = arguments or {}
        self._child = child
        self._values: dict[tuple[str, ...], Node] = {}
        self._open: set[tuple[str, ...]] = set()

    def evaluation(self, file: str, loop: Mapping[str, Node] | None = None) -> Evaluation:
        """What expressions of this instance mean."""
        return Evaluation(self, file, loop or {})

    @cached_property
    def _production(self) -> str:
        """What the stage of production is called in the maps of this module; empty when they have none."""
        written = [attribute.expression.text for attribute in self.definition.local_values.values()]
        written += [
            d.expression.text for b in self.definition.variables.values() if (d := b.attributes.get("default")) is not None
        ]
        written += [a.expression.text for b in self.definition.resources.values() for a in b.attributes.values()]
        return production_among(key for text in written for found in _MAP_KEY.findall(text[:20_000]) for key in found)

    def named(self, path: tuple[str, ...], line: int) -> Node:
        """The value of a traversal; an unknown with a reference when it is another resource's."""
        first = path[0] if path else ""
        if first in ("var", "local", "module") and len(path) > 1:
            return self._walked(path, line)
        if path == ("terraform", "workspace") and self._production:
            return Node(self._production, line, text="terraform.workspace")
        if first in ("each", "count", "self", "path", "terraform"):
            return Node(None, line, is_known=False)
        return self._resource(path, line)

    def _walked(self, path: tuple[str, ...], line: int) -> Node:
        if path[0] == "module":
            return self._output(path, line)
        value = self._cached(path[:2], self._variable if path[0] == "var" else self._local)
        for name in path[2:]:
            bare = name[1:-1] if name.startswith("[") else name
            if isinstance(value.value, dict) and bare in value.value:
                value = value.value[bare]
            elif isinstance(value.value, list) and bare.isdigit() and int(bare) < len(value.value):
                value = value.value[int(bare)]
            else:
                value = Node(None, line, is_known=False, references=value.references)
        return value

    def _cached(self, key: tuple[str, ...], compute: Callable[[str], Node]) -> Node:
        if key not in self._values:
            if key in self._open or len(self._open) > 40:
                return Node(None, 0, text="(refers to itself)", is_known=False)
            self._open.add(key)
            self._values[key] = compute(key[1])
            self._open.discard(key)
        return self._values[key]

    def _variable(self, name: str) -> Node:
        if name in self._arguments:
            return self._completed(name, self._arguments[name]())
        block = self.definition.variables.get(name)
        default = block.attributes.get("default") if block is not None else None
        if default is None:
            return Node(None, block.line if block else 0, text=f"var.{name}", is_known=False)
        if names_the_stage(name) and default.expression.text.strip("\"'") in LAPTOP_STAGES and self._production:
            return Node(self._production, block.line if block else 0, text=f"var.{name}")
        return self._completed(name, self.evaluation(default.file).value(default.expression))

    def _completed(self, name: str, value: Node) -> Node:
        """`optional(type, default)` in the variable's type gives what the value lacks."""
        block = self.definition.variables.get(name)
        written = block.attributes.get("type") if block is not None else None
        if written is None or not isinstance(value.value, dict) or "optional(" not in written.expression.text:
            return value
        return _with_optionals(value, self.evaluation(written.file), written)

    def _local(self, name: str) -> Node:
        attribute = self.definition.local_values.get(name)
        if attribute is None:
            return Node(None, 0, text=f"local.{name}", is_known=False)
        return self.evaluation(attribute.file).value(attribute.expression)

    def _output(self, path: tuple[str, ...], line: int) -> Node:
        names = [name for name in path[1:] if not name.startswith("[")]
        children = self._child(self, names[0]) if names else None
        if children is None:
            target = (Reference(f"{self.prefix}module.{names[0]}", names[1] if len(names) > 1 else "", line),) if names else ()
            return Node(None, line, is_known=False, references=target)
        if len(names) < 2:
            return Node(None, line, is_known=False)
        index = path[2] if len(path) > 2 and path[2].startswith("[") else ""
        wanted = f'module.{names[0]}["{index[1:-1]}"].'
        chosen = [child for child in children if child.prefix.endswith(wanted)] or children
        values = [child.output(names[1]) for child in chosen]
        if len(values) == 1:
            value = values[0]
            for name in names[2:]:
                value = value.entries().get(name) or Node(None, line, is_known=False, references=value.references)
            return value
        references = tuple(dict.fromkeys(r for value in values for r in value.references))
        return Node(None, line, is_known=False, references=references)

    def output(self, name: str) -> Node:
        """An output of this instance."""
        return self._cached(("output", name), self._output_value)

    def _output_value(self, name: str) -> Node:
        block = self.definition.outputs.get(name)
        value = block.attributes.get("value") if block is not None else None
        if value is None:
            return Node(None, 0, text=f"output.{name}", is_known=False)
        return self.evaluation(value.file).value(value.expression)

    def _resource(self, path: tuple[str, ...], line: int) -> Node:
        is_data = path[0] == "data"
        names = [name for name in path if not name.startswith("[")]
        size = 3 if is_data else 2
        address = ".".join(names[:size])
        block = (self.definition.data if is_data else self.definition.resources).get(address)
        attribute = names[size] if len(names) > size else ""
        if block is None:
            return Node(None, line, is_known=False)
        reference = (Reference(self.prefix + address, attribute, line),)
        if is_data and block.labels[0] == "aws_iam_policy_document" and attribute in ("json", "minified_json"):
            return replace(self._cached(("data", address), self._document), references=reference)
        if attribute == "id" and block.labels[0] in _IDS_THAT_ARE_NAMES:
            attribute = _IDS_THAT_ARE_NAMES[block.labels[0]]
        written = block.attributes.get(attribute)
        is_single = "count" not in block.attributes and "for_each" not in block.attributes
        if written is None or not is_single or attribute in _COMPUTED or is_data:
            return Node(None, line, is_known=False, references=reference)
        value = self._cached(
            ("attribute", f"{address}.{attribute}"), lambda _: self.evaluation(written.file).value(written.expression)
        )
        return replace(value, references=(*reference, *value.references))

    def _document(self, address: str) -> Node:
        block = self.definition.data[address]
        body = block_node(block, self, {})
        statements = [statement for key, node in body.entries().items() if key == "statement" for statement in node.items()]
        return Node(
            {"Statement": Node(statements, block.line, file=block.file)}, block.line, file=block.file, end_line=block.end_line
        )


def block_node(block: Block, instance: Instance, loop: Mapping[str, Node], depth: int = 0, room: int = MAX_DYNAMIC) -> Node:
    """A block's attributes and nested blocks as one mapping; a block type that stands several times is a list."""
    at = instance.evaluation(block.file, loop)
    entries: dict[str, Node] = {}
    for name, attribute in block.attributes.items():
        value = at.value(attribute.expression)
        entries[name] = value if value.line else replace(value, line=attribute.line)
    repeated: dict[str, list[Node]] = {}
    for inner in block.blocks:
        if depth > 20:
            break
        if inner.type == "dynamic" and inner.labels:
            repeated.setdefault(inner.labels[0], []).extend(_dynamic(inner, instance, loop, depth, room))
        else:
            repeated.setdefault(inner.type, []).append(block_node(inner, instance, loop, depth + 1, room))
    for name, nodes in repeated.items():
        entries[name] = nodes[0] if len(nodes) == 1 else Node(nodes, nodes[0].line if nodes else block.line, file=block.file)
    return Node(entries, block.line, end_line=block.end_line, file=block.file)


def _dynamic(block: Block, instance: Instance, loop: Mapping[str, Node], depth: int, room: int) -> list[Node]:
    content = next((inner for inner in block.blocks if inner.type == "content"), None)
    each = block.attributes.get("for_each")
    if content is None or each is None:
        return []
    name = block.labels[0]
    iterator = block.attributes.get("iterator")
    if iterator is not None:
        name = iterator.expression.text
    source = instance.evaluation(block.file, loop).value(each.expression)
    items = pairs(source)
    if items is None:
        items = [(Node(None, block.line, is_known=False), Node(None, block.line, is_known=False, references=source.references))]
    found: list[Node] = []
    chosen = items[: max(1, room)]
    for key, value in chosen:
        inside = dict(loop) | {name: Node({"key": key, "value": value}, block.line)}
        found.append(block_node(content, instance, inside, depth + 1, room // len(chosen)))
    return found


def _with_optionals(value: Node, at: Evaluation, attribute: Attribute) -> Node:
    entries = dict(value.entries())
    stack = [attribute.expression]
    defaults: dict[str, Node] = {}
    steps = 0
    while stack and steps < 2_000:
        node = stack.pop()
        steps += 1
        if node.type == "object_elem" and len(node.children) >= 3:
            key = node.children[0].text
            call = node.children[-1].children[0] if node.children[-1].children else None
            if call is not None and call.type == "function_call" and call.children[0].text == "optional":
                listed = next((child for child in call.children if child.type == "function_arguments"), None)
                parts = [child for child in listed.children if child.type == "expression"] if listed is not None else []
                if len(parts) == 2:
                    defaults[key] = at.value(parts[1])
                continue
        stack += reversed(node.children)
    return replace(value, value={**{k: v for k, v in defaults.items() if k not in entries}, **entries})
