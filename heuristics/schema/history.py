"""What is out of order in the migrations of a change, held against the history that production has applied."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from gonogo.change import ChangeSet, Side
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.paths import is_test_path
from heuristics.code.same import same_code
from heuristics.sql import OrderingKind, OrderingProblem, Outcome, framework_of_file, is_migration_path, ordering_problems
from heuristics.sql.runner import runner_facts
from heuristics.sql.sources.plain import migration_id

Kind = Literal[
    "skipped",
    "refused",
    "edited",
    "edit-ignored",
    "removed",
    "runs-again",
    "two-heads",
    "merged",
    "missing-parent",
    "duplicate-id",
    "out-of-order",
]

_OUT_OF_ORDER = pattern(
    r"(?i)out[-_]?of[-_]?order\W{1,12}(?:value\W{1,4})?true|allow-?missing|WithAllowMissing|ignore.?missing.?migrations\W{1,4}true"
    r"|--no-check-order|check-?order\W{1,4}false|ignoreMissing\W{1,4}true|exec-order\W{1,3}(?:non-linear|linear-skip)"
)
_NO_VALIDATION = pattern(r"(?i)validate[-_]?on[-_]?migrate\W{1,4}false|flyway\W+repair|ignore.?migration.?patterns")
_UPGRADE_HEADS = pattern(r"\bupgrade\b[^\n]{0,80}(?:\bheads\b|@heads?\b)|(?:migrate|makemigrations)\b[^\n]{0,60}--merge")
_CONFIGURATION = (
    ".properties", ".yml", ".yaml", ".toml", ".conf", ".gradle", ".kts", ".xml", ".json", ".sh", ".go", ".java", ".kt", ".ts", ".js", ".rs", "Makefile", "Procfile", "Dockerfile", ".env"
)  # fmt: skip


class HistoryProblem(Record):
    """One migration that production's history does not go with."""

    kind: Kind
    runner: str
    id: str
    file: str
    line: int
    side: Side
    says: str
    applied: str = ""
    """The id in the history, or in the chain, that it conflicts with."""
    other_file: str | None = None
    other_line: int = 1
    allowed_by: Place | None = None
    """The line that lets the runner apply an older migration."""
    is_certain: bool = True
    """False when the history was not read, or does not settle what the runner does."""


def applied_ids(listed: object) -> tuple[str, ...] | None:
    """Ids of `applied_migrations` whatever a row is: a text, a number, or a record with `version`, `id` or `name`."""
    if isinstance(listed, dict):
        rows = cast("dict[str, Any]", listed)
        listed = rows.get("versions") or list(rows)
    if not isinstance(listed, list | tuple):
        return None
    found: list[str] = []
    for item in cast("list[Any]", listed):
        row: object = item
        if isinstance(item, dict):
            known = cast("dict[str, Any]", item)
            names = ("version", "id", "migration", "name", "revision", "script", "filename")
            row = next((known[k] for k in names if known.get(k) is not None), None)
        if isinstance(row, str | int | float) and not isinstance(row, bool):
            found.append(str(row))
    return tuple(found)


def history_problems(
    changes: ChangeSet, *, base: SourceTree, head: SourceTree, applied: Sequence[str] | None
) -> tuple[HistoryProblem, ...]:
    """Problems that matter to production: what it has not applied may still be edited, removed or renumbered."""
    listed = ordering_problems(changes, base, head)
    told = {p.file for p in listed if p.kind is OrderingKind.OLDER_ID}
    older = (_older_than_history(file.head_path, head) for file in changes.files if file.head_path and not file.base_path)
    listed += tuple(p for p in older if applied and p is not None and p.file not in told)
    found = (_held(problem, applied, base, head) for problem in listed)
    return tuple(problem for problem in found if problem is not None)


def _older_than_history(path: str, head: SourceTree) -> OrderingProblem | None:
    """A new file as one that may be older than what production has applied, whatever stands beside it in the tree."""
    name = framework_of_file(path, head) if is_migration_path(path) else None
    facts = runner_facts(name) if name else None
    if facts is None or facts.on_older not in ("skips", "fails") or path.rpartition("/")[2].upper().startswith("R__"):
        return None
    return OrderingProblem(
        kind=OrderingKind.OLDER_ID,
        runner=facts.name,
        outcome=Outcome.SKIPPED if facts.on_older == "skips" else Outcome.FAILS,
        file=path,
        line=1,
        migration_id=migration_id(path),
    )


def is_applied(path: str, identity: str, runner: str, applied: Sequence[str]) -> bool:
    """Whether the history has it; golang-migrate keeps only the newest version, which stands for all before it."""
    name = path.rpartition("/")[2]
    names = {identity.lower(), name.lower(), name.split(".")[0].lower(), path.rpartition("/")[0].rpartition("/")[2].lower()}
    if any(a.lower().rpartition(".")[2] in names or a.lower() in names or _same_number(a, identity) for a in applied):
        return True
    mine, newest = _number(identity), _newest(applied)
    return runner == "golang-migrate" and mine is not None and newest is not None and mine <= newest[0]


def _held(problem: OrderingProblem, applied: Sequence[str] | None, base: SourceTree, head: SourceTree) -> HistoryProblem | None:
    match problem.kind:
        case OrderingKind.OLDER_ID:
            return _older(problem, applied, head)
        case OrderingKind.EDITED:
            return _edited(problem, applied, base, head)
        case OrderingKind.REMOVED | OrderingKind.RENAMED:
            return _gone(problem, applied, head)
        case OrderingKind.TWO_HEADS:
            return None if _takes_every_head(head) else _told(problem, "two-heads", problem.message)
        case OrderingKind.MERGED:
            return _told(problem, "merged", problem.message)
        case OrderingKind.MISSING_PARENT:
            return _told(problem, "missing-parent", problem.message)
        case OrderingKind.DUPLICATE_ID:
            return _told(problem, "duplicate-id", problem.message)
        case OrderingKind.NOT_IN_JOURNAL:
            return _told(problem, "skipped", problem.message)


def _told(
    problem: OrderingProblem, kind: Kind, says: str, *, applied: str | None = None, is_certain: bool = True
) -> HistoryProblem:
    return HistoryProblem(
        kind=kind,
        runner=problem.runner,
        id=problem.migration_id or problem.file,
        file=problem.file,
        line=problem.line,
        side=problem.side,
        says=says,
        applied=applied if applied is not None else (problem.other_id or ""),
        other_file=problem.other_file,
        other_line=problem.other_line,
        is_certain=is_certain,
    )


def _older(problem: OrderingProblem, applied: Sequence[str] | None, head: SourceTree) -> HistoryProblem | None:
    if problem.outcome not in (Outcome.SKIPPED, Outcome.FAILS):
        return None
    allowed = _place_of(head, _OUT_OF_ORDER)
    if allowed is not None and applied is None:
        return None
    kind: Kind = "skipped" if problem.outcome is Outcome.SKIPPED else "refused"
    if applied is None or problem.runner == "drizzle":
        return _told(problem, kind, problem.message, is_certain=problem.runner == "drizzle") if problem.message else None
    own, newest = _number(problem.migration_id or ""), _newest(applied)
    if own is None or newest is None or own >= newest[0] or any(_same_number(a, problem.migration_id or "") for a in applied):
        return None
    if allowed is not None:
        says = f"production has applied {newest[1]}, which is newer than {problem.migration_id}"
        return replace(_told(problem, "out-of-order", says, applied=newest[1]), allowed_by=allowed)
    does = "goes past it without an error" if kind == "skipped" else "refuses it, and the deploy fails"
    says = f"production has applied {newest[1]}, which is newer than {problem.migration_id}: {problem.runner} {does}"
    return _told(problem, kind, says, applied=newest[1])


def _edited(problem: OrderingProblem, applied: Sequence[str] | None, base: SourceTree, head: SourceTree) -> HistoryProblem | None:
    identity = problem.migration_id or ""
    if applied is not None and not is_applied(problem.file, identity, problem.runner, applied):
        return None
    if problem.outcome is Outcome.FAILS:
        if _is_said(head, _NO_VALIDATION):
            return None
        says = f"{problem.runner} compares the checksum of {identity}, comments included, and stops when an applied file differs"
        return _told(problem, "edited", says, applied=identity, is_certain=applied is not None)
    if problem.outcome is not Outcome.IGNORED or applied is None:
        return None
    is_comment = same_code(problem.file, base.text(problem.file) or "", head.text(problem.file) or "") is True
    says = f"production has applied {identity}, and {problem.runner} keeps no checksum, so the edited file is not looked at again"
    return _told(problem, "edit-ignored", says, applied=identity, is_certain=is_comment)


def _gone(problem: OrderingProblem, applied: Sequence[str] | None, head: SourceTree) -> HistoryProblem | None:
    path = problem.other_file if problem.kind is OrderingKind.RENAMED and problem.other_file else problem.file
    identity = (problem.other_id if problem.kind is OrderingKind.RENAMED else problem.migration_id) or ""
    if applied is None or not is_applied(path, identity, problem.runner, applied):
        return None
    if problem.runner == "golang-migrate" and not _same_number((_newest(applied) or (0, ""))[1], identity):
        return None  # it only looks for the file of the version it is at
    if problem.outcome is Outcome.FAILS and not _is_said(head, _NO_VALIDATION):
        says = f"production has applied {identity}, and {problem.runner} stops when the file of an applied migration is gone"
        return _told(problem, "removed", says, applied=identity)
    if problem.kind is OrderingKind.RENAMED and problem.outcome is Outcome.APPLIED:
        says = f"production has applied {identity}; under its new name {problem.runner} runs it a second time"
        return _told(problem, "runs-again", says, applied=identity, is_certain=False)
    return None


def _takes_every_head(tree: SourceTree) -> bool:
    """Whether the deploy asks for all heads, or for that of one branch: in a script, a pipeline or a program."""
    places = tree.search({"heads", "head", "merge"})
    for place in (p for listed in places.values() for p in listed[:400]):
        if (
            is_test_path(place.file)
            or place.file.lower().endswith((".md", ".rst", ".txt", ".adoc"))
            or is_migration_path(place.file)
        ):
            continue
        lines = (tree.text(place.file) or "").split("\n")
        if place.line <= len(lines) and _UPGRADE_HEADS.search(lines[place.line - 1][:1000]):
            return True
    return False


def _is_said(tree: SourceTree, pattern: re.Pattern[str]) -> bool:
    """Whether a configuration or start-up file of the repository says so."""
    return _place_of(tree, pattern) is not None


def _place_of(tree: SourceTree, pattern: re.Pattern[str]) -> Place | None:
    """The line that says so; tests have a configuration of their own."""
    paths = [p for p in tree.paths() if p.endswith(_CONFIGURATION) and "lock" not in p and not is_test_path(p)][:600]
    for path in paths:
        text = (tree.text(path) or "")[:200_000]
        found = pattern.search(text)
        if found is not None:
            return Place(file=path, line=text.count("\n", 0, found.start()) + 1, side=tree.side)
    return None


def _newest(applied: Sequence[str]) -> tuple[float, str] | None:
    numbered = [(n, a) for a in applied if (n := _number(a)) is not None]
    return max(numbered) if numbered else None


def _number(text: str) -> float | None:
    found = re.match(r"[VvRr]?(\d{1,20})(?:[._](\d{1,6}))?(?![A-Za-z0-9])", text)
    if found is None:
        return None
    return float(found.group(1)) + float(f"0.{found.group(2)}" if found.group(2) and len(found.group(1)) < 8 else 0)


def _same_number(left: str, right: str) -> bool:
    mine, other = _number(left), _number(right)
    return mine is not None and mine == other
