"""What manifests declare, as JSON, as Graphviz DOT and as a Mermaid flowchart."""

import json
from collections.abc import Mapping
from typing import Any

from context_graph.manifests import Manifests, logical_name
from gonogo.resource import Declared

SCHEMA = "gonogo.graph/1"


def graph_json(manifests: Manifests) -> str:
    """One document. `id` is the address in the manifest; edges go from id to id."""
    return json.dumps(graph_document(manifests), indent=1, ensure_ascii=False) + "\n"


def graph_document(manifests: Manifests) -> dict[str, Any]:
    """The document as values."""
    return {
        "schema": SCHEMA,
        "resources": [_resource(declared) for declared in _by_address(manifests).values()],
        "edges": [edge.model_dump(mode="json") for edge in manifests.edges],
        "not_read": [{"file": n.file, "why": n.why, "line": n.line} for n in manifests.not_read],
    }


def graph_dot(manifests: Manifests) -> str:
    """A digraph for `dot -Tsvg`; what may not be there is dashed."""
    lines = ["digraph gonogo {", "  rankdir=LR;", "  node [shape=box, fontname=Helvetica];"]
    for address, declared in _nodes(manifests).items():
        kind = f"\\n{_quoted(declared[0].kind)}" if declared else ""
        style = ", style=dashed" if _is_conditional(declared) else ""
        lines.append(f'  "{_quoted(address)}" [label="{_quoted(_label(address, declared))}{kind}"{style}];')
    lines += [
        f'  "{_quoted(edge.source)}" -> "{_quoted(edge.target)}" [label="{_quoted(str(edge.relation))}"];'
        for edge in manifests.edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def graph_mermaid(manifests: Manifests) -> str:
    """A flowchart as GitHub draws it in Markdown."""
    nodes = _nodes(manifests)
    names = {address: f"n{number}" for number, address in enumerate(nodes)}
    lines = ["flowchart LR"]
    for address, declared in nodes.items():
        kind = f"<br/>{_entities(declared[0].kind)}" if declared else ""
        lines.append(f'  {names[address]}["{_entities(_label(address, declared))}{kind}"]')
    lines += [f"  {names[edge.source]} -->|{edge.relation}| {names[edge.target]}" for edge in manifests.edges]
    dashed = [names[address] for address, declared in nodes.items() if _is_conditional(declared)]
    if dashed:
        lines += ["  classDef conditional stroke-dasharray: 4", f"  class {','.join(dashed)} conditional"]
    return "\n".join(lines) + "\n"


def _by_address(manifests: Manifests) -> Mapping[str, list[Declared]]:
    """Address → its declarations, one an environment."""
    found: dict[str, list[Declared]] = {}
    for declared in manifests.resources:
        found.setdefault(declared.address, []).append(declared)
    return found


def _nodes(manifests: Manifests) -> Mapping[str, list[Declared]]:
    """The same with the ends of edges that no manifest declares."""
    found = dict(_by_address(manifests))
    for edge in manifests.edges:
        found.setdefault(edge.source, [])
        found.setdefault(edge.target, [])
    return found


def _resource(declared: list[Declared]) -> dict[str, Any]:
    first = declared[0]
    environments = [d.environment for d in declared if d.environment is not None]
    return {
        "id": first.address,
        "kind": first.kind,
        "name": logical_name(first),
        "file": first.file,
        "line": max(1, first.line),
        "conditional": _is_conditional(declared),
        "environments": environments,
    }


def _is_conditional(declared: list[Declared]) -> bool:
    return bool(declared) and all(d.is_conditional for d in declared)


def _label(address: str, declared: list[Declared]) -> str:
    return (declared[0].name if declared else None) or address


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _entities(text: str) -> str:
    """Mermaid reads quotes and brackets as its own; entity codes are text (https://mermaid.js.org/syntax/flowchart.html)."""
    return "".join(c if c.isalnum() or c in " ._-/:@" else f"#{ord(c)};" for c in " ".join(text.split()))
