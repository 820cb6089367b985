"""What the earlier migrations of an app say about its models: tables, fields, constraints."""

import ast
import re
from dataclasses import field

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.sql.sources.django_fields import Field
from heuristics.sql.sources.python_values import Call, Value, assignments, parse_python, value_of

_MOST_FILES = 400


class Model(Record, frozen=False):
    """One model so far."""

    table: str
    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    conditional: set[str] = field(default_factory=set[str])
    """Unique constraints with a condition: they are indexes."""
    together: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    is_managed: bool = True


class AppState(Record, frozen=False):
    """The models of one app, by lower-case name."""

    tree: SourceTree
    app: str
    folder: str
    models: dict[str, Model] = field(default_factory=dict[str, Model])

    def model(self, name: str) -> Model:
        """The model, with Django's own table name when nothing else is said."""
        key = name.lower()
        if key not in self.models:
            self.models[key] = Model(self._declared_table(name) or f"{self.app}_{key}")
        return self.models[key]

    def table_of(self, target: str, own: str) -> str:
        """The table a relation points at."""
        if target in ("self", ""):
            return self.model(own).table
        if target == "settings.AUTH_USER_MODEL":
            return self._user_table()
        app, _, name = target.rpartition(".")
        if app in ("", self.app):
            return self.model(name).table
        return {"contenttypes": "django_content_type"}.get(app, f"{app}_{name.lower()}")

    def _user_table(self) -> str:
        for place in self.tree.search({"AUTH_USER_MODEL"}).get("AUTH_USER_MODEL", ()):
            line = (self.tree.text(place.file) or "").split("\n")[place.line - 1 : place.line]
            found = re.search(r"AUTH_USER_MODEL\s*=\s*[\"'](\w+)\.(\w+)", line[0]) if line else None
            if found is not None:
                return f"{found.group(1)}_{found.group(2).lower()}"
        return "auth_user"

    def _declared_table(self, name: str) -> str | None:
        """`db_table` of the model's class, where models.py says one."""
        above = self.folder.rpartition("/")[0]
        for path in (
            f"{above}/models.py".lstrip("/"),
            f"{above}/models/{name.lower()}.py".lstrip("/"),
            f"{above}/models/__init__.py".lstrip("/"),
        ):
            text = self.tree.text(path)
            if text is None or "db_table" not in text:
                continue
            module = parse_python(text)
            for node in module.body if module is not None else []:
                if isinstance(node, ast.ClassDef) and node.name.lower() == name.lower():
                    inner = next((n for n in node.body if isinstance(n, ast.ClassDef) and n.name == "Meta"), None)
                    table = assignments(inner.body, {}).get("db_table") if inner is not None else None
                    return table if isinstance(table, str) else None
        return None

    def remember(self, call: Call) -> None:
        """Change the state as a migration operation does."""
        match call.last:
            case "CreateModel":
                self._create(call)
            case "AddField" | "AlterField":
                given = call.get("field", 2)
                name = call.text("name", 1)
                if isinstance(given, Call) and name:
                    self.model(call.text("model_name", 0) or "").fields[name] = Field(name, given)
            case "RemoveField":
                self.model(call.text("model_name", 0) or "").fields.pop(call.text("name", 1) or "", None)
            case "RenameField":
                fields = self.model(call.text("model_name", 0) or "").fields
                old, new = call.text("old_name", 1) or "", call.text("new_name", 2) or ""
                if old in fields:
                    fields[new] = Field(new, fields.pop(old).call)
            case "RenameModel":
                old, new = call.text("old_name", 0) or "", call.text("new_name", 1) or ""
                model = self.model(old)
                if model.table == f"{self.app}_{old.lower()}":
                    model.table = f"{self.app}_{new.lower()}"
                self.models[new.lower()] = self.models.pop(old.lower())
            case "AlterModelTable":
                table = call.text("table", 1)
                if table:
                    self.model(call.text("name", 0) or "").table = table
            case "AddConstraint":
                constraint = call.get("constraint", 1)
                if (
                    isinstance(constraint, Call)
                    and constraint.get("condition") is not None
                    and constraint.last == "UniqueConstraint"
                ):
                    self.model(call.text("model_name", 0) or "").conditional.add(constraint.text("name") or "")
            case "AlterUniqueTogether":
                self.model(call.text("name", 0) or "").together = together(call.get("unique_together", 1))
            case "SeparateDatabaseAndState":
                for inner in listed(call.get("state_operations", 1)):
                    self.remember(inner)
                for inner in listed(call.get("database_operations", 0)):
                    if inner.last == "AlterModelTable":
                        self.remember(inner)
            case _:
                pass

    def _create(self, call: Call) -> None:
        name = call.text("name", 0) or ""
        model = self.model(name)
        options = call.get("options", 2)
        if isinstance(options, dict):
            table = options.get("db_table")
            model.table = table if isinstance(table, str) else model.table
            model.is_managed = options.get("managed") is not False
            model.together = together(options.get("unique_together"))
        pairs = call.get("fields", 1)
        for pair in pairs if isinstance(pairs, tuple) else ():
            if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], Call):
                model.fields[pair[0]] = Field(pair[0], pair[1])


def together(value: Value) -> set[tuple[str, ...]]:
    """Sets of fields: `{("a", "b")}`, or one bare tuple of names."""
    if not isinstance(value, tuple):
        return set()
    if value and all(isinstance(v, str) for v in value):
        return {tuple(str(v) for v in value)}
    return {tuple(str(n) for n in v) for v in value if isinstance(v, tuple)}


def listed(value: Value) -> list[Call]:
    """The calls of a list."""
    return [v for v in value if isinstance(v, Call)] if isinstance(value, tuple) else []


def operations_of(text: str) -> tuple[list[Call], dict[str, Value], ast.Module] | None:
    """The operations of a migration, its class attributes and its module; None when it is not a Django migration."""
    module = parse_python(text)
    if module is None:
        return None
    names = assignments(module.body, {})
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == "Migration":
            own = assignments(node.body, names)
            for statement in node.body:
                if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                    name = statement.target.id
                    more, before = value_of(statement.value, own), own.get(name)
                    if isinstance(more, tuple) and isinstance(before, tuple):
                        own[name] = (*before, *more)
            return listed(own.get("operations", ())), own, module
    return None


def state_before(tree: SourceTree, path: str, *, app: str) -> AppState:
    """The app's models as the migrations that sort before this one leave them."""
    folder, _, own = path.rpartition("/")
    state = AppState(tree, app, folder)
    earlier = sorted(
        p for p in tree.paths() if p.startswith(f"{folder}/") and p.endswith(".py") and "/" not in p[len(folder) + 1 :]
    )
    for other in [p for p in earlier if p.rpartition("/")[2] < own][-_MOST_FILES:]:
        found = operations_of(tree.text(other) or "")
        for call in found[0] if found is not None else ():
            state.remember(call)
    return state
