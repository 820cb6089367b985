"""Decides that nothing in a change can reach production: documents, tests and comments only."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from gonogo.change import ChangedFile, ChangeKind, ChangeSet, Side
from gonogo.policy import Policy
from gonogo.ports import SourceTree
from heuristics.code import is_docs_path, is_test_path, same_code
from heuristics.sql import is_migration_path


def nothing_reaches_production(changes: ChangeSet, trees: Mapping[Side, SourceTree], policy: Policy) -> str | None:
    """Why nothing can, in a sentence; None when something may."""
    if not changes.files:
        return "head has nothing that base does not have"
    reasons = [_why_harmless(file, trees, policy) for file in changes.files]
    if any(reason is None for reason in reasons):
        return None
    listed = " and ".join(_ORDER[r] for r in _ORDER if r in reasons)
    return f"only {listed} changed ({len(changes.files)} {'file' if len(changes.files) == 1 else 'files'})"


def without_ignored(changes: ChangeSet, policy: Policy) -> tuple[ChangeSet, tuple[str, ...]]:
    """The change without the files that the configuration says never reach production, and their paths."""
    ignored = tuple(f.path for f in changes.files if _is_ignored(f, policy))
    if not ignored:
        return changes, ()
    return changes.model_copy(update={"files": tuple(f for f in changes.files if f.path not in set(ignored))}), ignored


_ORDER = {
    "docs": "documents",
    "test": "tests",
    "comment": "comments and layout",
    "rename": "names of files that hold no code",
    "ignored": "paths that the configuration ignores",
}


def _why_harmless(file: ChangedFile, trees: Mapping[Side, SourceTree], policy: Policy) -> str | None:
    paths = [p for p in (file.base_path, file.head_path) if p]
    if _is_ignored(file, policy):
        return "ignored"
    if all(is_docs_path(p) for p in paths):
        return "docs"
    if all(is_test_path(p) for p in paths):
        return "test"
    if file.kind is ChangeKind.MODIFIED and file.note is None and not file.is_binary and _is_same_code(file, trees):
        return "comment"
    return None


def _is_ignored(file: ChangedFile, policy: Policy) -> bool:
    """Every path of the file, before and after, fits a pattern or lies below a folder that one names."""
    paths = [p for p in (file.base_path, file.head_path) if p]
    return bool(policy.ignore) and all(
        any(fnmatchcase(p, pattern) or p.startswith(pattern.rstrip("/") + "/") for pattern in policy.ignore) for p in paths
    )


def _is_same_code(file: ChangedFile, trees: Mapping[Side, SourceTree]) -> bool:
    if file.base_path is None or file.head_path is None or is_migration_path(file.head_path):
        return False  # some runners keep a checksum of an applied migration, comments included
    before, after = trees["base"].text(file.base_path), trees["head"].text(file.head_path)
    return before is not None and after is not None and same_code(file.head_path, before, after) is True
