"""Helm charts, best effort: templates with values put in where that is a plain lookup, once per values file.

Only `{{ .Values.a.b }}` with `default`, `quote`, `int` and `toYaml` is understood. Control lines are blanked, both
branches of an `if` stay, and what is left open is an unknown; nothing of the template language is run.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace

from context_graph.manifests.kubernetes import is_object, read_object
from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.pods import container_settings
from context_graph.manifests.yaml_source import YamlError, read_yaml
from gonogo.pattern import pattern

MAX_LINE = 2_000
"""A longer line with an action in it is left out."""
_ACTION = pattern(r"\{\{-?\s*((?:[^{}\"]|\"[^\"\n]{0,500}\")*?)\s*-?\}\}")
_CONTROL = pattern(r"(?:if|else|end|range|with|define|block|template|/\*|\$\w+\s*:?=)\b|/\*|\$\w+\s*:?=")
_LOOKUP = pattern(r"\(?\s*(?:\$?\.Values|\$\.Values)((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)")
_DEFAULT = pattern(r"default\s+(\"[^\"]{0,200}\"|-?\d{1,12}|true|false)")
_PLACEHOLDER = pattern(r"helm__(\d{1,6})__")
_STANDARD = {"replicaCount": "replicas", "replicas": "replicas", "terminationGracePeriodSeconds": "termination_grace_s"}


def is_values(path: str) -> bool:
    """True for `values.yaml`, `values-prod.yaml`, `prod.values.yaml`, `values/prod.yaml`."""
    name = posixpath.basename(path)
    stem, extension = posixpath.splitext(name)
    return extension in (".yaml", ".yml") and (
        stem == "values" or stem.startswith(("values-", "values.", "values_")) or stem.endswith((".values", "-values"))
        or posixpath.basename(posixpath.dirname(path)) == "values"
    )  # fmt: skip


def read_chart(templates: Mapping[str, str], values: Mapping[str, Node]) -> Reading:
    """The objects of one chart; `values` maps the chart's values files to their contents, the default first."""
    reading = Reading()
    default = next((node for path, node in values.items() if posixpath.basename(path).split(".")[0] == "values"), None)
    default_file = next((path for path in values if posixpath.basename(path).split(".")[0] == "values"), "")
    own = {path: node for path, node in values.items() if path != default_file}
    choices: list[tuple[str | None, list[tuple[str, Node]]]] = [
        (environment_of(path), [(path, node), *([(default_file, default)] if default is not None else [])])
        for path, node in own.items()
    ] or [(None, [(default_file, default)] if default is not None else [])]
    for path, text in templates.items():
        blanked, actions = _blanked(text)
        try:
            documents = read_yaml(blanked)
        except YamlError as error:
            reading.not_read.append((path, error.line, f"a Helm template that is not YAML without its actions: {error.why}"))
            continue
        for environment, files in choices:
            for document in documents:
                if is_object(document):
                    filled = _filled(document, actions, files)
                    found = read_object(filled, path, environment=environment)
                    for draft in found.drafts:
                        draft.is_conditional = draft.is_conditional or "{{- if" in text[:400] or "{{ if" in text[:400]
                        if draft.name is None:
                            draft.address = (
                                f"{draft.address.rpartition('/')[0]}/{posixpath.splitext(posixpath.basename(path))[0]}"
                            )
                    reading.add(found)
    return reading


def read_values(path: str, root: Node) -> Reading:
    """A values file whose chart is not in the tree: every mapping that looks like a workload is one resource."""
    reading = Reading()
    stack: list[tuple[tuple[str, ...], Node]] = [((), root)]
    seen = 0
    while stack and seen < 2_000:
        keys, node = stack.pop()
        seen += 1
        entries = node.entries()
        if {"image", "resources", "replicaCount", "replicas", "env"} & entries.keys():
            reading.drafts.append(_workload(path, keys, node))
            continue
        stack += [((*keys, key), below) for key, below in reversed(entries.items()) if len(keys) < 4]
    return reading


def environment_of(path: str) -> str | None:
    """`values-prod.yaml` → prod; None for the default file."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    for affix in ("values-", "values.", "values_"):
        if stem.startswith(affix):
            return stem[len(affix) :]
    for affix in (".values", "-values"):
        if stem.endswith(affix):
            return stem.removesuffix(affix)
    return None if stem == "values" else stem


def _workload(path: str, keys: tuple[str, ...], node: Node) -> Draft:
    draft = Draft("helm.release", "values" + "".join(f".{key}" for key in keys), path, node.line, max(node.line, node.end_line), node,
                  environment=environment_of(path), scope=posixpath.dirname(path))  # fmt: skip
    draft.extra = container_settings(node.without("image", "env")) | {
        o: n for t, o in _STANDARD.items() if (n := node.get(t)) is not None
    }
    scaling = node.get("autoscaling")
    for theirs, ours in (("minReplicas", "min_replicas"), ("maxReplicas", "max_replicas")):
        found = scaling.get(theirs) if scaling is not None else None
        if found is not None:
            draft.extra[ours] = found
    draft.part_of = draft.address  # values are of a chart; they declare nothing by themselves
    target = scaling.get("targetCPUUtilizationPercentage") if scaling is not None else None
    if target is not None:
        draft.extra["target_cpu_percent"] = target
    variables = node.get("env")
    if variables is not None:
        draft.extra |= container_settings(Node({"env": variables}, variables.line))
    image = node.get("image")
    if image is not None:
        draft.extra["image"] = image.get("tag") or image
    draft.ready = ("resources", "env", "livenessProbe", "readinessProbe", "startupProbe", *_STANDARD)
    return draft


def _blanked(text: str) -> tuple[str, list[str]]:
    """The template as YAML: an action alone on its line becomes a value or nothing, others become placeholders."""
    actions: list[str] = []
    lines: list[str] = []
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
        lines.append(_line(line, actions))
    return "\n".join(lines), actions


def _line(line: str, actions: list[str]) -> str:
    found = [match.group(1) for match in _ACTION.finditer(line)]
    rest = _ACTION.sub("", line).strip()
    if not rest:
        content = [action for action in found if not _CONTROL.match(action)]
        if not content or not any("toYaml" in action and ".Values" in action for action in content):
            return ""
        actions.append(content[0])
        return " " * _indent(content[0], line) + f"helm__{len(actions) - 1}__: x"

    def placed(match: re.Match[str]) -> str:
        if _CONTROL.match(match.group(1)):
            return ""
        actions.append(match.group(1))
        return f"helm__{len(actions) - 1}__"

    return _ACTION.sub(placed, line).replace("{{", "").replace("}}", "")


def _indent(action: str, line: str) -> int:
    wanted = re.search(r"n?indent\s+(\d{1,3})", action)
    return int(wanted.group(1)) if wanted else len(line) - len(line.lstrip())


def _filled(node: Node, actions: list[str], files: list[tuple[str, Node]], depth: int = 0) -> Node:
    if depth > 60:
        return node
    if isinstance(node.value, list):
        return replace(node, value=[_filled(item, actions, files, depth + 1) for item in node.value])
    if isinstance(node.value, dict):
        return _filled_mapping(node, actions, files, depth)
    if not isinstance(node.value, str) or "helm__" not in node.value:
        return node
    whole = _PLACEHOLDER.fullmatch(node.value)
    if whole is not None:
        found = _value(actions[int(whole.group(1))], files, node)
        return (
            found
            if found is not None
            else Node(None, node.line, text="{{ " + actions[int(whole.group(1))] + " }}", is_known=False)
        )
    texts = {m.group(0): _value(actions[int(m.group(1))], files, node) for m in _PLACEHOLDER.finditer(node.value)}
    if all(found is not None and found.string() is not None for found in texts.values()):
        value = _PLACEHOLDER.sub(lambda m: (found.string() or "") if (found := texts[m.group(0)]) else "", node.value)
        return replace(node, value=value, text=value[:400])
    shown = _PLACEHOLDER.sub(lambda m: "{{ " + actions[int(m.group(1))] + " }}", node.value)
    return Node(None, node.line, text=shown[:400], is_known=False)


def _filled_mapping(node: Node, actions: list[str], files: list[tuple[str, Node]], depth: int) -> Node:
    entries: dict[str, Node] = {}
    for key, below in node.entries().items():
        whole = _PLACEHOLDER.fullmatch(key)
        if whole is None:
            shown = _PLACEHOLDER.sub(lambda m: "{{ " + actions[int(m.group(1))] + " }}", key) if "helm__" in key else key
            entries[shown] = _filled(below, actions, files, depth + 1)
            continue
        found = _value(actions[int(whole.group(1))], files, below)
        if found is not None and isinstance(found.value, list) and len(node.entries()) == 1:
            return found
        entries |= found.entries() if found is not None else {}
    return replace(node, value=entries)


def _value(action: str, files: list[tuple[str, Node]], where: Node) -> Node | None:
    lookup = _LOOKUP.search(action)
    if lookup is None or re.search(r"\b(?:include|tpl|printf|ternary|index|add|mul|sub|div)\b", action):
        return None
    path = lookup.group(1).strip(".").split(".")
    for file, values in files:
        found = values.get(*path)
        if found is not None and not (found.value in ("", None) and "default" in action):
            return _placed(found, file)
    default = _DEFAULT.search(action)
    if default is None:
        return None
    written = default.group(1)
    return Node(int(written) if written.lstrip("-").isdigit() else written.strip('"'), where.line, text=written)


def _placed(node: Node, file: str, depth: int = 0) -> Node:
    """The value with the values file as its place, all the way down."""
    if depth > 60:
        return node
    if isinstance(node.value, dict):
        return replace(node, file=file, value={key: _placed(below, file, depth + 1) for key, below in node.value.items()})
    if isinstance(node.value, list):
        return replace(node, file=file, value=[_placed(item, file, depth + 1) for item in node.value])
    return replace(node, file=file)
