"""Values that a file beside a template gives to its parameters: samconfig.toml, CodePipeline's and the AWS CLI's JSON, or YAML."""

import posixpath
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence

from context_graph.manifests.json_source import JsonError, read_json
from context_graph.manifests.node import Node, Stack
from context_graph.manifests.toml_source import TomlError, read_toml
from context_graph.manifests.yaml_source import YamlError, read_yaml

MAX_CHARACTERS = 200_000
_NAMES = ("samconfig", "metadata", "param", "template-config", "configuration", "config")
_READERS: Mapping[str, Callable[[str], Sequence[Node]]] = {
    ".toml": lambda text: [read_toml(text)],
    ".json": lambda text: [read_json(text)],
    ".yaml": read_yaml,
    ".yml": read_yaml,
}


def give_parameters(stacks: Iterable[Stack], paths: Iterable[str], text_of: Callable[[str], str | None]) -> None:
    """Fills in the SSM paths that the template itself leaves open; the first file in the order of names counts."""
    open_stacks = [stack for stack in stacks if "" in stack.ssm_paths.values()]
    if not open_stacks:
        return
    beside: dict[str, list[str]] = {posixpath.dirname(stack.file): [] for stack in open_stacks}
    for path in sorted(paths):
        directory, name = posixpath.split(path)
        if directory in beside and posixpath.splitext(name)[1] in _READERS and name.lower().startswith(_NAMES):
            beside[directory].append(path)
    for stack in open_stacks:
        for path in beside[posixpath.dirname(stack.file)]:
            given = _assignments(path, text_of(path))
            for name, value in stack.ssm_paths.items():
                if not value and name in given:
                    stack.ssm_paths[name] = given[name]


def _assignments(path: str, text: str | None) -> dict[str, str]:
    if text is None or len(text) > MAX_CHARACTERS:
        return {}
    try:
        roots = _READERS[posixpath.splitext(path)[1]](text)
    except (YamlError, JsonError, TomlError):
        return {}
    found: dict[str, str] = {}
    for root in roots:
        for where, node in root.walk():
            if where[-1:] == ("parameter_overrides",):
                found |= _overrides(node)
            elif where in (("parameters",), ("Parameters",)):
                found |= {name: value for name, below in node.entries().items() if (value := below.string()) is not None}
            elif (key := node.get("ParameterKey")) is not None and (value := node.get("ParameterValue")) is not None:
                found[key.string() or ""] = value.string() or ""
    return found


def _overrides(node: Node) -> dict[str, str]:
    """`"A=1 B=2"`, or a list of `"A=1"`."""
    found: dict[str, str] = {}
    for item in node.items():
        try:
            words = shlex.split(item.string() or "")
        except ValueError:
            continue
        for word in words:
            name, sign, value = word.partition("=")
            if sign:
                found[name] = value
    return found
