"""What an evaluation has looked at, counted, and what it has not, each with why."""

from collections.abc import Mapping
from typing import Any

from bot.evaluation.mapping import UNKNOWN_REPOSITORY, Mapped
from gonogo.change import ChangedFile, ChangeKind, ChangeSet, Side
from gonogo.context import Gap, ProductionContext
from gonogo.evaluation import Coverage, Telemetry
from gonogo.ports import SourceTree
from heuristics.code import is_docs_path, language_of
from heuristics.code.syntax import LONGEST_LINE, is_machine_made
from heuristics.rule import RuleContext, live_key


def coverage_of(changes: ChangeSet, trees: Mapping[Side, SourceTree]) -> Coverage:
    """How many of the changed files were read; what a binary or a submodule holds never is."""
    unread = {gap.what for gap in unread_files(changes, trees)}
    binaries = [f for f in changes.files if f.is_binary and f.kind is not ChangeKind.SUBMODULE]
    unread |= {f.path for f in binaries}
    return Coverage(
        files_changed=len(changes.files),
        files_read=sum(f.path not in unread for f in changes.files),
        patches_rebuilt=sum(f.is_rebuilt for f in changes.files),
        binaries_not_read=len(binaries),
        submodules_not_read=sum(f.kind is ChangeKind.SUBMODULE for f in changes.files),
    )


def unread_files(changes: ChangeSet, trees: Mapping[Side, SourceTree]) -> list[Gap]:
    """Changed files that could bear on production and whose content was not looked at, each with why."""
    return [Gap(stage="changes", what=f.path, why=why) for f in changes.files if (why := _why_unread(f, trees)) is not None]


def _why_unread(file: ChangedFile, trees: Mapping[Side, SourceTree]) -> str | None:
    if file.note:
        return file.note
    if file.kind is ChangeKind.SUBMODULE:
        return "what a submodule points to was not read"
    if file.is_binary:
        return "not text" if language_of(file.path) is not None else None
    text = trees["head"].text(file.head_path) if file.head_path else ""
    if text is None:
        return "too large, or not text"
    if file.head_path and not is_docs_path(file.path) and is_machine_made(text):
        return f"a line of it is longer than {LONGEST_LINE:,} characters, so it was not parsed"
    return None


def migrations_covered(diff: RuleContext) -> dict[str, int]:
    """How many migration statements were understood, and how many were not."""
    not_analysed = sum(not s.operation.statement.is_analysed for s in diff.migrations)
    return {"statements_analysed": len(diff.migrations) - not_analysed, "statements_not_analysed": not_analysed}


def production_covered(mapped: Mapped, production: ProductionContext) -> dict[str, Any]:
    """How many of the touched resources production knows, and how much its sources answered."""
    affected = {a.resource for a in mapped.affected if a.kind != UNKNOWN_REPOSITORY}
    changed = {live_key(c.declared) for c in mapped.settings}
    return {
        "resources_touched": len(affected) + sum(key not in mapped.live for key in changed),
        "resources_mapped": len(affected & mapped.known_ids),
        "telemetry": Telemetry(
            resources=len(production.resources),
            series=len(production.series),
            log_lines=len(production.logs),
            databases=len(production.databases),
            deploys=len(production.deploys),
            alarms=len(production.alarms),
        ),
    }
