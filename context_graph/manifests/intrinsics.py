"""CloudFormation's intrinsic functions, as far as a template alone settles them; what it leaves open keeps its text."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from context_graph.manifests.node import MAX_DEPTH, Node, Reference
from context_graph.manifests.stacks import import_mentions, parameter_mention, ssm_mentions
from gonogo.pattern import pattern

MAX_TEXT = 100_000
_PLACEHOLDER = pattern(r"\$\{([^${}!][^${}]{0,200})\}")
_LONG = {"Ref", "Condition"}


class Intrinsics:
    """Resolves a template's values. `parameters` maps a parameter to its default, where it has one."""

    def __init__(self, *, resources: Mapping[str, str], parameters: Mapping[str, Node | None], mappings: Node | None) -> None:
        self._resources, self._parameters, self._mappings = resources, parameters, mappings

    def resolve(self, node: Node, depth: int = 0) -> Node:
        """The tree with every intrinsic replaced by its value, or by an unknown that knows its references."""
        if depth > MAX_DEPTH:
            return Node(None, node.line, text="(nested too deep)", is_known=False)
        if isinstance(node.value, list):
            return replace(node, value=[self.resolve(item, depth + 1) for item in node.value])
        if isinstance(node.value, str) and "{{resolve:ssm" in node.value:
            return replace(node, references=ssm_mentions(node.value, node.line))
        if not isinstance(node.value, dict) or not node.is_known:
            return node
        if len(node.value) == 1:
            name, argument = next(iter(node.value.items()))
            short = _short_name(name)
            if short is not None:
                return self._call(short, argument, node, depth + 1)
        return replace(node, value={key: self.resolve(below, depth + 1) for key, below in node.value.items()})

    def _call(self, name: str, argument: Node, node: Node, depth: int) -> Node:
        line = argument.line or node.line
        text = node.text or _written(name, argument)
        if name == "Ref":
            return self._ref(argument.string() or "", line, text)
        if name == "GetAtt":
            return self._get_att(argument, line, text)
        if name == "Sub":
            return self._sub(argument, line, text, depth)
        if name == "If" and isinstance(argument.value, list) and len(argument.value) == 3:
            branches = [self.resolve(branch, depth) for branch in argument.value[1:]]
            return Node(None, line, text=text, is_known=False, references=_references(branches))
        if name == "Join" and isinstance(argument.value, list) and len(argument.value) == 2:
            return self._join(argument.value, line, text, depth)
        if name == "FindInMap" and isinstance(argument.value, list):
            return self._find_in_map(argument.value, line, text, depth)
        if name in ("ToJsonString", "Base64") or name == "Transform":
            return replace(self.resolve(argument, depth), text=text)
        inner = self.resolve(argument, depth)
        if name == "ImportValue":
            return Node(None, line, text=text, is_known=False, references=import_mentions(inner.string(), inner.text, line))
        return Node(None, line, text=text, is_known=False, references=_references([inner]))

    def _ref(self, target: str, line: int, text: str) -> Node:
        if target == "AWS::NoValue":
            return Node(None, line, text=text)
        default = self._parameters.get(target)
        if target in self._parameters and target not in self._resources:
            mention = (parameter_mention(target, line),)
            if default is not None:
                return replace(default, line=default.line, text=text, references=mention)
            return Node(None, line, text=text, is_known=False, references=mention)
        if target in self._resources:
            reference = Reference(self._resources[target], "Ref", line)
            return Node(None, line, text=text, is_known=False, references=(reference,))
        return Node(None, line, text=text, is_known=False)

    def _get_att(self, argument: Node, line: int, text: str) -> Node:
        if isinstance(argument.value, list):
            parts = [item.string() or "" for item in argument.value]
        else:
            parts = (argument.string() or "").split(".")
        target, attribute = parts[0] if parts else "", ".".join(parts[1:])
        references = (Reference(self._resources[target], attribute, line),) if target in self._resources else ()
        return Node(None, line, text=text, is_known=False, references=references)

    def _sub(self, argument: Node, line: int, text: str, depth: int) -> Node:
        template, own = argument, dict[str, Node]()
        if isinstance(argument.value, list) and argument.value:
            template = argument.value[0]
            own = argument.value[1].entries() if len(argument.value) > 1 else {}
        written = template.string()
        if written is None:
            return Node(None, line, text=text, is_known=False)
        values: dict[str, Node] = {}
        for match in _PLACEHOLDER.finditer(written[:200_000]):
            name = match.group(1).strip()
            if name not in values:
                values[name] = self.resolve(own[name], depth) if name in own else self._named(name, line)
        known = {name: value.string() for name, value in values.items()}
        longest = max((len(value) for value in known.values() if value is not None), default=0)
        if all(value is not None for value in known.values()) and longest * written.count("${") < MAX_TEXT:
            filled = _PLACEHOLDER.sub(lambda m: known[m.group(1).strip()] or "", written).replace("${!", "${")
            references = (*_references(values.values()), *ssm_mentions(filled, line))
            return Node(filled, line, text=written[:400], references=references)
        return Node(None, line, text=written[:MAX_TEXT], is_known=False, references=_references(values.values()))

    def _named(self, name: str, line: int) -> Node:
        target, dot, attribute = name.partition(".")
        if not dot:
            return self._ref(target, line, name)
        references = (Reference(self._resources[target], attribute, line),) if target in self._resources else ()
        return Node(None, line, text=name, is_known=False, references=references)

    def _join(self, parts: list[Node], line: int, text: str, depth: int) -> Node:
        separator = parts[0].string() or ""
        items = [self.resolve(item, depth) for item in parts[1].items()]
        written = [item.string() for item in items]
        if None not in written and sum(len(w or "") for w in written) < MAX_TEXT:
            whole = separator.join(str(w) for w in written)
            return Node(whole, line, text=text, references=(*_references(items), *ssm_mentions(whole, line)))
        shown = separator.join(w if w is not None else item.text for w, item in zip(written, items, strict=True))
        return Node(None, line, text=shown[:MAX_TEXT] or text, is_known=False, references=_references(items))

    def _find_in_map(self, parts: list[Node], line: int, text: str, depth: int) -> Node:
        keys = [self.resolve(part, depth).string() for part in parts[:3]]
        found = self._mappings.get(*[key or "?" for key in keys]) if self._mappings is not None and None not in keys else None
        return replace(found, text=text) if found is not None else Node(None, line, text=text, is_known=False)


def _short_name(name: str) -> str | None:
    if name in _LONG:
        return name
    if name.startswith("Fn::"):
        return name[4:]
    return name[1:] if name.startswith("!") else None


def _written(name: str, argument: Node) -> str:
    if isinstance(argument.value, list):
        return f"!{name} [{', '.join(item.text for item in argument.value)}]"[:400]
    return f"!{name} {argument.text}".strip()[:400]


def _references(nodes: Iterable[Node]) -> tuple[Reference, ...]:
    return tuple(dict.fromkeys(reference for node in nodes for _, below in node.walk() for reference in below.references))
