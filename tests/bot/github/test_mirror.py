"""The copy of a repository holds exactly the commits that were asked for, whatever is on the disk and on the way."""

import asyncio

import pytest

from bot.changes.pull_request import PullRequest as AskedPullRequest
from bot.changes.repository import GitRepository
from bot.github.mirror import Mirrors
from gonogo.errors import Gone, NotFoundYet
from tests.bot.github.conftest import Shop
from tests.bot.github.fetching import GIT, fetched, git


def test_base_and_head_are_brought_and_their_merge_base_is_found(shop: Shop, mirrors: Mirrors) -> None:
    before = shop.pull.base_sha
    tip = shop.github.repositories.push(shop.repository, "main", {"later.txt": "x\n"})

    got = fetched(shop, mirrors)

    assert (got.base_sha, got.head_sha, got.merge_base_sha) == (tip, shop.pull.head_sha, before)
    assert got.folder == mirrors.folder(shop.repository.id)
    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(2)"
    assert git(got.folder, "rev-parse", "--is-bare-repository") == "true"


def test_the_change_is_read_from_the_copy_as_from_a_checkout(shop: Shop, mirrors: Mirrors) -> None:
    got = fetched(shop, mirrors)

    repository = GitRepository(got.folder, base=got.base_sha, head=got.head_sha, pull_request=AskedPullRequest())

    assert [f.path for f in repository.changes().files] == ["app.py"]
    repository.close()


def test_what_is_there_already_is_not_fetched_again(shop: Shop, mirrors: Mirrors) -> None:
    first = fetched(shop, mirrors)
    asked = len(shop.github.record.of(GIT))

    again = fetched(shop, mirrors, base_sha=first.base_sha)

    assert again == first
    assert len(shop.github.record.of(GIT)) == asked


def test_a_new_commit_brings_only_what_is_new(shop: Shop, mirrors: Mirrors) -> None:
    fetched(shop, mirrors)
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    got = fetched(shop, mirrors)

    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(3)"


def test_a_head_that_was_pushed_away_is_still_evaluated(shop: Shop, mirrors: Mirrors) -> None:
    old = shop.github.pulls.push(shop.pull, {"app.py": "print('old')\n"})
    shop.github.pulls.push(shop.pull, {"app.py": "print('new')\n"}, onto=shop.pull.base_sha)

    got = fetched(shop, mirrors, head_sha=old)

    assert git(got.folder, "show", f"{old}:app.py") == "print('old')"


def test_a_head_whose_ref_lags_is_fetched_by_its_id(shop: Shop, mirrors: Mirrors) -> None:
    shop.pull.stale_fetches_after_push = 9
    head = shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    assert fetched(shop, mirrors).head_sha == head


def test_a_head_that_github_does_not_have_yet_may_be_asked_for_again(shop: Shop, mirrors: Mirrors) -> None:
    with pytest.raises(NotFoundYet, match="head commit ffffffffffff"):
        fetched(shop, mirrors, head_sha="f" * 40)

    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha


def test_a_fork_is_read_through_the_base_repository(shop: Shop, mirrors: Mirrors) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    pull = shop.github.pulls.open(shop.repository, {"evil.txt": "x\n"}, fork=fork)
    shop.github.repositories.delete(fork)

    got = fetched(shop, mirrors, pull)

    assert git(got.folder, "show", f"{got.head_sha}:evil.txt") == "x"
    assert not shop.github.record.of("* /mallory/*")


def test_a_merge_group_is_fetched_by_its_ref_and_after_its_end_by_its_id(shop: Shop, mirrors: Mirrors) -> None:
    group = shop.github.pulls.enqueue(shop.pull)
    there = fetched(shop, mirrors, head_ref=group.head_ref, head_sha=group.head_sha, base_sha=group.base_sha)
    asyncio.run(mirrors.discard(shop.repository.id))
    shop.github.pulls.destroy(group)

    gone = fetched(shop, mirrors, head_ref=group.head_ref, head_sha=group.head_sha, base_sha=group.base_sha)

    assert (there.head_sha, there.merge_base_sha) == (group.head_sha, group.base_sha)
    assert gone.head_sha == group.head_sha


def test_branches_of_awkward_names_do_not_stand_in_each_others_way(shop: Shop, mirrors: Mirrors) -> None:
    names = ["release", "release/2", 'ünï/"q"$(id)', "-x"]
    for name in names:
        if name == "release/2":
            shop.github.repositories.delete_branch(shop.repository, "release")
        shop.github.repositories.branch(shop.repository, name)
        assert fetched(shop, mirrors, base_ref=f"refs/heads/{name}").base_sha == shop.pull.base_sha


def test_a_base_branch_that_is_gone_is_not_taken_from_memory(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.repositories.branch(shop.repository, "release")
    fetched(shop, mirrors, base_ref="refs/heads/release")
    shop.github.repositories.delete_branch(shop.repository, "release")

    with pytest.raises(Gone, match="no branch refs/heads/release"):
        fetched(shop, mirrors, base_ref="refs/heads/release")


def test_two_histories_without_a_common_commit_have_no_merge_base(shop: Shop, mirrors: Mirrors) -> None:
    orphan = shop.github.repositories.commit(shop.repository, "refs/heads/orphan", {"a": "b\n"})
    pull = shop.github.pulls.open(shop.repository, head_sha=orphan, branch="orphan")

    assert fetched(shop, mirrors, pull).merge_base_sha is None


def test_a_renamed_repository_keeps_its_copy(shop: Shop, mirrors: Mirrors) -> None:
    before = fetched(shop, mirrors)
    shop.github.repositories.rename(shop.repository, "store")
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    after = fetched(shop, mirrors)

    assert after.folder == before.folder
    assert after.head_sha == shop.pull.head_sha
