"""Pull requests of the loopback GitHub: heads, files, forks, comparisons."""

from tests.github.asking import as_person
from tests.github.bare import Executable, Submodule, Symlink
from tests.github.conftest import Shop

PULL = "/repos/acme/shop/pulls/1"


def test_a_pull_request_says_where_it_comes_from_and_goes_to(shop: Shop) -> None:
    seen = shop.ask.get(PULL).json()

    assert (seen["head"]["sha"], seen["head"]["ref"], seen["base"]["ref"]) == (shop.pull.head_sha, "change-1", "main")
    assert (seen["id"], seen["number"], seen["state"], seen["draft"], seen["merged"], seen["locked"]) == (
        shop.pull.id,
        1,
        "open",
        False,
        False,
        False,
    )
    assert (seen["changed_files"], seen["additions"], seen["deletions"], seen["commits"]) == (1, 1, 1, 1)
    assert seen["base"]["repo"]["clone_url"] == f"{shop.github.web_url}/acme/shop.git"


def test_lists_are_newest_first_by_state_and_base(shop: Shop) -> None:
    release = shop.github.repositories
    release.branch(shop.repository, "release/1")
    second = shop.github.pulls.open(shop.repository, {"b": "1"}, base="release/1")
    third = shop.github.pulls.open(shop.repository, {"c": "1"})
    shop.github.pulls.close(third)

    def numbers(**query: str) -> list[int]:
        return [p["number"] for p in shop.ask.get("/repos/acme/shop/pulls", params=query).json()]

    assert numbers() == [second.number, 1]
    assert numbers(state="all") == [third.number, second.number, 1]
    assert numbers(base="release/1") == [second.number]


def test_a_fork_is_another_repository_and_null_once_it_is_deleted(shop: Shop) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    pull = shop.github.pulls.open(shop.repository, {"app.py": "print(3)\n"}, fork=fork, by="mallory")
    where = f"/repos/acme/shop/pulls/{pull.number}"
    alive = shop.ask.get(where).json()["head"]
    shop.github.repositories.delete(fork)
    gone = shop.ask.get(where).json()["head"]

    assert (alive["repo"]["full_name"], alive["label"]) == ("mallory/shop", "mallory:change-2")
    assert alive["repo"]["fork"] is True
    assert gone["repo"] is None
    assert gone["sha"] == pull.head_sha
    assert shop.repository.git.ref(f"refs/pull/{pull.number}/head") == pull.head_sha


def test_files_say_how_they_changed_and_leave_out_patches_that_are_not_text(shop: Shop) -> None:
    base = {"old name.py": "a\n" * 30, "blob.bin": b"\0\1", "gone.txt": "x\n", "lib": Submodule("1" * 40), "large.csv": ""}
    shop.github.repositories.push(shop.repository, files=base)
    pull = shop.github.pulls.open(shop.repository, {
        "old name.py": None, "new name.py": "a\n" * 30, "blob.bin": b"\0\2", "gone.txt": None, "lib": Submodule("2" * 40),
        "é b/ c.txt": "hi\n", "link": Symlink("app.py"), "run.sh": Executable("#!/bin/sh\n"), "large.csv": "1,2\n" * 20_001, "omitted.py": "new\n",
    })  # fmt: skip
    pull.patches_omitted = {"omitted.py"}

    files = {
        f["filename"]: f for f in shop.ask.get(f"/repos/acme/shop/pulls/{pull.number}/files", params={"per_page": 100}).json()
    }

    assert {name: f["status"] for name, f in files.items()} == {
        "new name.py": "renamed", "blob.bin": "modified", "gone.txt": "removed", "lib": "modified", "é b/ c.txt": "added",
        "link": "added", "run.sh": "added", "large.csv": "modified", "omitted.py": "added",
    }  # fmt: skip
    assert files["new name.py"]["previous_filename"] == "old name.py"
    assert {name for name, f in files.items() if "patch" not in f} == {"new name.py", "blob.bin", "large.csv", "omitted.py"}
    assert files["é b/ c.txt"]["patch"] == "@@ -0,0 +1 @@\n+hi"
    assert (files["large.csv"]["additions"], files["lib"]["additions"]) == (20_001, 1)


def test_of_3001_files_the_list_shows_3000_and_the_pull_request_the_true_number(shop: Shop) -> None:
    pull = shop.github.pulls.open(shop.repository, {f"many/{n:04}.txt": f"{n}\n" for n in range(3001)})
    where = f"/repos/acme/shop/pulls/{pull.number}"

    counts = [len(shop.ask.get(f"{where}/files", params={"per_page": 100, "page": page}).json()) for page in (1, 30, 31)]

    assert counts == [100, 100, 0]
    assert shop.ask.get(where).json()["changed_files"] == 3001
    refused = shop.ask.get(where, headers={"Accept": "application/vnd.github.diff"})
    assert refused.status_code == 406


def test_more_than_a_hundred_a_page_is_cut_down_and_noted_as_a_violation(shop: Shop) -> None:
    pull = shop.github.pulls.open(shop.repository, {f"many/{n}": "" for n in range(150)})

    shown = shop.ask.get(f"/repos/acme/shop/pulls/{pull.number}/files", params={"per_page": 150}).json()

    assert len(shown) == 100
    assert [v.reason for v in shop.github.record.violations] == ["per_page is more than 100: GitHub would cut it down silently"]
    shop.github.record.violations.clear()


def test_a_comparison_starts_at_the_merge_base_and_shows_300_files(shop: Shop) -> None:
    base = shop.github.repositories.push(shop.repository, files={"later.txt": "on main\n"})
    head = shop.github.pulls.push(shop.pull, {f"many/{n:03}": "" for n in range(301)})
    where = f"/repos/acme/shop/compare/{base}...{head}"

    seen = shop.ask.get(where).json()

    assert (seen["status"], seen["ahead_by"], seen["behind_by"], seen["total_commits"]) == ("diverged", 2, 1, 2)
    assert seen["merge_base_commit"]["sha"] != base
    assert len(seen["files"]) == 300
    assert "later.txt" not in {f["filename"] for f in seen["files"]}
    assert shop.ask.get(where, params={"page": 2}).json()["files"] == []
    assert shop.ask.get("/repos/acme/shop/compare/main...change-1").json()["status"] == "diverged"


def test_a_commit_knows_its_pull_requests(shop: Shop) -> None:
    twin = shop.github.pulls.open(shop.repository, branch="twin", head_sha=shop.pull.head_sha)

    numbers = {p["number"] for p in shop.ask.get(f"/repos/acme/shop/commits/{shop.pull.head_sha}/pulls").json()}

    assert numbers == {1, twin.number}


def test_a_push_moves_the_head_and_a_retarget_the_base(shop: Shop) -> None:
    first = shop.pull.head_sha
    second = shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})
    shop.github.repositories.branch(shop.repository, "next")
    shop.github.pulls.retarget(shop.pull, "next")

    seen = shop.ask.get(PULL).json()
    assert (seen["head"]["sha"], seen["base"]["ref"], seen["commits"]) == (second, "next", 2)
    assert shop.repository.git.parents(second) == [first]


def test_a_force_push_and_a_rebase_leave_the_old_head_behind(shop: Shop) -> None:
    base = shop.pull.base_sha
    forced = shop.github.pulls.push(shop.pull, {"app.py": "print(9)\n"}, onto=base)
    tip = shop.github.repositories.push(shop.repository, files={"later.txt": "x\n"})
    rebased = shop.github.pulls.rebase(shop.pull)

    assert shop.repository.git.parents(forced) == [base]
    assert shop.repository.git.parents(rebased) == [tip]
    assert shop.ask.get(PULL).json()["changed_files"] == 1


def test_a_merge_closes_it(shop: Shop) -> None:
    sha = shop.github.pulls.merge(shop.pull, by="olivia")

    seen = shop.ask.get(PULL).json()
    assert (seen["state"], seen["merged"], seen["merge_commit_sha"], seen["merged_by"]["login"]) == (
        "closed",
        True,
        sha,
        "olivia",
    )
    assert shop.github.repositories.tip(shop.repository) == sha


def test_an_archived_repository_is_read_only(shop: Shop) -> None:
    shop.github.repositories.archive(shop.repository)

    refused = shop.new_check()

    assert (refused.status_code, refused.json()["message"]) == (403, "Repository was archived so is read-only.")
    assert shop.ask.get(PULL).status_code == 200
    shop.github.repositories.unarchive(shop.repository)
    assert shop.new_check().status_code == 201


def test_a_renamed_repository_redirects_reads_and_writes(shop: Shop) -> None:
    shop.github.repositories.rename(shop.repository, "store")

    moved, posted = shop.ask.get(PULL), shop.new_check()
    there = shop.ask.get(moved.headers["location"])

    assert (moved.status_code, posted.status_code, there.status_code) == (301, 307, 200)
    assert there.json()["base"]["repo"]["full_name"] == "acme/store"


def test_a_person_without_the_repository_cannot_read_its_pull_requests(shop: Shop) -> None:
    with as_person(shop.github, shop.app, shop.github.world.account("sam")) as ask:
        assert ask.get(PULL).status_code == 404
