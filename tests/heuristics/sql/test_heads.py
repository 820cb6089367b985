"""How many heads a chain of migrations has, as its runner counts them."""

import pytest

from context_graph.testing import MemoryTree
from gonogo.change import ChangedFile, ChangeKind, ChangeSet
from heuristics.sql import OrderingKind, ordering_problems


def _kinds(base: dict[str, str], added: dict[str, str]) -> list[OrderingKind]:
    files = tuple(
        ChangedFile(path=p, head_path=p, base_path=p, kind=ChangeKind.MODIFIED)
        if p in base
        else ChangedFile(path=p, head_path=p, kind=ChangeKind.ADDED)
        for p in added
    )
    changes = ChangeSet(repository="local:x", base="b", head="h", files=files)
    graph = (OrderingKind.TWO_HEADS, OrderingKind.MISSING_PARENT)
    problems = ordering_problems(changes, MemoryTree(base, side="base"), MemoryTree(base | added))
    return [p.kind for p in problems if p.kind in graph]


def _revision(own: str, down: object, more: str = "") -> str:
    return f'from alembic import op\nrevision = "{own}"\ndown_revision = {down!r}\n{more}\ndef upgrade():\n    pass\n'


def _merge(own: str, *down: str) -> str:
    return f'"""merge"""\nrevision = "{own}"\ndown_revision = {down!r}\n\n\ndef upgrade():\n    pass\n'


V = "migrations/versions/"
BASE = {V + "a.py": _revision("a", None), V + "b.py": _revision("b", "a")}


@pytest.mark.parametrize(
    "added",
    [
        {V + "c.py": _revision("c", "a"), V + "m.py": _merge("m", "b", "c")},
        {V + "c.py": _revision("c", "a"), V + "m.py": _revision("m", ["b", "c"])},
        {V + "c.py": _revision("c", "a"), V + "m.py": 'revision: str = "m"\ndown_revision: tuple = ("c", "b")\n'},
        {V + "c.py": _revision("c", "a"), V + "d.py": _revision("d", "a"), V + "m.py": _merge("m", "b", "c", "d")},
        {V + "c.py": _revision("c", "a"), V + "m.py": _revision("m", ("b", "c"))},
        {V + "c.py": _revision("c", "a"), V + "b.py": _revision("b", "c")},
        {V + "c.py": _revision("c", "b", 'branch_labels = ("billing",)'), V + "d.py": _revision("d", "billing@head")},
    ],
    ids=["bare merge", "list", "annotated", "three ways", "merge with imports", "moved parent", "branch label"],
)
def test_a_branch_that_the_same_change_joins_again_has_one_head(added: dict[str, str]) -> None:
    assert _kinds(BASE, added) == []


def test_a_merge_that_forgets_one_of_three_branches_leaves_two_heads() -> None:
    added = {V + "c.py": _revision("c", "a"), V + "d.py": _revision("d", "a"), V + "m.py": _merge("m", "b", "c")}

    assert _kinds(BASE, added) == [OrderingKind.TWO_HEADS]


def test_depends_on_does_not_join_two_branches() -> None:
    assert _kinds(BASE, {V + "c.py": _revision("c", "a", 'depends_on = "b"')}) == [OrderingKind.TWO_HEADS]


def test_depends_on_may_name_the_label_of_a_branch() -> None:
    base = BASE | {V + "n.py": _revision("n", "b", 'branch_labels = ("networks",)')}

    assert _kinds(base, {V + "c.py": _revision("c", "n", 'depends_on = "networks"')}) == []


def test_a_folder_a_year_is_one_chain() -> None:
    base = {
        "alembic/env.py": "",
        "alembic/versions/2025/a.py": _revision("a", None),
        "alembic/versions/2025/b.py": _revision("b", "a"),
    }

    assert _kinds(base, {"alembic/versions/2026/c.py": _revision("c", "b")}) == []
    assert _kinds(base, {"alembic/versions/2026/c.py": _revision("c", "a")}) == [OrderingKind.TWO_HEADS]


def test_a_parent_in_another_version_location_is_not_missing() -> None:
    base = {
        "core/versions/a.py": _revision("a", None),
        "alembic.ini": "[alembic]\nversion_locations = core/versions:plugin/versions\n",
    }

    assert _kinds(base, {"plugin/versions/c.py": _revision("c", "a")}) == []


D = "shop/migrations/"


def _django(*parents: tuple[str, str], more: str = "") -> str:
    return f"from django.db import migrations\nclass Migration(migrations.Migration):\n    dependencies = {list(parents)!r}\n    {more}\n    operations = []\n"


DJANGO = {D + "0001_a.py": _django(), D + "0002_b.py": _django(("shop", "0001_a"))}


def test_a_django_merge_migration_of_the_same_change_leaves_one_leaf() -> None:
    merge = _django(("shop", "0002_b"), ("shop", "0002_c"))
    added = {D + "0002_c.py": _django(("shop", "0001_a")), D + "0003_merge_b_c.py": merge}

    assert _kinds(DJANGO, added) == []


def test_a_migration_after_one_that_a_squash_replaces_follows_the_squash() -> None:
    squash = _django(more='replaces = [("shop", "0001_a"), ("shop", "0002_b")]')

    assert _kinds(DJANGO | {D + "0001_squashed_0002_b.py": squash}, {D + "0003_c.py": _django(("shop", "0002_b"))}) == []
    assert _kinds(DJANGO, {D + "0001_squashed_0002_b.py": squash}) == []


def test_replaced_migrations_may_be_gone() -> None:
    squash = _django(more='replaces = [("shop", "0001_a"), ("shop", "0002_b")]')

    assert _kinds({D + "0001_squashed_0002_b.py": squash}, {D + "0003_c.py": _django(("shop", "0002_b"))}) == []


def test_an_app_with_another_label_than_its_folder_is_one_chain() -> None:
    base = {D + "0001_a.py": _django(), D + "0002_b.py": _django(("store", "0001_a"))}

    assert _kinds(base, {D + "0003_c.py": _django(("store", "0002_b"))}) == []
    assert _kinds(base, {D + "0002_c.py": _django(("store", "0001_a"))}) == [OrderingKind.TWO_HEADS]
