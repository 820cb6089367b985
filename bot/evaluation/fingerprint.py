"""What a verdict is bound to: the same fingerprint, the same verdict, at no cost.

It holds the changed files (paths, modes and contents on both sides, from the merge base), what the evaluation reads around them,
the slice of production's graph that they reach, the settings, and who investigates. It holds no commit, no date, no title and no
body: rules read none of these, and an edited title must not give a model another try (docs/decisions/0015-incremental.md).

Around a change the rules search the whole tree for callers, readers, manifests and migrations, so the slice of the base is the
whole of it but for two kinds of files. Measured on 392 labelled pull requests: no unchanged test is read, and of unchanged documents
only those that speak of migrations, for a change that holds one: they may say who applies it. Without the others every report is the
same to the byte.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

from bot.evaluation.mapping import Mapped
from gonogo import __version__
from gonogo.change import ChangeSet, Side
from gonogo.policy import Policy
from gonogo.ports import Provider, SourceTree
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.word import Instant
from heuristics.code import is_docs_path, is_test_path
from heuristics.sql import is_migration_path

_FORMAT = 1
_TEXTS = (".md", ".rst", ".adoc", ".txt")
_ABOUT_MIGRATIONS = "igration"
_LIVE = "live"
"""Production that moves by itself: its instant says nothing; a snapshot's does."""


@runtime_checkable
class Objects(SourceTree, Protocol):
    """A tree that knows what identifies the content of its files."""

    def objects(self) -> Mapping[str, str]:
        """Path → id of the content, of every regular file."""
        ...


class Around(Record):
    """What a change was judged in: what it reaches, as production's graph has it."""

    mapped: Mapped
    resources: Sequence[Resource] = ()
    """The affected ones with their configuration."""
    source: str = "none"
    read_at: Instant | None = None


def around_of(mapped: Mapped, provider: Provider | None) -> Around:
    """What the change reaches, with its configuration read from the provider. Raises what the provider raises."""
    if provider is None:
        return Around(mapped)
    return Around(mapped, tuple(provider.resources(mapped.ids)), provider.name, provider.now())


def fingerprint_of(
    changes: ChangeSet,
    trees: Mapping[Side, SourceTree],
    around: Around | None,
    policy: Policy,
    *,
    investigator: str,
    today: date | None,
) -> str:
    """64 hex digits, or nothing where a tree does not identify its files.

    `around` is None for a change that nothing around it was read for: documents, tests and comments. `investigator` is the version
    of a model's; `today` counts only where something is accepted until a day.
    """
    base = trees.get("base")
    if not isinstance(base, Objects):
        return ""
    parts: dict[str, Any] = {
        "format": _FORMAT,
        "gonogo": __version__,
        "investigator": investigator,
        "repository": changes.repository,
        "files": [[f.base_path, f.head_path, f.base_object, f.head_object] for f in changes.files],
        "base": slice_of(base, changes) if around is not None else None,
        "production": _production(around) if around is not None else None,
        "policy": policy.model_dump(mode="json"),
        "today": str(today) if holds_acceptances(changes, trees["head"], policy) else None,
    }
    return _digest(parts)


def slice_of(base: Objects, changes: ChangeSet) -> str:
    """Digest of what may be read around this change: path and content of each such file."""
    may_be_read = read_around(base, changes)
    return _digest([[path, object_id] for path, object_id in sorted(base.objects().items()) if may_be_read(path)])


def read_around(base: SourceTree, changes: ChangeSet) -> Callable[[str], bool]:
    """Which unchanged files may bear on the verdict: no test, and a document only where it speaks of migrations and one is there."""
    has_migration = any(is_migration_path(p) for f in changes.files for p in (f.base_path, f.head_path) if p)

    def may_be_read(path: str) -> bool:
        if has_migration and path.endswith(_TEXTS) and _ABOUT_MIGRATIONS in (base.text(path) or ""):
            return True
        return not (is_test_path(path) or is_docs_path(path))

    return may_be_read


def holds_acceptances(changes: ChangeSet, head: SourceTree, policy: Policy) -> bool:
    """Whether anything may be accepted: by the configuration, or by a comment in a changed file."""
    texts = (head.text(f.head_path) or "" for f in changes.files if f.head_path and f.hunks)
    return bool(policy.accept) or any("gonogo:" in text for text in texts)


def _production(around: Around) -> list[Any]:
    """The affected slice of the graph: what is reached and how, the edges around it, and what is configured there."""
    mapped = around.mapped
    return [
        around.source,
        str(around.read_at) if around.source != _LIVE else None,
        mapped.repository,
        mapped.is_known,
        [a.model_dump(mode="json") for a in mapped.affected],
        [e.model_dump(mode="json") for e in mapped.edges],
        sorted(mapped.known_ids),
        sorted(mapped.live.items()),
        [r.model_dump(mode="json") for r in sorted(around.resources, key=lambda r: r.id)],
    ]


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
