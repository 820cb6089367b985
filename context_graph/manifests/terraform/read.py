"""Terraform trees: which directories are roots, which environments they have, and everything they declare."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.terraform.elements import elements
from context_graph.manifests.terraform.expressions import Evaluation
from context_graph.manifests.terraform.module import MAX_MODULE_DEPTH, Definition, Instance
from context_graph.manifests.terraform.resources import drafts_of, opaque_modules
from context_graph.manifests.terraform.syntax import MAX_BYTES, Attribute, Block, Grammar, parse_hcl
from gonogo.record import Record

MAX_RESOURCES = 20_000
MAX_EXPANDED = 4_000
"""Resource blocks with every module call counted; above it each module is read once, by itself, and calls are opaque."""
MAX_COPIES = 400
"""Resource blocks that one module call may be multiplied into; above it the call is one instance of unknown number."""
MAX_ENVIRONMENTS = 8
_SAY_NOTHING = {"terraform", "variables", "vars"}
_SHOWN_ONLY = {"examples", "example", "test", "tests", "fixtures", "testdata"}


class _Tree(Record, frozen=False):
    definitions: dict[str, Definition] = field(default_factory=dict[str, Definition])
    variable_files: dict[str, dict[str, dict[str, Attribute]]] = field(default_factory=dict[str, dict[str, dict[str, Attribute]]])
    """Directory → file → its assignments."""
    is_plain: bool = False
    sizes: dict[str, int] = field(default_factory=dict[str, int])


def read_terraform(files: Mapping[str, str]) -> Reading:
    """All `.tf`, `.tofu` and `.tfvars` files of a tree, by path."""
    reading = Reading()
    tree = _Tree()
    trees: dict[str, Grammar] = {}
    for path, text in sorted(files.items()):
        if len(text) > MAX_BYTES:
            reading.not_read.append((path, None, f"larger than {MAX_BYTES} bytes"))
            continue
        parsed = parse_hcl(text, path, trees)
        if parsed.broken_line is not None:
            reading.not_read.append((path, parsed.broken_line, "not HCL from here on; what could be read is kept"))
        directory = posixpath.dirname(path)
        if path.endswith(".tfvars"):
            tree.variable_files.setdefault(directory, {})[path] = parsed.body.attributes
        else:
            tree.definitions.setdefault(directory, Definition(directory)).add(parsed.body.blocks)
    roots = _roots(tree)
    written = sum(len(definition.resources) for definition in tree.definitions.values())
    tree.is_plain = sum(_size(tree, directory, tree.sizes) for directory in roots) > max(MAX_EXPANDED, 2 * written)
    if tree.is_plain:
        reading.not_read.append(
            (roots[0] or ".", None, "too many uses of modules; each module is read once, without its arguments")
        )
        roots = sorted(tree.definitions)
    for directory in roots:
        _read_root(tree, directory, reading)
    return reading


def _size(tree: _Tree, directory: str, sizes: dict[str, int]) -> int:
    """Resource blocks of a directory and of every module call below it."""
    if directory not in sizes:
        sizes[directory] = 0
        definition = tree.definitions[directory]
        sources = [_local_source(block, directory) for block in definition.modules.values()]
        below = sum(_size(tree, source, sizes) for source in sources if source is not None and source in tree.definitions)
        sizes[directory] = len(definition.resources) + below
    return sizes[directory]


def _roots(tree: _Tree) -> list[str]:
    called = {
        source
        for directory, definition in tree.definitions.items()
        if not _is_example(directory)
        for block in definition.modules.values()
        if (source := _local_source(block, directory)) is not None and source != directory
    }
    roots = [directory for directory in tree.definitions if directory not in called]
    serious = [directory for directory in roots if not _is_example(directory)]
    return sorted(serious or roots)


def _is_example(directory: str) -> bool:
    return bool(_SHOWN_ONLY.intersection(directory.split("/")))


def _local_source(block: Block, directory: str) -> str | None:
    attribute = block.attributes.get("source")
    written = attribute.expression.text.strip('"') if attribute is not None else ""
    if not written.startswith(("./", "../", ".")) or "${" in written:
        return None
    joined = posixpath.normpath(posixpath.join(directory or ".", written))
    return "" if joined == "." else joined


def _read_root(tree: _Tree, directory: str, reading: Reading) -> None:
    shared, environments = _variable_files(tree, directory)
    if len(environments) > MAX_ENVIRONMENTS:
        why = f"{len(environments)} variable files for {directory or 'the root'}; the first {MAX_ENVIRONMENTS} are evaluated"
        reading.not_read.append((sorted(environments)[MAX_ENVIRONMENTS], None, why))
    chosen = dict(sorted(environments.items())[:MAX_ENVIRONMENTS])
    if not chosen:
        _evaluate(tree, directory, shared, None, reading)
        return
    for file, values in chosen.items():
        _evaluate(tree, directory, shared | values, _environment_of(file, directory), reading)


def _variable_files(tree: _Tree, directory: str) -> tuple[dict[str, Attribute], dict[str, dict[str, Attribute]]]:
    """The values that are always loaded, and those that one environment's file gives."""
    shared: dict[str, Attribute] = {}
    environments: dict[str, dict[str, Attribute]] = {}
    for place, files in tree.variable_files.items():
        is_ours = place == directory or _belongs(place, directory, tree)
        for file, values in sorted(files.items()):
            name = posixpath.basename(file)
            if not is_ours and not _is_named_after(name, directory):
                continue
            if place == directory and (name == "terraform.tfvars" or name.endswith(".auto.tfvars")):
                shared |= values
            else:
                environments[file] = values
    return shared, environments


def _belongs(place: str, directory: str, tree: _Tree) -> bool:
    """True for variable files in a folder without `.tf` files below a root (`envs/prod.tfvars`)."""
    if place in tree.definitions:
        return False
    above = posixpath.dirname(place)
    if above and above not in tree.definitions:
        above = posixpath.dirname(above)
    return above == directory and not _is_example(place)


def _is_named_after(name: str, directory: str) -> bool:
    """`variables/staging/orders.tfvars` is for the root `deployments/orders`."""
    return directory != "" and name.removesuffix(".tfvars") == posixpath.basename(directory)


def _environment_of(file: str, directory: str) -> str:
    name = posixpath.basename(file).removesuffix(".tfvars").removesuffix(".auto")
    above = posixpath.basename(posixpath.dirname(file))
    return (above or name) if name in _SAY_NOTHING or _is_named_after(name, directory) else name


def _evaluate(tree: _Tree, directory: str, values: Mapping[str, Attribute], environment: str | None, reading: Reading) -> None:
    builder = _Builder(tree, reading, scope=directory, environment=environment)
    holder: list[Instance] = []
    arguments = {name: _late(holder, attribute) for name, attribute in values.items()}
    root = Instance(tree.definitions[directory], arguments=arguments, child=builder.children)
    holder.append(root)
    builder.read(root)


def _late(holder: Sequence[Instance], attribute: Attribute, loop: Mapping[str, Node] | None = None) -> Callable[[], Node]:
    def value() -> Node:
        return Evaluation(holder[0], attribute.file, loop or {}).value(attribute.expression)

    return value


class _Builder:
    """Walks the instances below one root and collects their drafts."""

    def __init__(self, tree: _Tree, reading: Reading, *, scope: str, environment: str | None) -> None:
        self._tree, self._reading, self._scope, self._environment = tree, reading, scope, environment
        self._known: dict[tuple[str, str], list[Instance] | None] = {}
        self._count = 0

    def read(self, root: Instance) -> None:
        waiting = [root]
        while waiting:
            instance = waiting.pop()
            moved = _moved(instance)
            for draft in drafts_of(instance, scope=self._scope, environment=self._environment):
                if self._full(draft):
                    return
                origin = moved.get(draft.address.partition("[")[0])
                if origin is not None:
                    draft.extra["moved_from"] = origin
                self._reading.drafts.append(draft)
            for name in instance.definition.modules:
                children = self.children(instance, name)
                if children is None:
                    self._reading.drafts += opaque_modules(instance, name, scope=self._scope, environment=self._environment)
                else:
                    waiting += children

    def children(self, parent: Instance, name: str) -> list[Instance] | None:
        key = (parent.prefix, name)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._instances(parent, name)
        return self._known[key]

    def _instances(self, parent: Instance, name: str) -> list[Instance] | None:
        block = parent.definition.modules.get(name)
        source = _local_source(block, parent.definition.directory) if block is not None else None
        if block is None or source is None or self._tree.is_plain or source not in self._tree.definitions:
            return None
        if parent.depth >= MAX_MODULE_DEPTH:
            self._reading.not_read.append((block.file, block.line, "modules call each other too deep; not followed"))
            return None
        found: list[Instance] = []
        several = elements(block, parent)
        copies = parent.copies * len(several)
        if len(several) > 1 and copies * _size(self._tree, source, self._tree.sizes) > MAX_COPIES:
            several, copies = [("", {"each": Node(None, block.line, is_known=False)}, True)], parent.copies
        for index, loop, _ in several:
            arguments = {
                key: _late([parent], attribute, loop)
                for key, attribute in block.attributes.items()
                if key not in ("source", "version", "count", "for_each", "providers", "depends_on")
            }
            found.append(
                Instance(
                    self._tree.definitions[source],
                    prefix=f"{parent.prefix}module.{name}{index}.",
                    arguments=arguments,
                    child=self.children,
                    depth=parent.depth + 1,
                    copies=copies,
                )
            )
        return found

    def _full(self, draft: Draft) -> bool:
        self._count += 1
        if self._count <= MAX_RESOURCES:
            return False
        why = f"more than {MAX_RESOURCES} resources under {self._scope or 'the root'}; the rest is not evaluated"
        self._reading.not_read.append((draft.file, draft.line, why))
        return True


def _moved(instance: Instance) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for block in instance.definition.moved:
        origin, target = block.attributes.get("from"), block.attributes.get("to")
        if origin is not None and target is not None:
            where = target.expression.text.strip()
            was = origin.expression.text.strip()
            found[instance.prefix + where.partition("[")[0]] = Node(instance.prefix + was, origin.line, file=origin.file)
    return found
