"""Adds a module to a registry: a tuple that names every rule, or every playbook, in reading order."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ID_PART = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def register(registry: Path, *, listing: str, package: str, module: str) -> None:
    """Import `module` from `package` and put it last in the tuple `listing`."""
    source = registry.read_text(encoding="utf-8")
    tree = ast.parse(source)
    name = _free_name(tree, package, module)
    imported = f"from {package} import {module}" + (f" as {name}" if name != module else "")
    value = _tuple_of(tree, listing)
    lines = source.splitlines(keepends=True)
    assert value.end_lineno is not None
    assert value.end_col_offset is not None
    at = value.end_lineno - 1
    before, after = lines[at][: value.end_col_offset - 1], lines[at][value.end_col_offset - 1 :]
    told = "".join(lines[:at]) + before
    comma = "" if not value.elts or told.rstrip().endswith(",") else ","
    text = f"{told}{comma} {name},{after}" + "".join(lines[at + 1 :])
    last_import = max(node.end_lineno or node.lineno for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    rows = text.splitlines(keepends=True)
    rows.insert(last_import, f"{imported}\n")
    registry.write_text("".join(rows), encoding="utf-8")
    tidy(registry)


def write_new(files: dict[Path, str]) -> None:
    """Write files that must not exist yet, and make the Python among them tidy."""
    there = [path for path in files if path.exists()]
    if there:
        sys.exit(f"{there[0]} exists already")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")
    tidy(*(path for path in files if path.suffix == ".py"))


def tidy(*files: Path) -> None:
    """Sort imports and format."""
    ruff = Path(sys.executable).parent / "ruff"
    subprocess.run([ruff, "check", "--quiet", "--select", "I", "--fix", *files], check=True)
    subprocess.run([ruff, "format", "--quiet", *files], check=True)


def _free_name(tree: ast.Module, package: str, module: str) -> str:
    bound = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    return module if module not in bound else f"{package.rsplit('.', 1)[-1]}_{module}"


def _tuple_of(tree: ast.Module, listing: str) -> ast.Tuple:
    for node in tree.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Tuple() as value) if name == listing:
                return value
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple() as value) if name == listing:
                return value
            case _:
                pass
    sys.exit(f"no tuple {listing} in the registry")
