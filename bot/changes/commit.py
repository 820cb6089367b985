"""One commit of a repository as a tree, without a range around it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bot.changes.git import Git
from bot.changes.tree import GitTree, ObjectReader
from gonogo.change import Side


@contextmanager
def tree_at(folder: Path, ref: str, *, option: str = "--ref", side: Side = "head") -> Generator[GitTree]:
    """The tree of a commit; a folder that is no repository and a ref that is no commit are CallErrors."""
    git = Git(folder)
    objects = ObjectReader(git)
    try:
        yield GitTree(git, objects, git.commit(ref, option=option), side)
    finally:
        objects.close()
