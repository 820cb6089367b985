"""The function around a line, and where a function is defined and used, told apart by imports and folders."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.syntax import Node, parse
from heuristics.code.views import definition_name, is_function, scope_of

_SAME_FOLDER = frozenset(("go", "java", "kotlin", "scala", "csharp", "php", "ruby", "elixir", "swift"))


class Spot(Record):
    """A named function: `scope` holds the classes around it too (`AuditsController.index`)."""

    file: str
    name: str
    scope: str
    start: int
    end: int


def function_at(tree: SourceTree, file: str, line: int) -> Spot | None:
    """The innermost named function that a line stands in."""
    inside = [s for s in functions_of(tree, file) if s.start <= line <= s.end]
    return min(inside, key=lambda s: s.end - s.start, default=None)


def functions_of(tree: SourceTree, file: str) -> tuple[Spot, ...]:
    """Every named function of a file."""
    return _functions(file, tree.text(file) or "")


@lru_cache(maxsize=256)
def _functions(file: str, text: str) -> tuple[Spot, ...]:
    root = _root(file, text)
    if root is None:
        return ()
    known: dict[int, str] = {}
    found: list[Spot] = []
    for node in root.walk():
        if not is_function(node):
            continue
        name = definition_name(node) or _exported_name(node)
        if name:
            scope = scope_of(node, known)
            found.append(Spot(file, name, f"{scope}.{name}".lstrip("."), node.line, node.end_line))
    return tuple(found)


def _exported_name(node: Node) -> str | None:
    """`exports.load = (…) => …` and `module.exports.load = function …`."""
    parent = node.parent
    if parent is None or parent.kind != "assignment_expression":
        return None
    return re.split(r"[.\s]", parent.named[0].text)[-1] if parent.named and parent.named[0] is not node else None


def _root(file: str, text: str) -> Node | None:
    language = language_of(file)
    return parse(text, language) if language in CODE_LANGUAGES and len(text) < 300_000 else None


def uses(tree: SourceTree, file: str, name: str, scope: str = "") -> Iterator[tuple[str, int]]:
    """Lines of production code that mean the function or constant `name` of `file`, not its own definition."""
    if len(name) < 2:
        return
    found = tree.search({name}).get(name, ())
    for place in found[:300]:
        if not _is_code(place.file):
            continue
        text = tree.text(place.file) or ""
        line = text.split("\n")[place.line - 1] if place.line <= text.count("\n") + 1 else ""
        if line.lstrip().startswith(("#", "//", "*", "import ", "from ", "use ", "require")) or _is_definition(line, name):
            continue
        if place.file == file or is_related(place.file, _with_package(tree, place.file, text), file, scope):
            yield place.file, place.line


def definitions(tree: SourceTree, file: str, name: str, *, via: str = "") -> Iterator[Spot]:
    """Functions called `name` that `file` may mean: its own, and those of files that it names, or that the callee `via` does."""
    text = _with_package(tree, file, tree.text(file) or "")
    for other in sorted({p.file for p in tree.search({name}).get(name, ())})[:80]:
        if not _is_code(other):
            continue
        for spot in functions_of(tree, other):
            if spot.name == name and (other == file or is_related(file, text, other, spot.scope) or _is_owner(via, spot)):
                yield spot


def is_related(user: str, text: str, file: str, scope: str = "") -> bool:
    """Whether a file with this text names another file by its module or class, or shares a package with it."""
    path = PurePosixPath(file)
    is_package = path.stem in ("index", "__init__", "mod") or (path.suffix == ".go" and path.parent != PurePosixPath(user).parent)
    stem = path.parent.name if is_package else path.stem
    owner = scope.split(".", maxsplit=1)[0] if "." in scope else ""
    if any(word and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in (stem, owner)):
        return True
    return language_of(file) in _SAME_FOLDER and str(PurePosixPath(user).parent) == str(path.parent)


def _with_package(tree: SourceTree, file: str, text: str) -> str:
    """In Go the files of a folder are one program text: what one of them imports, all of them use."""
    if not file.endswith(".go"):
        return text
    folder = PurePosixPath(file).parent
    beside = [p for p in tree.paths() if p.endswith(".go") and p != file and PurePosixPath(p).parent == folder]
    return "\n".join((text, *(tree.text(p) or "" for p in beside[:40])))


_ROLES = pattern(
    r"(client|clients|service|services|gateway|api|repository|repo|store|adapter|proxy|sdk|impl|http|grpc|rest|stub)$"
)


def _is_owner(via: str, spot: Spot) -> bool:
    """Whether the object that a call goes through (`this.suppliers.name`) is called like the class, file or folder of a function."""
    parts = [p for p in re.split(r"[.:>?!()\[\]-]+", via) if p]
    if len(parts) < 2:
        return False
    holder = _plain(parts[-2])
    path = PurePosixPath(spot.file)
    named = {_plain(n) for n in (path.stem, path.parent.name, spot.scope.rpartition(".")[0].rpartition(".")[2])}
    return len(holder) > 3 and holder in named


def _plain(name: str) -> str:
    bare = re.sub(r"[^a-z0-9]", "", name.lower())
    while (shorter := _ROLES.sub("", bare)) != bare and len(shorter) > 3:
        bare = shorter
    return bare.rstrip("s")


def _is_definition(line: str, name: str) -> bool:
    return re.search(
        rf"\b(?:def|fn|fun|func|function|class)\s+(?:\([^)]*\)\s*|self\.)?{re.escape(name)}\b|^\s*(?:export\s+)?(?:const|let|var|static|final|private)\b[^=(]*\b{re.escape(name)}\s*[:=]"
        rf"|^\s*(?:module\.)?exports\.{re.escape(name)}\s*=[^=]|^\s*{re.escape(name)}\s*=[^=]",
        line[:500],
    ) is not None  # fmt: skip


@lru_cache(maxsize=20_000)
def _is_code(file: str) -> bool:
    return language_of(file) in CODE_LANGUAGES and is_production_code(file)
