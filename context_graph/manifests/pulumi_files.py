"""Which files are programs of a Pulumi project, by their names alone."""

import posixpath
from collections.abc import Collection

from context_graph.manifests.program_values import Language

LANGUAGES: dict[str, Language] = {
    ".ts": "script", ".mts": "script", ".js": "script", ".mjs": "script", ".cjs": "script", ".py": "python", ".go": "go",
}  # fmt: skip


def projects_in(paths: Collection[str]) -> tuple[str, ...]:
    """The folders of the tree that hold a Pulumi project."""
    return tuple(posixpath.dirname(p) for p in paths if posixpath.basename(p) in ("Pulumi.yaml", "Pulumi.yml"))


def is_program(path: str, projects: tuple[str, ...]) -> bool:
    """Whether a file can be a program of one of these projects."""
    inside = any(path.startswith(f"{project}/") if project else True for project in projects)
    name = posixpath.basename(path)
    is_other = (
        "node_modules/" in path
        or "/venv/" in path
        or name.endswith((".d.ts", ".test.ts", ".spec.ts", "_test.go"))
        or name.startswith("test_")
    )
    return inside and not is_other and posixpath.splitext(path)[1] in LANGUAGES
