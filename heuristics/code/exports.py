"""The classes that a module offers to whoever loads it (a Worker's Durable Objects and workflows are bound by that name)."""

import re

from heuristics.code.syntax import parse


def exported_classes(text: str, language: str) -> frozenset[str]:
    """The names under which a script exports classes; names that it passes on from other modules count."""
    root = parse(text, language)
    if root is None:
        return frozenset()
    found: set[str] = set()
    for node in root.find("export_statement"):
        for declared in node.named:
            name = declared.field("name") if declared.kind in ("class_declaration", "abstract_class_declaration") else None
            if name is not None:
                found.add(name.text)
        for specifier in node.find("export_specifier"):
            found.add(specifier.named[-1].text)
        found.update(re.findall(r"^export\s+const\s+(\w+)\s*=\s*class\b", node.text))
    return frozenset(found)
