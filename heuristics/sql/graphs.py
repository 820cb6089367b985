"""The graph of Alembic revisions or Django migrations in one folder."""

import ast

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.sql.sources.alembic import is_alembic
from heuristics.sql.sources.django import is_django
from heuristics.sql.sources.python_values import Value, assignments, parse_python


class Node(Record):
    """One migration: its id, its parents, and the line that names them."""

    identity: str
    parents: tuple[str, ...]
    file: str
    line: int
    framework: str
    label: str = ""
    """The Django app it belongs to."""

    def is_own(self, parent: str) -> bool:
        """True when the parent must stand in the same folder."""
        return self.framework == "alembic" or parent.startswith(f"{self.label}.")


def nodes_in(tree: SourceTree, folder: str) -> list[Node]:
    """The migrations directly in a folder."""
    found: list[Node] = []
    for path in tree.paths():
        if path.rpartition("/")[0] != folder or not path.endswith(".py"):
            continue
        text = tree.text(path) or ""
        node = (
            _alembic(text, path)
            if "down_revision" in text and is_alembic(text)
            else _django(text, path)
            if is_django(text)
            else None
        )
        if node is not None:
            found.append(node)
    return found


def heads(nodes: list[Node]) -> list[Node]:
    """The migrations that no other one follows."""
    followed = {p for n in nodes for p in n.parents}
    return [n for n in nodes if n.identity not in followed]


def _alembic(text: str, path: str) -> Node | None:
    module = parse_python(text)
    if module is None:
        return None
    names = assignments(module.body, {})
    revision, down = names.get("revision"), names.get("down_revision")
    if not isinstance(revision, str):
        return None
    depends = names.get("depends_on")
    parents = [*_texts(down), *_texts(depends)]
    return Node(revision, tuple(parents), path, _line(module.body, "down_revision"), "alembic")


def _texts(value: Value) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


def _line(body: list[ast.stmt], name: str) -> int:
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(t, ast.Name) and t.id == name for t in targets):
            return node.lineno
    return 1


def _django(text: str, path: str) -> Node | None:
    module = parse_python(text)
    if module is None:
        return None
    own = next((n for n in module.body if isinstance(n, ast.ClassDef) and n.name == "Migration"), None)
    if own is None:
        return None
    names = assignments(own.body, assignments(module.body, {}))
    parts = path.split("/")
    label = parts[-3] if len(parts) > 2 else "app"
    pairs = _pairs(names.get("dependencies")) + _pairs(names.get("replaces"))
    parents = [f"{app}.{migration}" for app, migration in pairs]
    name = parts[-1].removesuffix(".py")
    return Node(f"{label}.{name}", tuple(parents), path, _line(own.body, "dependencies"), "django", label)


def _pairs(value: Value) -> list[tuple[str, str]]:
    items = value if isinstance(value, tuple) else ()
    pairs = [item for item in items if isinstance(item, tuple) and len(item) == 2]
    return [(str(app), str(name)) for app, name in pairs if isinstance(app, str) and isinstance(name, str)]
