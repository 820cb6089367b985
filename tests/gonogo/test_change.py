"""Line numbers of a change."""

import pytest

from gonogo.change import ChangedFile, ChangeKind, Hunk


def a_file(*hunks: Hunk) -> ChangedFile:
    return ChangedFile(path="a", base_path="a", head_path="a", kind=ChangeKind.MODIFIED, hunks=hunks)


REMOVED_2_TO_3 = Hunk(base_start=2, base_count=2, head_start=1, head_count=0, removed=("b", "c"))
REPLACED_8 = Hunk(base_start=8, base_count=1, head_start=6, head_count=1, removed=("h",), added=("H",))
ADDED_AFTER_1 = Hunk(base_start=1, base_count=0, head_start=2, head_count=2, added=("x", "y"))


@pytest.mark.parametrize(
    ("hunks", "base_line", "expected"),
    [
        ((REMOVED_2_TO_3,), 2, 1),
        ((REMOVED_2_TO_3,), 3, 1),
        ((REMOVED_2_TO_3,), 4, 2),
        ((REMOVED_2_TO_3, REPLACED_8), 8, 5),
        ((REMOVED_2_TO_3, REPLACED_8), 9, 7),
        ((ADDED_AFTER_1,), 1, 1),
        ((ADDED_AFTER_1,), 2, 4),
        ((Hunk(base_start=1, base_count=1, head_start=0, head_count=0, removed=("a",)),), 1, 1),
    ],
)
def test_a_removed_line_is_found_beside_the_head_line_after_which_it_went(hunks, base_line, expected) -> None:
    assert a_file(*hunks).head_line_after_which(base_line) == expected


def test_changed_lines_are_numbered_on_their_own_side() -> None:
    file = a_file(REMOVED_2_TO_3, REPLACED_8)

    assert file.removed_lines() == {2: "b", 3: "c", 8: "h"}
    assert file.added_lines() == {6: "H"}
