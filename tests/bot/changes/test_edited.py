"""A change with edits of its head, in memory: what it would be if some of its lines stood differently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.changes.edited import EditedRepository, hunks_between, texts_of
from bot.testing import MemoryRepository
from gonogo.change import ChangeKind, Hunk
from gonogo.go_if import Edit

BASE = {"app.py": "a = 1\nb = 2\nc = 3\n", "gone.py": "x = 1\n", "same.py": "y = 1\n", "old.py": "z = 1\n" * 5}
HEAD = {"app.py": "a = 1\nb = 20\nc = 30\n", "new.py": "n = 1\nm = 2\n", "same.py": "y = 1\n", "new_name.py": "z = 1\n" * 5}


def edited(*edits: Edit) -> EditedRepository:
    repository = MemoryRepository(BASE, HEAD)
    trees = {"base": repository.tree("base"), "head": repository.tree("head")}
    return EditedRepository(repository.changes(), trees, texts_of(edits, trees))


def kinds(repository: EditedRepository) -> dict[str, ChangeKind]:
    return {file.path: file.kind for file in repository.changes().files}


ALL = {
    "app.py": ChangeKind.MODIFIED,
    "gone.py": ChangeKind.DELETED,
    "new.py": ChangeKind.ADDED,
    "new_name.py": ChangeKind.RENAMED,
}


def test_without_edits_it_is_the_same_change():
    assert kinds(edited()) == ALL


def test_a_line_that_stays_is_no_longer_part_of_the_change():
    repository = edited(Edit(file="app.py", line=2, replaces=1, lines=("b = 2",)))

    (app,) = [f for f in repository.changes().files if f.path == "app.py"]
    assert [(h.head_start, h.removed, h.added) for h in app.hunks] == [(3, ("c = 3",), ("c = 30",))]
    assert repository.tree("head").text("app.py") == "a = 1\nb = 2\nc = 30\n"
    assert repository.tree("base").text("app.py") == BASE["app.py"]


@pytest.mark.parametrize(
    ("file", "left"),
    [
        ("app.py", {"gone.py", "new.py", "new_name.py"}),
        ("new.py", {"app.py", "gone.py", "new_name.py"}),
        ("gone.py", {"app.py", "new.py", "new_name.py"}),
    ],
)
def test_a_whole_file_left_out_is_as_at_the_base(file, left):
    repository = edited(Edit(file=file, is_whole_file=True))

    assert set(kinds(repository)) == left
    assert repository.tree("head").text(file) == BASE.get(file)
    assert (file in repository.tree("head").paths()) == (file in BASE)


def test_both_names_of_a_rename_left_out_undo_it():
    repository = edited(Edit(file="old.py", is_whole_file=True), Edit(file="new_name.py", is_whole_file=True))

    assert set(kinds(repository)) == ALL.keys() - {"new_name.py"}
    assert repository.tree("head").text("old.py") == BASE["old.py"]
    assert repository.tree("head").text("new_name.py") is None


def test_several_edits_of_a_file_count_lines_of_the_head_as_it_was():
    edits = (
        Edit(file="new.py", line=1, lines=("# first",)),
        Edit(file="new.py", line=1, replaces=1, lines=("n = 10", "k = 0")),
        Edit(file="new.py", line=2, replaces=1),
    )

    assert edited(*edits).tree("head").text("new.py") == "# first\nn = 10\nk = 0\n"


def test_words_are_found_in_the_edited_text_and_not_in_the_one_it_replaces():
    tree = edited(Edit(file="app.py", line=2, replaces=1, lines=("limit = 7",))).tree("head")

    found = tree.search(["b", "limit", "y"])

    assert {word: [(p.file, p.line) for p in places] for word, places in found.items()} == {
        "b": [], "limit": [("app.py", 2)], "y": [("same.py", 1)],
    }  # fmt: skip


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


@given(LINES, LINES)
def test_hunks_lead_from_one_text_to_the_other(before: list[str], after: list[str]):
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (before, after))

    assert _applied(before, hunks_between(old, new)) == after


def _applied(lines: list[str], hunks: tuple[Hunk, ...]) -> list[str]:
    made = list(lines)
    for hunk in reversed(hunks):
        at = hunk.base_start - 1 if hunk.base_count else hunk.base_start
        assert tuple(made[at : at + hunk.base_count]) == hunk.removed
        assert hunk.head_count == len(hunk.added)
        made[at : at + hunk.base_count] = hunk.added
    return made
