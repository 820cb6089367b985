"""Files that a caller names: where the repository around them begins, and which migrations a folder holds."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bot.changes.folder import FolderTree
from bot.changes.settings_file import settings_text
from bot.changes.tree import decode
from gonogo.errors import CallError

IsMigration = Callable[[str], bool]
"""Whether a migration stands at a path."""

_NEVER = frozenset({"node_modules", "vendor", "venv", "site-packages", "target", "dist", "build"})
_MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class Given:
    """Files of one repository as the caller named them, with their tree."""

    tree: FolderTree
    files: tuple[str, ...]
    """Paths from the root of the tree."""
    shown: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path from the root → the path as the caller wrote it."""

    @property
    def policy_text(self) -> str | None:
        """`.github/gonogo.yml` as it stands beside them."""
        return settings_text(self.tree)


def given_files(names: Sequence[str], *, stdin_name: str, is_migration: IsMigration) -> tuple[Given, ...]:
    """The files, by repository. A folder stands for the migrations in it, `-` for standard input under `stdin_name`.

    Raises a CallError that names the files which are not there.
    """
    missing = [name for name in names if name != "-" and not Path(name).exists()]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise CallError(f"no such file: {', '.join(missing[:5])}{more}")
    shown: dict[Path, dict[str, str]] = {}
    texts: dict[Path, dict[str, str]] = {}
    for name in names:
        for written in [stdin_name] if name == "-" else _files(name, is_migration):
            whole = Path(os.path.abspath(written))  # noqa: PTH100  a link stays what the caller called it
            root = root_of(whole)
            path = whole.relative_to(root).as_posix()
            shown.setdefault(root, {})[path] = written
            if name == "-":
                texts.setdefault(root, {})[path] = decode(sys.stdin.buffer.read()) or ""
    return tuple(Given(FolderTree(root, paths, overlay=texts.get(root)), tuple(paths), paths) for root, paths in shown.items())


def root_of(file: Path) -> Path:
    """The top of the repository that holds a file; without one the current folder, or one well above the file."""
    above = list(file.parents)
    for folder in above:
        if (folder / ".git").exists():
            return folder
    here = Path.cwd()
    return here if here in above else above[min(3, len(above) - 1)]


def _files(name: str, is_migration: IsMigration) -> Iterator[str]:
    if not Path(name).is_dir():
        yield name
        return
    yield from islice(_below(name, is_migration), _MOST_FILES)


def _below(folder: str, is_migration: IsMigration) -> Iterator[str]:
    whole = Path(folder).resolve()
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in _NEVER and not f.startswith("."))
        for name in sorted(files):
            path = os.path.join(at, name)  # noqa: PTH118  as the caller wrote the folder
            standing = Path(whole.name, os.path.relpath(path, folder)).as_posix()
            if is_migration(standing) or is_migration(Path(path).as_posix()):
                yield path
