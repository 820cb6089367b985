"""IAM statements and network rules as settings: one value each, so that a rule sees which one went."""

from context_graph.manifests.json_source import JsonError, read_json
from context_graph.manifests.node import Node
from context_graph.normal_form import canonical

_LISTED = {"action": "actions", "notaction": "not_actions", "resource": "resources", "notresource": "not_resources"}
_TERRAFORM = {"actions": "actions", "notactions": "not_actions", "resources": "resources", "notresources": "not_resources"}


def statement_settings(document: Node | None, *, prefix: str = "statement", start: int = 0) -> dict[str, Node]:
    """`statement.N` for each statement of a policy document (mapping, JSON text, or Terraform's `statement` blocks)."""
    opened = opened_json(document)
    statements = opened.get("Statement") if opened is not None else None
    if statements is None:
        return {}
    found: dict[str, Node] = {}
    for number, statement in enumerate(statements.items(), start=start):
        if statement.is_known and statement.entries():
            found[f"{prefix}.{number}"] = _statement(statement)
        else:
            found[f"{prefix}.{number}"] = statement
    return found


def opened_json(node: Node | None) -> Node | None:
    """The tree inside a value that is JSON text; the node itself when it is a tree or cannot be opened."""
    if node is None or isinstance(node.value, dict | list):
        return node
    if node.tree is not None:
        return node.tree
    written = node.value if isinstance(node.value, str) else node.text if not node.is_known else ""
    stripped = written.lstrip()
    if not stripped.startswith(("{", "[")):
        return node
    first = node.line + (written.count("\n", 0, len(written) - len(stripped)))
    try:
        opened = read_json(stripped, first_line=first + (1 if node.text.startswith(("<<", "|", ">")) else 0))
    except JsonError:
        return node
    return Node(opened.value, node.line, text=node.text, references=node.references, file=node.file, end_line=opened.end_line)


def rule_settings(rules: Node | None, prefix: str) -> dict[str, Node]:
    """`ingress.N` or `egress.N` for each network rule of a group."""
    if rules is None:
        return {}
    return {f"{prefix}.{number}": rule for number, rule in enumerate(rules.items())}


def _statement(statement: Node) -> Node:
    entries = {canonical(key): value for key, value in statement.entries().items()}
    effect = entries.get("effect") or Node("Allow", statement.line)
    value: dict[str, Node] = {"effect": effect}
    for name, key in (_LISTED | _TERRAFORM).items():
        if name in entries:
            value[key] = Node(entries[name].items(), entries[name].line)
    for name, key in (("principal", "principals"), ("principals", "principals"), ("condition", "conditions"), ("sid", "sid")):
        if name in entries:
            value[key] = entries[name]
    text = f"{effect.json()} {', '.join(str(a.json()) for a in value['actions'].items())}" if "actions" in value else ""
    return Node(
        value, statement.line, text=text, references=statement.references, end_line=statement.end_line, file=statement.file
    )
