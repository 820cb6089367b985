"""The graph of Alembic revisions or Django migrations of one series."""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.sql.paths import kind_of
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
    aliases: tuple[str, ...] = ()
    """Other names that lead to it: the migrations that a squashed one replaces, the labels of an Alembic branch."""
    needs: tuple[str, ...] = ()
    """What must run first without being a parent (Alembic's `depends_on`): the chain that it stands on keeps its head."""

    def is_own(self, parent: str) -> bool:
        """True when the parent must stand in the same series."""
        return self.framework == "alembic" or parent.startswith(f"{self.label}.")


def series_of(tree: SourceTree, folder: str) -> tuple[str, ...]:
    """Every folder whose migrations are of one graph with those of this folder.

    Alembic: the folders below the one with `env.py` (`recursive_version_locations`, a folder a year), and every folder of
    `version_locations`. Django: the folder itself.
    """
    parts = folder.split("/")
    above = ["/".join(parts[:depth]) for depth in range(len(parts), 0, -1)]
    root = next((at for at in above if tree.text(f"{at}/env.py") is not None), None)
    if root is None:
        return (folder,)
    inside = {at for path in tree.paths() if path.endswith(".py") and (at := path.rpartition("/")[0]).startswith(f"{root}/")}
    return tuple(sorted({folder, root, *inside, *_version_locations(tree)}))


def _version_locations(tree: SourceTree) -> Iterable[str]:
    for path in tree.paths():
        if path.rpartition("/")[2] != "alembic.ini":
            continue
        here = path.rpartition("/")[0]
        for line in (tree.text(path) or "").split("\n"):
            key, _, value = line.partition("=")
            if key.strip() == "version_locations":
                for place in value.replace(":", " ").replace(";", " ").replace(",", " ").split():
                    yield place.replace("%(here)s", here).lstrip("./").rstrip("/")


def nodes_of(tree: SourceTree, folders: Iterable[str]) -> list[Node]:
    """The migrations of a series: those of all of its folders."""
    return [node for folder in folders for node in nodes_in(tree, folder)]


def nodes_in(tree: SourceTree, folder: str) -> list[Node]:
    """The migrations directly in a folder."""
    found: list[Node] = []
    for path in tree.paths():
        if path.rpartition("/")[0] != folder or not path.endswith(".py"):
            continue
        text = tree.text(path) or ""
        node = _alembic(text, path) if "down_revision" in text else _django(text, path) if is_django(text) else None
        if node is not None:
            found.append(node)
    return _with_the_apps_label(found)


def heads(nodes: list[Node]) -> list[Node]:
    """The migrations that no other one follows, as the runner sees them: replaced ones are those that replace them."""
    leads = leads_to(nodes)
    replaced = {n.identity for n in nodes if leads.get(n.identity, n.identity) != n.identity}
    followed = {leads.get(p, p) for n in nodes if n.identity not in replaced for p in n.parents}
    return [n for n in nodes if n.identity not in followed and n.identity not in replaced]


def leads_to(nodes: Iterable[Node]) -> Mapping[str, str]:
    """Alias → the identity that it stands for."""
    return {alias: node.identity for node in nodes for alias in node.aliases}


def named_anywhere(tree: SourceTree, name: str) -> bool:
    """Whether an Alembic revision of that id or label stands somewhere else in the repository."""
    for place in tree.search({name}).get(name, ()):
        node = _alembic(tree.text(place.file) or "", place.file) if kind_of(place.file) == "python" else None
        if node is not None and name in (node.identity, *node.aliases):
            return True
    return False


def _alembic(text: str, path: str) -> Node | None:
    """A merge revision imports nothing and does nothing: its two names are enough."""
    module = parse_python(text)
    if module is None:
        return None
    names = assignments(module.body, {})
    revision, down = names.get("revision"), names.get("down_revision")
    if not isinstance(revision, str) or "down_revision" not in names:
        return None
    parents = tuple(_bare(parent) for parent in _texts(down))
    needs = tuple(_bare(parent) for parent in _texts(names.get("depends_on")))
    line = _line(module.body, "down_revision")
    return Node(revision, parents, path, line, "alembic", aliases=tuple(_texts(names.get("branch_labels"))), needs=needs)


def _bare(parent: str) -> str:
    """`branch@id` without its branch."""
    label, _, identity = parent.rpartition("@")
    return label if identity in ("head", "base") else identity


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
    pairs = [pair for pair in _pairs(names.get("dependencies")) if not pair[1].startswith("__")]
    replaced = tuple(f"{app}.{migration}" for app, migration in _pairs(names.get("replaces")))
    parents = tuple(f"{app}.{migration}" for app, migration in pairs)
    name = parts[-1].removesuffix(".py")
    line = _line(own.body, "dependencies")
    return Node(f"{label}.{name}", parents, path, line, "django", label, aliases=replaced)


def _with_the_apps_label(nodes: list[Node]) -> list[Node]:
    """An app may have another label than its folder: the one under which its own migrations name each other."""
    names = {n.file.rpartition("/")[2].removesuffix(".py") for n in nodes if n.framework == "django"}
    said = Counter(
        app
        for n in nodes
        if n.framework == "django"
        for app, _, migration in (p.rpartition(".") for p in (*n.parents, *n.aliases))
        if migration in names
    )
    if not said or any(n.label in said for n in nodes):
        return nodes
    label = said.most_common(1)[0][0]
    return [
        replace(n, identity=f"{label}.{n.identity.rpartition('.')[2]}", label=label) if n.framework == "django" else n
        for n in nodes
    ]


def _pairs(value: Value) -> list[tuple[str, str]]:
    items = value if isinstance(value, tuple) else ()
    pairs = [item for item in items if isinstance(item, tuple) and len(item) == 2]
    return [(str(app), str(name)) for app, name in pairs if isinstance(app, str) and isinstance(name, str)]
