"""Migrations of a change against those already there: an older id, two heads, an edited, renamed or removed file."""

import json
import re
from collections.abc import Iterator
from typing import cast

from gonogo.change import ChangedFile, ChangeKind, ChangeSet
from gonogo.ports import SourceTree
from heuristics.sql.graphs import Node, heads, leads_to, named_anywhere, nodes_of, series_of
from heuristics.sql.migrations import framework_of_file
from heuristics.sql.order_words import OrderingKind, OrderingProblem, Outcome
from heuristics.sql.paths import kind_of
from heuristics.sql.runner import RunnerFacts, runner_facts
from heuristics.sql.sources.plain import migration_id

_OLDER = {
    "applies": Outcome.APPLIED,
    "skips": Outcome.SKIPPED,
    "fails": Outcome.FAILS,
    "graph": Outcome.APPLIED,
    "unknown": Outcome.UNKNOWN,
}
_EDIT = {
    "ignores": Outcome.IGNORED,
    "fails": Outcome.FAILS,
    "warns": Outcome.WARNS,
    "runs_again": Outcome.APPLIED,
    "unknown": Outcome.UNKNOWN,
}


def ordering_problems(changes: ChangeSet, base: SourceTree, head: SourceTree) -> tuple[OrderingProblem, ...]:
    """Everything that is out of order among the migrations of a change, worst outcomes as the runner decides them.

    A file that is edited or removed matters when production has applied it: the caller asks for that.
    """
    files = [
        f for f in changes.files if any(p is not None and kind_of(p) is not None for p in (f.head_path, f.base_path, f.path))
    ]
    if not files:
        return ()
    found: list[OrderingProblem] = []
    for file in files:
        found += _of_file(file, base, head)
    found += _graph_problems(files, base, head)
    return tuple(found)


def _of_file(file: ChangedFile, base: SourceTree, head: SourceTree) -> Iterator[OrderingProblem]:
    match file.kind:
        case ChangeKind.ADDED if file.head_path is not None:
            yield from _added(file.head_path, base, head)
        case ChangeKind.MODIFIED if file.head_path is not None and kind_of(file.head_path) is not None:
            yield from _edited(file, base, head)
        case ChangeKind.DELETED if file.base_path is not None and kind_of(file.base_path) is not None:
            facts = _facts(file.base_path, base)
            if facts is not None:
                yield OrderingProblem(
                    kind=OrderingKind.REMOVED,
                    runner=facts.name,
                    outcome=_EDIT[facts.on_missing],
                    file=file.base_path,
                    line=1,
                    side="base",
                    migration_id=migration_id(file.base_path),
                    message=f"{file.base_path} is removed: where it was applied, {_says(_EDIT[facts.on_missing], facts)}",
                )
        case ChangeKind.RENAMED if file.head_path is not None and file.base_path is not None:
            old, new = migration_id(file.base_path), migration_id(file.head_path)
            facts = _facts(file.base_path, base)
            if facts is not None and (
                old != new or facts.name in ("rails", "knex", "typeorm", "sequelize", "laravel", "prisma", "d1")
            ):
                yield OrderingProblem(
                    kind=OrderingKind.RENAMED,
                    runner=facts.name,
                    outcome=_EDIT[facts.on_missing] if facts.on_missing == "fails" else Outcome.APPLIED,
                    file=file.head_path,
                    line=1,
                    migration_id=new,
                    other_file=file.base_path,
                    other_id=old,
                    message=f"{file.base_path} becomes {file.head_path}: where it was applied, it runs a second time or its old name is missing",
                )
        case _:
            return


def _facts(path: str, tree: SourceTree) -> RunnerFacts | None:
    name = framework_of_file(path, tree)
    return runner_facts(name) if name is not None else None


def _added(path: str, base: SourceTree, head: SourceTree) -> Iterator[OrderingProblem]:
    facts = _facts(path, head)
    own = _number(path)
    if facts is None or own is None or facts.has_heads or path.rpartition("/")[2].upper().startswith("R__"):
        return
    folder = _series(path)
    siblings = [
        (n, p)
        for p in head.paths()
        if p != path and _series(p) == folder and kind_of(p) == kind_of(path) and (n := _number(p)) is not None
    ]
    same = next((p for n, p in siblings if n == own), None)
    if same is not None and facts.name not in ("sequelize", "typeorm", "laravel", "knex", "supabase"):
        yield OrderingProblem(
            kind=OrderingKind.DUPLICATE_ID,
            runner=facts.name,
            outcome=Outcome.FAILS,
            file=path,
            line=1,
            migration_id=migration_id(path),
            other_file=same,
            other_id=migration_id(same),
            message=f"{path} has the same id as {same}",
        )
    before = [(n, p) for n, p in siblings if base.text(p) is not None]
    newest = max(before, default=None)
    if newest is not None and newest[0] > own:
        outcome = _OLDER[facts.on_older]
        yield OrderingProblem(
            kind=OrderingKind.OLDER_ID,
            runner=facts.name,
            outcome=outcome,
            file=path,
            line=1,
            migration_id=migration_id(path),
            other_file=newest[1],
            other_id=migration_id(newest[1]),
            message=f"{path} sorts before {newest[1]}, which is on the base branch: where that one was applied, {_says(outcome, facts)}",
        )
    if facts.name == "drizzle":
        yield from _journal(path, base, head)


def _edited(file: ChangedFile, base: SourceTree, head: SourceTree) -> Iterator[OrderingProblem]:
    path = file.head_path or file.path
    facts = _facts(path, head)
    if facts is None or path.rpartition("/")[2].upper().startswith("R__"):
        return
    if base.text(path) == head.text(path) or facts.name == "liquibase":
        return
    line = next((h.head_start for h in file.hunks if h.head_count), 1)
    outcome = _EDIT[facts.on_edit]
    yield OrderingProblem(
        kind=OrderingKind.EDITED,
        runner=facts.name,
        outcome=outcome,
        file=path,
        line=max(1, line),
        migration_id=migration_id(path),
        message=f"{path} is edited: where it was applied, {_says(outcome, facts)}",
    )


def _says(outcome: Outcome, facts: RunnerFacts) -> str:
    match outcome:
        case Outcome.SKIPPED:
            return f"{facts.name} skips it silently and reports success"
        case Outcome.FAILS:
            return f"{facts.name} stops and the deploy fails"
        case Outcome.APPLIED:
            return f"{facts.name} applies it out of order"
        case Outcome.IGNORED:
            return f"{facts.name} does not notice and the change never reaches that database"
        case Outcome.WARNS:
            return f"{facts.name} warns and goes on"
        case Outcome.UNKNOWN:
            return "what happens is the runner's own affair: it is not recognised here"


def _number(path: str) -> tuple[int, ...] | None:
    """The id as numbers, for comparison."""
    text = migration_id(path)
    parts = re.findall(r"\d+", text or "")
    return tuple(int(p) for p in parts[:6]) if parts and text is not None and text[:1].isdigit() else None


def _series(path: str) -> str:
    """The folder whose files are one series; a migration that is a folder belongs to the folder above."""
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[0] if name.lower() in ("migration.sql", "up.sql", "down.sql") else folder


def _journal(path: str, base: SourceTree, head: SourceTree) -> Iterator[OrderingProblem]:
    """Drizzle applies by the journal's `when`: an entry that is not newer than all before it is skipped."""
    folder, _, name = path.rpartition("/")
    journal = f"{folder}/meta/_journal.json".lstrip("/")
    entries, before = _entries(head.text(journal)), _entries(base.text(journal))
    tag = name.removesuffix(".sql")
    if tag not in entries:
        yield OrderingProblem(
            kind=OrderingKind.NOT_IN_JOURNAL,
            runner="drizzle",
            outcome=Outcome.SKIPPED,
            file=path,
            line=1,
            migration_id=tag,
            other_file=journal,
            message=f"{path} has no entry in {journal}: drizzle never runs it",
        )
        return
    newest = max(before.items(), key=lambda item: item[1], default=None)
    if newest is not None and newest[1] >= entries[tag] and newest[0] != tag:
        line = next((i for i, text in enumerate((head.text(journal) or "").split("\n"), 1) if f'"{tag}"' in text), 1)
        yield OrderingProblem(
            kind=OrderingKind.OLDER_ID,
            runner="drizzle",
            outcome=Outcome.SKIPPED,
            file=journal,
            line=line,
            migration_id=tag,
            other_file=journal,
            other_id=newest[0],
            message=f"the journal's time of {tag} is not after that of {newest[0]}: drizzle skips it silently and reports success",
        )


def _entries(text: str | None) -> dict[str, int]:
    try:
        document = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    entries = cast("dict[str, object]", document).get("entries") if isinstance(document, dict) else None
    found: dict[str, int] = {}
    for entry in cast("list[object]", entries) if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            tag, when = cast("dict[str, object]", entry).get("tag"), cast("dict[str, object]", entry).get("when")
            if isinstance(tag, str) and isinstance(when, int):
                found[tag] = when
    return found


def _graph_problems(files: list[ChangedFile], base: SourceTree, head: SourceTree) -> Iterator[OrderingProblem]:
    """Alembic and Django: more heads than before, or a parent that is not there."""
    folders = {f.head_path.rpartition("/")[0] for f in files if f.head_path is not None and kind_of(f.head_path) == "python"}
    changed = {f.head_path for f in files if f.head_path is not None}
    for series in sorted({series_of(head, folder) for folder in folders}):
        now, then = nodes_of(head, series), nodes_of(base, series)
        if not now:
            continue
        tips, known = heads(now), {n.identity for n in now} | set(leads_to(now))
        fresh = [n for n in tips if n.file in changed]
        if len(tips) > max(1, len(heads(then))) and fresh:
            own = fresh[-1]
            other = next((n for n in tips if n.identity != own.identity), own)
            yield _two_heads(own, other)
        else:
            yield from _merged(now, len(heads(then)), changed)
        for node in now:
            for parent in (*node.parents, *node.needs):
                if node.file not in changed or parent in known or not node.is_own(parent) or _is_elsewhere(node, parent, head):
                    continue
                yield OrderingProblem(
                    kind=OrderingKind.MISSING_PARENT,
                    runner=node.framework,
                    outcome=Outcome.FAILS,
                    file=node.file,
                    line=node.line,
                    migration_id=node.identity,
                    other_id=parent,
                    message=f"{node.file} follows {parent}, which is not there: {node.framework} stops",
                )


def _merged(now: list[Node], before: int, changed: set[str]) -> Iterator[OrderingProblem]:
    """A branch that would be a second head, were it not for a merge of the same change."""
    merges = [n for n in now if n.file in changed and len({p for p in n.parents if n.is_own(p)}) > 1]
    rest = [n for n in now if n not in merges]
    tips = heads(rest)
    branch = next((n for n in tips if n.file in changed), None)
    if not merges or branch is None or len(tips) <= max(1, before):
        return
    yield OrderingProblem(
        kind=OrderingKind.MERGED,
        runner=branch.framework,
        outcome=Outcome.APPLIED,
        file=branch.file,
        line=branch.line,
        migration_id=branch.identity,
        other_file=merges[0].file,
        other_line=merges[0].line,
        other_id=merges[0].identity,
        message=f"{branch.file} would be a second head; {merges[0].file} joins it to the first, so {branch.framework} finds one",
    )


def _is_elsewhere(node: Node, parent: str, head: SourceTree) -> bool:
    return node.framework == "alembic" and named_anywhere(head, parent)


def _two_heads(own: Node, other: Node) -> OrderingProblem:
    return OrderingProblem(
        kind=OrderingKind.TWO_HEADS,
        runner=own.framework,
        outcome=Outcome.FAILS,
        file=own.file,
        line=own.line,
        migration_id=own.identity,
        other_file=other.file,
        other_id=other.identity,
        message=f"{own.file} and {other.file} are both heads: {own.framework} refuses to choose and the deploy fails",
    )
