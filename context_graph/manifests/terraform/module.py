"""A module: the blocks of one directory, and an instance of it with its arguments, locals and outputs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from context_graph.manifests.node import Node, Reference
from context_graph.manifests.production_stage import LAPTOP_STAGES, names_the_stage, production_among
from context_graph.manifests.terraform.elements import elements
from context_graph.manifests.terraform.expressions import Evaluation, pairs
from context_graph.manifests.terraform.json_text import nested_references
from context_graph.manifests.terraform.syntax import Attribute, Block
from context_graph.manifests.terraform.types import completed
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
        return _inside(value, path[2:], line)

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
        if written is None or not isinstance(value.value, dict | list) or "optional(" not in written.expression.text:
            return value
        return completed(value, written.expression, self.evaluation(written.file).value)

    def _local(self, name: str) -> Node:
        attribute = self.definition.local_values.get(name)
        if attribute is None:
            return Node(None, 0, text=f"local.{name}", is_known=False)
        return self.evaluation(attribute.file).value(attribute.expression)

    def _output(self, path: tuple[str, ...], line: int) -> Node:
        name, *rest = path[1:]
        index = rest.pop(0)[1:-1] if rest and rest[0].startswith("[") else ""
        children = self._child(self, name)
        if children is None:
            module = self.definition.modules.get(name)
            keyed = (
                f'module.{name}["{index}"]'
                if module is not None and index in self._keys(name, module).entries()
                else f"module.{name}"
            )
            reference = Reference(self.prefix + keyed, rest[0] if rest else "", line)
            return Node(None, line, is_known=False, references=(reference,))
        chosen = [child for child in children if child.prefix.endswith(f'module.{name}["{index}"].')] or children
        if len(chosen) == 1 and not (chosen[0].prefix.endswith('"].') and not index):
            return _inside(chosen[0].output(rest[0]), rest[1:], line) if rest else chosen[0].all_outputs(line)
        if not rest:
            start = len(self.prefix) + len(f'module.{name}["')
            return Node({child.prefix[start:-3]: child.all_outputs(line) for child in chosen}, line)
        values = [child.output(rest[0]) for child in chosen]
        references = tuple(dict.fromkeys(r for value in values for _, below in value.mentions() for r in below.references))
        return Node(None, line, is_known=False, references=references)

    def all_outputs(self, line: int) -> Node:
        """What the whole module is to whoever takes it as one value."""
        return Node({name: self.output(name) for name in self.definition.outputs}, line)

    def _keys(self, address: str, block: Block) -> Node:
        """The elements of a block with a known `for_each`, by key: each an unknown that refers to its resource."""
        return self._cached(("elements", address), lambda _: self._elements(address, block))

    def _elements(self, address: str, block: Block) -> Node:
        if "for_each" not in block.attributes:
            return Node({}, block.line)
        start = "module." if block.type == "module" else ""
        return Node(
            {
                index[2:-2]: Node(
                    None,
                    block.line,
                    is_known=False,
                    references=(Reference(f"{self.prefix}{start}{address}{index}", "", block.line),),
                )
                for index, _, _ in elements(block, self)
                if index
            },
            block.line,
        )

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
        key = path[size][1:-1] if len(path) > size and path[size].startswith("[") else ""
        keys = {} if is_data else self._keys(address, block).entries()
        if keys and not attribute and not key:
            return Node(keys, line)
        reference = (Reference(f'{self.prefix}{address}["{key}"]' if key in keys else self.prefix + address, attribute, line),)
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
        for name in ("source_policy_documents", "override_policy_documents", "source_json", "override_json"):
            others = body.entries().get(name)
            for other in others.items() if others is not None else ():
                inside = (other.tree or other).get("Statement")
                statements += inside.items() if inside is not None else ()
        return Node(
            {"Statement": Node(statements, block.line, file=block.file)}, block.line, file=block.file, end_line=block.end_line
        )


def _inside(value: Node, names: Sequence[str], line: int) -> Node:
    """The value's part at these names and indices; an unknown that refers to what the value does where it has none."""
    for name in names:
        bare = name[1:-1] if name.startswith("[") else name
        if isinstance(value.value, dict) and bare in value.value:
            value = value.value[bare]
        elif isinstance(value.value, list) and bare.isdigit() and int(bare) < len(value.value):
            value = value.value[int(bare)]
        else:
            value = Node(None, line, is_known=False, references=nested_references(value))
    return value


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
