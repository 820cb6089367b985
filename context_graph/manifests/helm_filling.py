"""A Helm template as YAML, and its actions put back in as values.

Values keep their place in the values file; what named templates make stands where they are included.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from context_graph.manifests.helm_templates import RELEASE, Lookup, Templates
from context_graph.manifests.node import Node
from context_graph.manifests.yaml_source import YamlError, read_yaml
from gonogo.pattern import pattern

MAX_LINE = 2_000
"""A longer line with an action in it is left out."""
MAX_DEPTH = 60
_ACTION = pattern(r"\{\{-?\s*((?:[^{}\"]|\"[^\"\n]{0,500}\")*?)\s*-?\}\}")
_CONTROL = pattern(r"(?:if|else|end|range|with|define|block|template|/\*|\$\w+\s*:?=)\b|/\*|\$\w+\s*:?=")
_LOOKUP = pattern(r"\(?\s*(?:\$?\.Values|\$\.Values)((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)")
_DEFAULT = pattern(r"default\s+(\"[^\"]{0,200}\"|-?\d{1,12}|true|false)")
_PLACEHOLDER = pattern(r"helm__(\d{1,6})__")
_WORKED_OUT = pattern(r"\b(?:include|template|tpl|printf|ternary|index|add|mul|sub|div)\b")
_SETTLED = pattern(r"\b(?:include|tpl|printf|ternary|coalesce)\b|\$\w|\.(?:Release|Chart)\.|default\s*\(|default\s+[.$]")
_SHOWN_ON_LINES = pattern(r"\b(?:include|tpl)\b|toYaml\b.*\.Values|\.Values.*\btoYaml\b")


_BLOCK = pattern(r"(if|with|range|define|block|end|else)\b")
_DOT = pattern(r"\btoYaml\s+\.(?=\s|$|\||\))")
_PATH = pattern(r"with\s+\$?(\.Values(?:\.[A-Za-z_][\w-]*)+)")


class Filling:
    """Puts the actions of one template back, with the values of one environment."""

    def __init__(
        self,
        actions: Sequence[str],
        files: Sequence[tuple[str, Node]],
        templates: Templates,
        values: Lookup,
        variables: Mapping[str, str],
    ) -> None:
        self._actions, self._files, self._templates = actions, files, templates
        self._values, self._variables = values, variables

    def filled(self, node: Node, depth: int = 0) -> Node:
        """The tree with every action that is understood replaced by its value."""
        if depth > MAX_DEPTH:
            return node
        if isinstance(node.value, list):
            return replace(node, value=self._items(node.value, depth))
        if isinstance(node.value, dict):
            return self._mapping(node, depth)
        if not isinstance(node.value, str) or "helm__" not in node.value:
            return node
        whole = _PLACEHOLDER.fullmatch(node.value)
        if whole is not None:
            return self._value(self._action(whole), node) or Node(
                None, node.line, text=_written(self._action(whole)), is_known=False
            )
        texts = {m.group(0): self._value(self._action(m), node) for m in _PLACEHOLDER.finditer(node.value)}
        is_known = all(found is not None and found.string() is not None for found in texts.values())
        shown = _PLACEHOLDER.sub(lambda m: _shown(texts[m.group(0)]) or _written(self._action(m)), node.value)
        return (
            replace(node, value=shown, text=shown[:400]) if is_known else Node(None, node.line, text=shown[:400], is_known=False)
        )

    def _action(self, match: re.Match[str]) -> str:
        return self._actions[int(match.group(1))]

    def _items(self, items: Sequence[Node], depth: int) -> list[Node]:
        """A placeholder that stands for several items gives way to them."""
        found: list[Node] = []
        for item in items:
            made = self.filled(item, depth + 1)
            was_placeholder = len(item.entries()) == 1 and _PLACEHOLDER.fullmatch(next(iter(item.entries()))) is not None
            if was_placeholder and (isinstance(made.value, list) or not made.entries()):
                found += made.items() if isinstance(made.value, list) else []
            else:
                found.append(made)
        return found

    def _mapping(self, node: Node, depth: int) -> Node:
        entries: dict[str, Node] = {}
        for key, below in node.entries().items():
            whole = _PLACEHOLDER.fullmatch(key)
            if whole is None:
                shown = _PLACEHOLDER.sub(lambda m: _written(self._action(m)), key) if "helm__" in key else key
                entries[shown] = self.filled(below, depth + 1)
                continue
            found = self._value(self._action(whole), below)
            if found is not None and isinstance(found.value, list) and len(node.entries()) == 1:
                return found
            entries |= found.entries() if found is not None else {}
        return replace(node, value=entries)

    def _value(self, action: str, where: Node) -> Node | None:
        lookup = _LOOKUP.search(action)
        if lookup is None or _WORKED_OUT.search(action):
            return self._made(action, where)
        path = lookup.group(1).strip(".").split(".")
        for file, values in self._files:
            found = values.get(*path)
            if found is not None and not (found.value in ("", None) and "default" in action):
                return _placed(found, file)
        default = _DEFAULT.search(action)
        if default is None:
            return self._made(action, where)
        written = default.group(1)
        return Node(int(written) if written.lstrip("-").isdigit() else written.strip('"'), where.line, text=written)

    def _made(self, action: str, where: Node) -> Node | None:
        """What named templates and text functions make of it."""
        settled = self._templates.settle(action, self._values, self._variables) if _SETTLED.search(action) else None
        return _made_of(settled.text.strip("\n"), where.line, is_known=settled.is_known) if settled is not None else None


def blanked(text: str, *, with_lines: bool = True) -> tuple[str, list[str]]:
    """The template as YAML: an action alone on its line becomes a value or nothing, others become placeholders."""
    actions: list[str] = []
    lines: list[str] = []
    opened: list[tuple[str, str | None]] = []
    is_open_comment = False
    for line in text.split("\n"):
        if is_open_comment:
            is_open_comment = "*/" not in line
            lines.append("")
            continue
        if "{{" not in line:
            lines.append(line)
            continue
        if len(line) > MAX_LINE:
            lines.append("")
            continue
        if "/*" in line and "*/" not in line:
            is_open_comment = True
            lines.append("")
            continue
        lines.append(_line(_undotted(line, opened), actions, lines, with_lines=with_lines))
    return "\n".join(lines), actions


def _undotted(line: str, opened: list[tuple[str, str | None]]) -> str:
    """`toYaml .` under `with .Values.a` is `toYaml .Values.a`; `opened` are the blocks that are open, each with what `.` is there."""

    def placed(match: re.Match[str]) -> str:
        action = match.group(1)
        block = _BLOCK.match(action)
        dot = opened[-1][1] if opened else None
        if block is None:
            return match.group() if dot is None else _DOT.sub(f"toYaml {dot}", match.group())
        keyword = block.group(1)
        path = _PATH.fullmatch(action)
        if keyword == "end":
            del opened[-1:]
        elif keyword == "else":
            opened[-1:] = [("else", None if opened[-1][0] == "with" else dot)] if opened else []
        else:
            opened.append((keyword, path.group(1) if path is not None else dot if keyword == "if" else None))
        return match.group()

    return _ACTION.sub(placed, line)


def _line(line: str, actions: list[str], above: Sequence[str], *, with_lines: bool) -> str:
    found = [match.group(1) for match in _ACTION.finditer(line)]
    rest = _ACTION.sub("", line).strip()
    if not rest:
        content = [action for action in found if not _CONTROL.match(action)]
        if not with_lines or not content or not any(_SHOWN_ON_LINES.search(action) for action in content):
            return ""
        actions.append(content[0])
        indent = _indent(content[0], line)
        return " " * indent + ("- " if _is_in_list(indent, above) else "") + f"helm__{len(actions) - 1}__: x"

    def placed(match: re.Match[str]) -> str:
        if _CONTROL.match(match.group(1)):
            return ""
        actions.append(match.group(1))
        return f"helm__{len(actions) - 1}__"

    return _ACTION.sub(placed, line).replace("{{", "").replace("}}", "")


def _is_in_list(indent: int, above: Sequence[str]) -> bool:
    """Whether the line above at this depth is an item of a list."""
    for line in above[:-200:-1]:
        width = len(line) - len(line.lstrip())
        if line.strip() and width <= indent:
            return width == indent and line.lstrip().startswith("- ")
    return False


def _indent(action: str, line: str) -> int:
    wanted = re.search(r"n?indent\s+(\d{1,3})", action)
    return int(wanted.group(1)) if wanted else len(line) - len(line.lstrip())


def _written(action: str) -> str:
    return "{{ " + action + " }}"


def _shown(found: Node | None) -> str:
    return "" if found is None else found.string() or found.text


def _made_of(text: str, line: int, *, is_known: bool) -> Node:
    try:
        documents = read_yaml(text)
    except YamlError:
        documents = []
    whole = documents[0] if len(documents) == 1 else Node(text, line, text=text)
    return _standing(whole, line, is_known=is_known, depth=0)


def _standing(node: Node, line: int, *, is_known: bool, depth: int) -> Node:
    """The tree at the line of its include; what the name of the release is a part of is not known."""
    below = node.value
    if depth > MAX_DEPTH:
        return node
    if isinstance(below, dict):
        return replace(
            node,
            line=line,
            end_line=line,
            value={k: _standing(v, line, is_known=is_known, depth=depth + 1) for k, v in below.items()},
        )
    if isinstance(below, list):
        return replace(
            node, line=line, end_line=line, value=[_standing(v, line, is_known=is_known, depth=depth + 1) for v in below]
        )
    shown = node.string() or ""
    if is_known and RELEASE not in shown:
        return replace(node, line=line, end_line=line)
    return Node(None, line, text=shown, is_known=False)


def _placed(node: Node, file: str, depth: int = 0) -> Node:
    """The value with the values file as its place, all the way down."""
    if depth > MAX_DEPTH:
        return node
    if isinstance(node.value, dict):
        return replace(node, file=file, value={key: _placed(below, file, depth + 1) for key, below in node.value.items()})
    if isinstance(node.value, list):
        return replace(node, file=file, value=[_placed(item, file, depth + 1) for item in node.value])
    return replace(node, file=file)
