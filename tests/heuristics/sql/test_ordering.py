"""Migrations of a change against those on the base branch."""

from context_graph.testing import MemoryTree
from gonogo.change import ChangedFile, ChangeKind, ChangeSet
from heuristics.sql import OrderingKind, Outcome, ordering_problems


def change(*files: ChangedFile) -> ChangeSet:
    return ChangeSet(repository="local:x", base="b", head="h", files=files)


def added(path: str) -> ChangedFile:
    return ChangedFile(path=path, head_path=path, kind=ChangeKind.ADDED)


def revision(own: str, parent: str | None) -> str:
    return f'from alembic import op\nrevision = "{own}"\ndown_revision = {parent!r}\ndef upgrade():\n    pass\n'


def test_two_alembic_heads_stop_the_deploy() -> None:
    base = MemoryTree(
        {"migrations/versions/a.py": revision("a", None), "migrations/versions/b.py": revision("b", "a")}, side="base"
    )
    head = MemoryTree({p: base.text(p) for p in base.paths()} | {"migrations/versions/c.py": revision("c", "a")})

    (problem,) = ordering_problems(change(added("migrations/versions/c.py")), base, head)

    assert (problem.kind, problem.outcome, problem.line) == (OrderingKind.TWO_HEADS, Outcome.FAILS, 3)
    assert problem.other_id == "b"


def test_a_missing_alembic_parent_is_found() -> None:
    base = MemoryTree({"migrations/versions/a.py": revision("a", None)}, side="base")
    head = MemoryTree({p: base.text(p) for p in base.paths()} | {"migrations/versions/c.py": revision("c", "zz")})

    kinds = {p.kind for p in ordering_problems(change(added("migrations/versions/c.py")), base, head)}

    assert OrderingKind.MISSING_PARENT in kinds


def test_two_django_leaves_stop_the_deploy() -> None:
    def migration(parent: str | None) -> str:
        pairs = f'[("shop", "{parent}")]' if parent else "[]"
        return f"from django.db import migrations\nclass Migration(migrations.Migration):\n    dependencies = {pairs}\n    operations = []\n"

    base = MemoryTree(
        {"shop/migrations/0001_a.py": migration(None), "shop/migrations/0002_b.py": migration("0001_a")}, side="base"
    )
    head = MemoryTree({p: base.text(p) for p in base.paths()} | {"shop/migrations/0002_c.py": migration("0001_a")})

    (problem,) = ordering_problems(change(added("shop/migrations/0002_c.py")), base, head)

    assert problem.kind is OrderingKind.TWO_HEADS


def test_an_older_id_is_skipped_or_fails_as_the_runner_has_it() -> None:
    def outcome(old: str, new: str) -> Outcome:
        base = MemoryTree({old: "SELECT 1;"}, side="base")
        head = MemoryTree({old: "SELECT 1;", new: "SELECT 1;"})
        (problem,) = ordering_problems(change(added(new)), base, head)
        assert problem.kind is OrderingKind.OLDER_ID
        return problem.outcome

    assert outcome("migrations/7_a.up.sql", "migrations/6_b.up.sql") is Outcome.SKIPPED
    assert outcome("db/migrate/20240202_a.rb", "db/migrate/20240101_b.rb") is Outcome.APPLIED


def test_a_newer_id_is_no_problem() -> None:
    base = MemoryTree({"db/migration/V9__a.sql": "SELECT 1;"}, side="base")
    head = MemoryTree({"db/migration/V9__a.sql": "SELECT 1;", "db/migration/V10__b.sql": "SELECT 1;"})

    assert ordering_problems(change(added("db/migration/V10__b.sql")), base, head) == ()


def test_a_flyway_file_that_is_edited_after_apply_fails_the_checksum() -> None:
    path = "db/migration/V1__a.sql"
    base, head = MemoryTree({path: "SELECT 1;"}, side="base"), MemoryTree({path: "SELECT 2;"})
    edited = ChangedFile(path=path, base_path=path, head_path=path, kind=ChangeKind.MODIFIED)

    (problem,) = ordering_problems(change(edited), base, head)

    assert (problem.kind, problem.outcome) == (OrderingKind.EDITED, Outcome.FAILS)


def test_a_removed_migration_is_found_on_the_base_side() -> None:
    path = "migrations/20240101_a.ts"
    base, head = MemoryTree({path: "export function up(knex) { knex.schema }"}, side="base"), MemoryTree({})
    removed = ChangedFile(path=path, base_path=path, kind=ChangeKind.DELETED)

    (problem,) = ordering_problems(change(removed), base, head)

    assert (problem.kind, problem.side, problem.runner) == (OrderingKind.REMOVED, "base", "knex")


def test_drizzle_goes_by_the_time_in_its_journal() -> None:
    def journal(**entries: int) -> str:
        import json

        return json.dumps({"entries": [{"tag": t, "when": w} for t, w in entries.items()]})

    base = MemoryTree({"drizzle/0000_a.sql": "SELECT 1;", "drizzle/meta/_journal.json": journal(**{"0000_a": 500})}, side="base")
    head = MemoryTree(
        {
            "drizzle/0000_a.sql": "SELECT 1;",
            "drizzle/0001_b.sql": "SELECT 1;",
            "drizzle/meta/_journal.json": journal(**{"0000_a": 500, "0001_b": 400}),
        }
    )

    (problem,) = ordering_problems(change(added("drizzle/0001_b.sql")), base, head)

    assert (problem.kind, problem.outcome) == (OrderingKind.OLDER_ID, Outcome.SKIPPED)
