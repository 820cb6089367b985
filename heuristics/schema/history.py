"""The migrations of a change against those that production has applied: skipped, refused, edited, removed, two heads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from gonogo.change import ChangedFile, ChangeSet
from gonogo.ports import SourceTree
from heuristics.code.same import same_code
from heuristics.sql import is_migration_path
from heuristics.sql.sources.plain import migration_id, runner_of
from heuristics.sql.sources.written import SourceFile

Kind = Literal["skipped", "refused", "edited", "edit-ignored", "removed", "two-heads"]

SKIPS_OLDER = frozenset({"golang-migrate", "drizzle"})
"""Runners that keep a high-water mark and go past an older id without a word (golang-migrate#179, drizzle-orm#5316)."""
REFUSES_OLDER = frozenset({"flyway", "goose", "atlas", "supabase"})
"""Runners whose deploy fails on an older id that is not applied (Flyway outOfOrder=false, goose v3)."""
CHECKS_CONTENT = frozenset({"flyway", "liquibase", "sqlx", "refinery"})
"""Runners that compare a checksum of what was applied."""
NEEDS_APPLIED_FILE = frozenset({"flyway", "knex", "sqlx", "alembic", "refinery"})
"""Runners that stop when the file of an applied migration is gone."""
_OUT_OF_ORDER = re.compile(
    r"(?i)out[-_]?of[-_]?order\W{1,4}true|allow-?missing|WithAllowMissing|ignore.?missing.?migrations\W{1,4}true"
)
_NO_VALIDATION = re.compile(r"(?i)validate[-_]?on[-_]?migrate\W{1,4}false|flyway\W+repair|ignore.?migration.?patterns")
_UPGRADE_HEADS = re.compile(r"alembic\W{1,6}upgrade\W{1,6}heads\b|migrate\W+--merge")


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration file: its runner's name and the id that its history keeps."""

    path: str
    runner: str
    id: str


@dataclass(frozen=True, slots=True)
class HistoryProblem:
    """One migration that production's history does not go with."""

    kind: Kind
    migration: Migration
    file: str
    line: int
    side: Literal["base", "head"]
    says: str
    applied: str = ""
    """The applied id that it conflicts with."""
    is_certain: bool = True
    others: tuple[Migration, ...] = ()


def applied_ids(listed: object) -> tuple[str, ...] | None:
    """Ids of `applied_migrations` whatever a row is: a text, a number, or a record with `version`, `id` or `name`."""
    if isinstance(listed, dict):
        listed = cast("dict[str, Any]", listed).get("versions") or list(cast("dict[str, Any]", listed))
    if not isinstance(listed, list | tuple):
        return None
    found: list[str] = []
    for item in cast("list[Any]", listed):
        row: object = item
        if isinstance(item, dict):
            known = cast("dict[str, Any]", item)
            row = next(
                (
                    known[k]
                    for k in ("version", "id", "migration", "name", "revision", "script", "filename")
                    if known.get(k) is not None
                ),
                None,
            )
        if isinstance(row, str | int | float) and not isinstance(row, bool):
            found.append(str(row))
    return tuple(found)


def migration_at(path: str, tree: SourceTree) -> Migration | None:
    """The migration in this file, when it is one that a runner keeps a history of."""
    text = tree.text(path)
    if text is None or not is_migration_path(path):
        return None
    if path.endswith(".sql"):
        if re.search(r"(?i)\.down\.sql$|/down\.sql$|[._]undo\.sql$", path) or re.match(r"[Rr]__", path.rpartition("/")[2]):
            return None
        runner = runner_of(SourceFile(path=path, text=text, dialect="unknown", tree=tree)).name
        return Migration(path, runner, _id_of(path, runner))
    name = path.rpartition("/")[2]
    if path.endswith(".py"):
        revision = re.search(r"(?m)^revision\s*(?::\s*[\w\[\], |]+)?=\s*[\"']([^\"']+)", text)
        if revision is not None:
            return Migration(path, "alembic", revision.group(1))
        if "migrations.Migration" in text:
            app = path.split("/")[-3] if path.count("/") >= 2 else ""
            return Migration(path, "django", f"{app}.{name.removesuffix('.py')}")
        return None
    if path.endswith(".rb"):
        return Migration(path, "rails", name.partition("_")[0])
    if re.search(r"\.[cm]?[jt]s$", path):
        runner = "typeorm" if "MigrationInterface" in text else "knex" if re.search(r"knex|schema\.", text) else "sequelize"
        return Migration(path, runner, name)
    return Migration(
        path,
        "liquibase"
        if path.endswith((".xml", ".yaml", ".yml", ".json"))
        else "ecto"
        if name.endswith((".exs", ".ex"))
        else "laravel",
        name,
    )


def history_problems(
    changes: ChangeSet, *, base: SourceTree, head: SourceTree, applied: Sequence[str] | None
) -> Iterator[HistoryProblem]:
    """Every problem of the migrations that this change adds, edits or removes; without a history only those the files show."""
    files = [f for f in changes.files if any(p and is_migration_path(p) for p in (f.base_path, f.head_path))]
    added = [m for f in files if f.head_path and not f.base_path and (m := migration_at(f.head_path, head))]
    if files:
        yield from _older(added, applied, base, head)
        yield from _edited(files, applied, base, head)
        yield from _removed(files, applied, base, head)
        yield from _heads(added, base, head)


def is_applied(migration: Migration, applied: Sequence[str]) -> bool:
    """Whether the history has it; golang-migrate keeps only the newest version, which stands for all before it."""
    stem = migration.path.rpartition("/")[2].split(".")[0]
    names = {
        migration.id.lower(),
        stem.lower(),
        migration.path.rpartition("/")[2].lower(),
        migration.id.rpartition(".")[2].lower(),
    }
    if any(a.lower() in names or _same_number(a, migration.id) for a in applied):
        return True
    if migration.runner == "golang-migrate" and applied:
        mine, newest = _number(migration.id), _newest(applied)
        return mine is not None and newest is not None and mine <= newest[0]
    return False


def _older(
    added: Sequence[Migration], applied: Sequence[str] | None, base: SourceTree, head: SourceTree
) -> Iterator[HistoryProblem]:
    newest = _newest(applied or ())
    for one in added:
        mine = _number(one.id)
        if newest is None or mine is None or one.runner not in SKIPS_OLDER | REFUSES_OLDER or mine >= newest[0]:
            continue
        if any(_same_number(a, one.id) for a in applied or ()) or _is_said(head, _OUT_OF_ORDER):
            continue
        del base
        if one.runner in SKIPS_OLDER:
            says = (
                f"{one.runner} is at {newest[1]} in production, so it goes past {one.id} without applying it and without an error"
            )
            yield HistoryProblem("skipped", one, one.path, 1, "head", says, newest[1])
        else:
            says = f"{one.runner} refuses {one.id}, which is older than {newest[1]} and not applied in production"
            yield HistoryProblem("refused", one, one.path, 1, "head", says, newest[1])
        return


def _edited(
    files: Sequence[ChangedFile], applied: Sequence[str] | None, base: SourceTree, head: SourceTree
) -> Iterator[HistoryProblem]:
    for file in files:
        if not file.base_path or file.base_path != file.head_path or not file.hunks:
            continue
        one = migration_at(file.base_path, base)
        if one is None or (applied is not None and not is_applied(one, applied)):
            continue
        hunk = file.hunks[0]
        line, side = (hunk.head_start, "head") if hunk.head_count else (hunk.base_start, "base")
        if one.runner in CHECKS_CONTENT:
            grows = one.runner == "liquibase" and not any(h.removed for h in file.hunks)  # a changelog grows by new change sets
            if not grows and not _is_said(head, _NO_VALIDATION):
                says = f"{one.runner} compares the checksum of {one.id}, which production has applied, and stops on a mismatch, comments included"
                yield HistoryProblem(
                    "edited",
                    one,
                    file.base_path,
                    line,
                    side,
                    says,
                    one.id,
                    is_certain=applied is not None and one.runner != "liquibase",
                )
        elif applied is not None:
            only_comments = same_code(file.base_path, base.text(file.base_path) or "", head.text(file.base_path) or "") is True
            says = f"production has applied {one.id}, and {one.runner or 'the runner'} keeps no checksum, so the edited file is not looked at again"
            yield HistoryProblem("edit-ignored", one, file.base_path, line, side, says, one.id, is_certain=only_comments)


def _removed(
    files: Sequence[ChangedFile], applied: Sequence[str] | None, base: SourceTree, head: SourceTree
) -> Iterator[HistoryProblem]:
    for file in files:
        if not file.base_path or file.base_path == file.head_path or not is_migration_path(file.base_path):
            continue
        one = migration_at(file.base_path, base)
        if one is None or applied is None or not is_applied(one, applied):
            continue
        after = migration_at(file.head_path, head) if file.head_path else None
        if after is not None and after.id == one.id:
            continue
        is_current = one.runner == "golang-migrate" and _same_number((_newest(applied) or (0, ""))[1], one.id)
        if (one.runner in NEEDS_APPLIED_FILE or is_current) and not _is_said(head, _NO_VALIDATION):
            says = f"production has applied {one.id}, and {one.runner} stops when the file of an applied migration is gone"
            yield HistoryProblem("removed", one, file.base_path, 1, "base", says, one.id)


def _heads(added: Sequence[Migration], base: SourceTree, head: SourceTree) -> Iterator[HistoryProblem]:
    """Two ends of a chain of parents, where the runner wants one."""
    for one in added:
        if one.runner not in ("alembic", "django"):
            continue
        folder = one.path.rpartition("/")[0]
        now, before = _ends(head, folder), _ends(base, folder)
        if len(now) > 1 and len(before) <= 1 and one.id in {m.id for m in now}:
            if one.runner == "alembic" and _is_said(head, _UPGRADE_HEADS):
                return
            others = tuple(m for m in now if m.id != one.id)
            wanted = "upgrade head" if one.runner == "alembic" else "migrate"
            says = f"{one.id} and {', '.join(m.id for m in others)} both end the chain: `{wanted}` fails with more than one head"
            yield HistoryProblem(
                "two-heads", one, one.path, _parent_line(head, one.path), "head", says, others[0].id, others=others
            )
            return


def _ends(tree: SourceTree, folder: str) -> list[Migration]:
    """Migrations of the folder that no other one names as its parent."""
    found: dict[str, Migration] = {}
    parents: set[str] = set()
    for path in [p for p in tree.paths() if p.rpartition("/")[0] == folder and p.endswith(".py")][:5_000]:
        one = migration_at(path, tree)
        if one is None:
            continue
        found[one.id] = one
        parents |= _parents(tree.text(path) or "", one)
    return [m for key, m in found.items() if key not in parents]


def _parents(text: str, one: Migration) -> set[str]:
    if one.runner == "alembic":
        said = re.search(r"(?m)^down_revision\s*(?::\s*[^=\n]{1,80})?=\s*([^\n#]{1,400})", text)
        return set(re.findall(r"[\"']([^\"']+)[\"']", said.group(1))) if said else set()
    app = one.id.partition(".")[0]
    listed = re.search(r"(?s)\bdependencies\s*=\s*\[(.{0,4000}?)\]", text)
    replaced = re.search(r"(?s)\breplaces\s*=\s*\[(.{0,8000}?)\]", text)
    pairs = re.findall(
        r"\(\s*[\"'](\w+)[\"']\s*,\s*[\"'](\w+)[\"']\s*,?\s*\)",
        (listed.group(1) if listed else "") + (replaced.group(1) if replaced else ""),
    )
    return {f"{label}.{name}" for label, name in pairs if label == app}


def _parent_line(tree: SourceTree, path: str) -> int:
    for number, line in enumerate((tree.text(path) or "").split("\n"), start=1):
        if re.match(r"\s*(?:down_revision|dependencies)\b", line):
            return number
    return 1


def _is_said(tree: SourceTree, pattern: re.Pattern[str]) -> bool:
    """Whether a configuration or start-up file of the repository says so."""
    kinds = (
        ".properties",
        ".yml",
        ".yaml",
        ".toml",
        ".conf",
        ".gradle",
        ".kts",
        ".xml",
        ".json",
        ".sh",
        ".go",
        "Makefile",
        "Procfile",
        "Dockerfile",
        ".env",
    )
    paths = [p for p in tree.paths() if p.endswith(kinds) and "lock" not in p][:600]
    return any(pattern.search((tree.text(p) or "")[:200_000]) for p in paths)


def _id_of(path: str, runner: str) -> str:
    if runner == "prisma":
        return path.split("/")[-2]
    return migration_id(path) or path.rpartition("/")[2]


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
