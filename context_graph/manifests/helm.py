"""Helm charts, best effort: templates with values put in where they are looked up, once per values file.

`{{ .Values.a.b }}` with `default`, `quote`, `int` and `toYaml` keeps the place of its value in the values file; what the
chart's named templates make is worked out as text. Control lines are blanked, both branches of an `if` stay, and what is
left open is an unknown.
"""

import posixpath
from collections.abc import Mapping

from context_graph.manifests.helm_filling import Filling, blanked
from context_graph.manifests.helm_templates import RELEASE, Templates, text_values
from context_graph.manifests.helm_text import conditional_lines, variables_in
from context_graph.manifests.kubernetes import is_object, read_object
from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.pods import container_settings
from context_graph.manifests.yaml_source import YamlError, read_yaml

_STANDARD = {"replicaCount": "replicas", "replicas": "replicas", "terminationGracePeriodSeconds": "termination_grace_s"}


def is_values(path: str) -> bool:
    """True for `values.yaml`, `values-prod.yaml`, `prod.values.yaml`, `values/prod.yaml`."""
    name = posixpath.basename(path)
    stem, extension = posixpath.splitext(name)
    return extension in (".yaml", ".yml") and (
        stem == "values" or stem.startswith(("values-", "values.", "values_")) or stem.endswith((".values", "-values"))
        or posixpath.basename(posixpath.dirname(path)) == "values"
    )  # fmt: skip


def read_chart(
    templates: Mapping[str, str],
    values: Mapping[str, Node],
    *,
    helpers: Mapping[str, str] | None = None,
    chart: Node | None = None,
) -> Reading:
    """The objects of one chart.

    `values` maps the chart's values files to their contents, the default first; `helpers` are the files that only define
    named templates; `chart` is what Chart.yaml says.
    """
    reading = Reading()
    about = {
        key: text for key, node in (chart.entries() if chart is not None else {}).items() if (text := node.string()) is not None
    }
    named = Templates({**(helpers or {}), **templates}, about)
    default = next((node for path, node in values.items() if posixpath.basename(path).split(".")[0] == "values"), None)
    default_file = next((path for path in values if posixpath.basename(path).split(".")[0] == "values"), "")
    own = {path: node for path, node in values.items() if path != default_file}
    choices: list[tuple[str | None, list[tuple[str, Node]]]] = [
        (environment_of(path), [(path, node), *([(default_file, default)] if default is not None else [])])
        for path, node in own.items()
    ] or [(None, [(default_file, default)] if default is not None else [])]
    lookups = [text_values(files) for _, files in choices]
    for path, text in templates.items():
        try:
            documents, actions = _documents(text)
        except YamlError as error:
            reading.not_read.append((path, error.line, f"a Helm template that is not YAML without its actions: {error.why}"))
            continue
        conditional, variables = conditional_lines(text), variables_in(text)
        for (environment, files), value in zip(choices, lookups, strict=True):
            filling = Filling(actions, files, named, value, variables)
            for document in documents:
                if is_object(document):
                    found = read_object(filling.filled(document), path, environment=environment)
                    for draft in found.drafts:
                        draft.is_conditional = draft.is_conditional or draft.line in conditional
                        if draft.name is None:
                            draft.address = f"{draft.address.rpartition('/')[0]}/{_called(draft, path)}"
                    reading.add(found)
    return reading


def _documents(text: str) -> tuple[list[Node], list[str]]:
    yaml, actions = blanked(text)
    try:
        return read_yaml(yaml), actions
    except YamlError:  # whole lines that an action makes may stand where no mapping can
        yaml, actions = blanked(text, with_lines=False)
        return read_yaml(yaml), actions


def _called(draft: Draft, path: str) -> str:
    """The name without the release's, which is chosen at the installation; else the template's."""
    written = draft.extra.get("name")
    name = written.text if written is not None else ""
    bare = name.replace(f"{RELEASE}-", "").replace(f"-{RELEASE}", "")
    is_name = bare not in ("", RELEASE) and not set(bare) & set("{}/ ")
    return bare if is_name else posixpath.splitext(posixpath.basename(path))[0]


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
