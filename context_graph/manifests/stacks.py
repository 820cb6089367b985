"""What one template takes from another: parameters of nested stacks, outputs, exports, and parameters kept in SSM.

While a template is read, such a mention is a reference to a target that begins with `@`; when all templates are read,
`join_stacks` puts the resource behind it in its place, or takes it away where none of the tree is.
"""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from context_graph.manifests.node import Draft, Node, Reading, Reference, Stack
from gonogo.pattern import pattern

_UPWARDS = pattern(r"^(?:\.\.?/)+")
MAX_STEPS = 12
"""Templates that one value is followed through."""
MAX_FOLLOWED = 200_000
"""Mentions that are followed in one tree."""
_PLACEHOLDER = pattern(r"\$?\{[^{}]{1,200}\}")
_RESOLVED = pattern(r"\{\{resolve:ssm(?:-secure)?:([^:}]{1,500})(?::\d{1,9})?\}\}")


def parameter_mention(name: str, line: int) -> Reference:
    """A mention of what a parameter of this template may hold."""
    return Reference(f"@parameter:{name}", "", line)


def import_mentions(name: str | None, written: str, line: int) -> tuple[Reference, ...]:
    """Mentions of an export of another stack, by its name with every default put in, then by its name as it is written."""
    return tuple(Reference(f"@export:{text}", "", line) for text in dict.fromkeys((name or written, written)))


def ssm_mentions(written: str, line: int) -> tuple[Reference, ...]:
    """Mentions of SSM parameters in `{{resolve:ssm:...}}`."""
    return tuple(Reference(f"@ssm:{path}", "", line) for path in _RESOLVED.findall(written[:20_000]))


def in_scope(scope: str, address: str) -> str:
    """How a reference names a resource of another scope."""
    return f"{scope}\0{address}"


def apart(target: str, scope: str) -> tuple[str, str]:
    """Scope and address of a reference's target, seen from `scope`."""
    there, sign, address = target.rpartition("\0")
    return (there, address) if sign else (scope, target)


def join_stacks(reading: Reading, drafts: Sequence[Draft]) -> dict[str, set[str]]:
    """Replaces every mention of another stack's value by the resources behind it, in place.

    Returns the targets of other scopes that each scope now refers to. Past `MAX_FOLLOWED` it stops, and says so.
    """
    stacks = reading.stacks
    joiner = _Joiner(stacks, drafts)
    done: set[int] = set()
    foreign: dict[str, set[str]] = defaultdict(set)
    for draft in drafts:
        if draft.scope not in joiner.by_file:
            continue
        for tree in (draft.node, *draft.extra.values()):
            for _, node in tree.mentions():
                if id(node) not in done:
                    done.add(id(node))
                    node.references = tuple(dict.fromkeys(joiner.behind(node.references, draft.scope)))
                    foreign[draft.scope].update(r.target for r in node.references if "\0" in r.target)
    if joiner.left <= 0:
        why = f"values of templates lead to each other more than {MAX_FOLLOWED} times; the rest is not followed"
        reading.not_read.append((stacks[0].file, None, why))
    return foreign


class _Joiner:
    """Follows mentions from template to template."""

    def __init__(self, stacks: Iterable[Stack], drafts: Iterable[Draft]) -> None:
        self.by_file = {stack.file: stack for stack in stacks}
        self.left = MAX_FOLLOWED
        self._ending: dict[str, list[str]] = defaultdict(list)
        for file in self.by_file:
            self._ending[posixpath.basename(file)].append(file)
        self._given: dict[str, list[tuple[str, dict[str, Node]]]] = defaultdict(list)
        self._exports: dict[str, list[tuple[str, Node]]] = defaultdict(list)
        self._ssm: dict[str, list[Draft]] = defaultdict(list)
        self._ssm_as_written: dict[str, list[Draft]] = defaultdict(list)
        self._alike: dict[str, list[Draft]] = {}
        for stack in self.by_file.values():
            for location, parameters in stack.nested.values():
                target = self._template(stack.file, location)
                if target is not None:
                    self._given[target].append((stack.file, parameters))
            for name, node in stack.exports.items():
                if not any(known is node for _, known in self._exports[_pattern(name)]):
                    self._exports[_pattern(name)].append((stack.file, node))
        for draft in drafts:
            if draft.kind == "aws.ssm.parameter" and draft.scope in self.by_file:
                written = draft.node.get("Name")
                name = draft.name or (written.text if written is not None else "")
                self._ssm[_pattern(name)].append(draft)
                self._ssm_as_written[_pattern(written.text if written is not None else name)].append(draft)

    def behind(self, references: Iterable[Reference], scope: str) -> Iterator[Reference]:
        """The resources behind these references, those of other scopes named with their scope."""
        self._seen: set[tuple[str, str, str]] = set()
        yield from self._behind(references, scope, 0)

    def _behind(self, references: Iterable[Reference], scope: str, steps: int) -> Iterator[Reference]:
        """Every mention is followed once, so that stacks that nest each other end."""
        for reference in references:
            stack = self.by_file.get(scope)
            is_mention = reference.target.startswith("@")
            is_output = stack is not None and reference.target in stack.nested and reference.attribute.startswith("Outputs.")
            if not is_mention:
                yield reference
            key = (scope, reference.target, reference.attribute)
            if not (is_mention or is_output) or steps > MAX_STEPS or key in self._seen or self.left <= 0:
                continue
            self.left -= 1
            self._seen.add(key)
            if is_mention:
                yield from self._mentioned(reference, scope, steps)
            elif stack is not None:
                yield from self._output(stack, reference, steps)

    def _mentioned(self, reference: Reference, scope: str, steps: int) -> Iterator[Reference]:
        sign, _, name = reference.target[1:].partition(":")
        if sign == "parameter":
            yield from self._parameter(name, scope, reference.line, steps)
        elif sign == "export":
            found = self._exports.get(_pattern(name), [])
            if len(found) == 1:
                yield from self._foreign(found[0][1].references, found[0][0], scope, reference.line, steps)
        elif sign == "ssm":
            yield from self._kept(name, scope, reference.line, steps)

    def _parameter(self, name: str, scope: str, line: int, steps: int) -> Iterator[Reference]:
        for parent, parameters in self._given.get(scope, [])[:20]:
            if name in parameters:
                given = [r for _, node in parameters[name].mentions() for r in node.references]
                yield from self._foreign(given, parent, scope, line, steps)
        stack = self.by_file[scope]
        if name in stack.ssm_paths:
            yield from self._kept(stack.ssm_paths[name], scope, line, steps)

    def _kept(self, path: str, scope: str, line: int, steps: int) -> Iterator[Reference]:
        """What the SSM parameter's value refers to; the parameter itself where it refers to nothing."""
        defaults = self.by_file[scope].defaults
        filled = _PLACEHOLDER.sub(lambda m: defaults.get(m.group(0).strip("${}"), m.group(0)), path)
        found = self._ssm.get(_pattern(filled)) or self._of_another_stage(_pattern(path))
        if len(found) != 1:
            return
        value = found[0].node.get("Value")
        behind = [r for _, node in (value.mentions() if value is not None else ()) for r in node.references]
        own = [Reference(found[0].address, "", line)]
        yield from self._foreign(behind or own, found[0].scope, scope, line, steps)

    def _of_another_stage(self, path: str) -> list[Draft]:
        """The parameters whose path is this one but for what each template puts in: templates differ in their default stage."""
        if path not in self._alike:
            listed = self._ssm_as_written.items()
            self._alike[path] = [draft for written, drafts in listed if _is_alike(written, path) for draft in drafts]
        return self._alike[path]

    def _output(self, stack: Stack, reference: Reference, steps: int) -> Iterator[Reference]:
        file = self._template(stack.file, stack.nested[reference.target][0])
        output = self.by_file[file].outputs.get(reference.attribute.removeprefix("Outputs.")) if file is not None else None
        if file is not None and output is not None:
            yield from self._foreign(output.references, file, stack.file, reference.line, steps)

    def _foreign(self, references: Iterable[Reference], there: str, here: str, line: int, steps: int) -> Iterator[Reference]:
        for reference in self._behind(references, there, steps + 1):
            target = reference.target if "\0" in reference.target else in_scope(there, reference.target)
            scope, address = apart(target, there)
            yield Reference(address if scope == here else target, reference.attribute, line)

    def _template(self, file: str, location: str) -> str | None:
        """The template at a local path; one that is written for a build folder is found by its end, where that is unique."""
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), location))
        if joined in self.by_file:
            return joined
        end = _UPWARDS.sub("", location)
        alike = self._ending.get(posixpath.basename(end), ())
        found = [known for known in alike if known == end or known.endswith("/" + end)]
        return found[0] if len(found) == 1 and "/" in end else None


def _pattern(name: str) -> str:
    """The name with every placeholder alike."""
    return _PLACEHOLDER.sub("*", name)


def _is_alike(one: str, other: str) -> bool:
    """True when the paths differ only in parts that one of them leaves open, and share a part that none does."""
    pairs = list(zip(one.split("/"), other.split("/"), strict=False))
    is_same_length = one.count("/") == other.count("/")
    return is_same_length and all(a == b or "*" in (a, b) for a, b in pairs) and any(a == b != "" and a != "*" for a, b in pairs)


def nested_stack(resource_type: str, properties: Node) -> tuple[str, dict[str, Node]] | None:
    """Where the template of a nested stack is, when that is a path, and the parameters given to it."""
    key = {"AWS::CloudFormation::Stack": "TemplateURL", "AWS::Serverless::Application": "Location"}.get(resource_type)
    location = properties.get(key) if key is not None else None
    written = location.string() if location is not None else None
    if written is None or "://" in written:
        return None
    given = properties.get("Parameters")
    return written, dict(given.entries() if given is not None else {})


def outputs_of(outputs: Mapping[str, Node]) -> tuple[dict[str, Node], dict[str, Node]]:
    """Output → value, and export name → value, of resolved outputs."""
    values: dict[str, Node] = {}
    exports: dict[str, Node] = {}
    for name, output in outputs.items():
        value = output.get("Value")
        if value is None:
            continue
        values[name] = value
        exported = output.get("Export", "Name")
        if exported is not None:
            exports[exported.string() or exported.text] = exports[exported.text] = value
    return values, exports
