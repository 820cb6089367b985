"""The merge queue asks about several pull requests together."""

import asyncio

from bot.storage.app_rows import Because
from tests.bot.life_cycle.desk import GO, NO_GO


def test_the_combined_change_is_evaluated_and_its_check_names_the_group(desk):
    one, two = desk.open(GO), desk.open({"b.py": "print('go')\n"})
    judged = len(desk.judged)

    group = desk.github.pulls.enqueue(one, two)
    desk.settle()

    (check,) = desk.github.checks(group.head_sha)
    assert (check.conclusion, check.external_id) == ("success", f"gonogo:group:{group.head_sha}")
    job = desk.judged[-1]
    assert len(desk.judged) == judged + 1
    assert (job.base_sha, job.head_sha) == (group.base_sha, group.head_sha)


def test_a_group_with_a_no_go_in_it_is_a_no_go_and_has_no_comment_of_its_own(desk):
    group = desk.github.pulls.enqueue(desk.open(NO_GO))
    comments = len(desk.github.world.comments.values())
    desk.settle()

    (check,) = desk.github.checks(group.head_sha)
    assert check.conclusion == "failure"
    assert len(desk.github.world.comments.values()) == comments


def test_a_destroyed_group_ends_cancelled(desk):
    pull = desk.open(GO)
    group = desk.github.pulls.enqueue(pull)

    async def destroy(_job):
        desk.github.pulls.destroy(group)
        await desk.deliver_inside()
        await _until_overtaken()

    desk.judging = destroy
    desk.settle()

    assert desk.store.newest(f"group:{group.head_sha}").cancelled_because is Because.DESTROYED
    (check,) = desk.github.checks(group.head_sha)
    assert check.conclusion == "cancelled"


def test_destroyed_after_the_merge_changes_no_verdict(desk):
    pull = desk.open(GO)
    group = desk.github.pulls.enqueue(pull)
    desk.settle()

    desk.github.pulls.merge_group(group)
    desk.settle()

    (check,) = desk.github.checks(group.head_sha)
    assert check.conclusion == "success"


def test_a_group_whose_event_comes_twice_is_evaluated_once(desk):
    pull = desk.open(GO)
    group = desk.github.pulls.enqueue(pull)
    desk.github.pulls._tell_group(group, "checks_requested", "olivia")
    judged = len(desk.judged)
    desk.settle()

    assert len(desk.judged) == judged + 1


async def _until_overtaken():
    await asyncio.sleep(3)
    raise AssertionError("it was not ended within three seconds")
