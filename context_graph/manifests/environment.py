"""Environment variables of a workload, whatever the format, as settings `environment_keys` and `environment.NAME`."""

from collections.abc import Iterable

from context_graph.manifests.node import Node


def environment_settings(variables: Iterable[tuple[str, Node]], *, line: int, file: str | None = None) -> dict[str, Node]:
    """The settings for these variables; none at all when there are no variables.

    `line` is where the block of variables begins. A value that comes from a secret is an unknown with a text.
    """
    found = dict(variables)
    if not found:
        return {}
    keys = Node([Node(name, node.line) for name, node in sorted(found.items())], line, text=", ".join(sorted(found)), file=file)
    return {"environment_keys": keys} | {f"environment.{name}": node for name, node in sorted(found.items())}


def variables_of(node: Node | None) -> list[tuple[str, Node]]:
    """Variables written as a mapping, as `[{name, value}]`, `[{Name, ValueFrom}]`, or as `["NAME=value"]`."""
    if node is None:
        return []
    if node.entries():
        return [(name, value) for name, value in node.entries().items() if not name.startswith("Fn::")]
    found: list[tuple[str, Node]] = []
    for item in node.items():
        written = item.string()
        if written is not None:
            name, sign, value = written.partition("=")
            found.append((name, Node(value, item.line, text=value) if sign else _passed_through(item)))
            continue
        name_node = item.get("name") or item.get("key")
        name = name_node.string() if name_node is not None else None
        if name is not None and name_node is not None:
            found.append((name, item.get("value") or _from_elsewhere(item)))
    return found


def _passed_through(item: Node) -> Node:
    return Node(None, item.line, text="(from the caller's environment)", is_known=False)


def _from_elsewhere(item: Node) -> Node:
    source = item.get("valueFrom")
    if source is None:
        return Node("", item.line, text="")
    if source.string() is not None or not source.is_known:
        return Node(None, source.line, text=source.text, is_known=False, references=source.references)
    text = _source_text(source)
    return Node(None, item.line, text=text, is_known=False)


def _source_text(source: Node) -> str:
    for label, reference in source.entries().items():
        parts = [
            below.string() or ("" if below.is_known else below.text)
            for _, below in sorted(reference.entries().items(), key=_name_first)
            if _is_scalar(below)
        ]
        return f"{label}: " + " ".join(parts)
    return "valueFrom"


def _name_first(entry: tuple[str, Node]) -> int:
    return ("name", "key").index(entry[0]) if entry[0] in ("name", "key") else 2


def _is_scalar(node: Node) -> bool:
    return not isinstance(node.value, dict | list)
