"""What killed workers leave on the disk."""

import os

from bot.jobs.child import child_folder, evaluating_in, tidy


def test_the_folder_of_a_process_is_gone_when_it_ends(tmp_path):
    with child_folder(evaluating_in(tmp_path)) as place:
        assert place.is_dir()
    assert not place.exists()


def test_what_a_killed_worker_left_is_removed_and_what_is_in_use_is_not(tmp_path):
    within = evaluating_in(tmp_path)
    old, new = within / "evaluation-old", within / "evaluation-new"
    for place in (old, new):
        place.mkdir(parents=True)
        (place / "job.json").write_text("{}")
    os.utime(old, (1_000_000, 1_000_000))
    os.utime(new, (1_080_000, 1_080_000))

    tidy(within, now=1_081_000)

    assert (old.exists(), new.exists()) == (False, True)
