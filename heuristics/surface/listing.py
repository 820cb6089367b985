"""Everything that one tree exposes and needs, and what its manifests create."""

from dataclasses import dataclass

from gonogo.ports import SourceTree
from heuristics.code import Creation, Read, Route, creations_of, reads_of, routes


@dataclass(frozen=True, slots=True)
class Surface:
    """Routes that production code answers, reads of the environment, and names that get a value."""

    routes: tuple[Route, ...]
    reads: tuple[Read, ...]
    creates: tuple[Creation, ...]


def surface_of(tree: SourceTree) -> Surface:
    """All of a tree, each in the order of files and lines; tests, examples and documents have none."""
    return Surface(
        routes=tuple(sorted(dict.fromkeys(routes(tree)), key=lambda r: (r.file, r.line, r.path, r.method))),
        reads=tuple(r for r in reads_of(tree) if not r.is_test),
        creates=tuple(c for c in creations_of(tree) if c.has_value),
    )
