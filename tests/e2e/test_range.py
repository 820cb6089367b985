import pytest

BASE = {"app.py": "LIMIT = 1\n"}
EDIT = {"app.py": "LIMIT = 2\n"}


def test_what_main_gained_since_is_not_part_of_the_change(gonogo, a_repository):
    checkout = a_repository(BASE, EDIT)
    checkout.git("checkout", "-q", "main")
    checkout.commit({"other.py": "x = 1\n"}, "meanwhile")

    said = gonogo(checkout, "--base", "main", "--head", "pr", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 1
    assert said.report["base"] == checkout.git("merge-base", "main", "pr").strip()
    assert said.report["head"] == checkout.git("rev-parse", "pr").strip()


def test_a_detached_head_is_evaluated_against_the_default_branch(gonogo, a_repository):
    checkout = a_repository(BASE, EDIT)
    checkout.git("checkout", "-q", "--detach")

    said = gonogo(checkout, "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 1


def test_a_bare_repository_is_evaluated(gonogo, a_repository, tmp_path):
    checkout = a_repository(BASE, EDIT)
    checkout.git("clone", "-q", "--bare", str(checkout.folder), str(tmp_path / "bare.git"))

    said = gonogo(tmp_path / "bare.git", "--base", "main", "--head", "pr", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 1


def test_a_folder_inside_the_checkout_stands_for_the_whole(gonogo, a_repository):
    checkout = a_repository(BASE | {"deep/er/x.py": "x = 1\n"}, EDIT)

    said = gonogo(checkout.folder / "deep" / "er", "--base", "main", "--format", "json")

    assert said.report["coverage"]["files_changed"] == 1


def test_the_default_branch_of_origin_comes_before_a_local_one(gonogo, a_repository, tmp_path):
    origin = a_repository(BASE, name="origin")
    origin.git("branch", "-m", "main", "trunk")
    clone = tmp_path / "clone"
    origin.git("clone", "-q", str(origin.folder), str(clone))

    said = gonogo(clone, "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "nothing-to-evaluate"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Acme/Shop.git",
        "https://github.com/acme/shop",
        "git@github.com:acme/shop.git",
        "ssh://git@github.com/Acme/shop/",
    ],
)
def test_the_repository_is_known_by_its_remote(gonogo, a_repository, url):
    checkout = a_repository(BASE, EDIT)
    checkout.git("remote", "add", "origin", url)

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.report["repository"] == "github:acme/shop"


def test_uncommitted_files_are_not_evaluated_and_one_line_says_so(gonogo, a_repository):
    checkout = a_repository(BASE, EDIT)
    checkout.write({"app.py": "LIMIT = 3\n", "new file.py": "x = 1\n"})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.report["coverage"]["files_changed"] == 1
    [note] = [n for n in said.report["notes"] if "not evaluated" in n]
    assert "2 uncommitted files" in note


def test_staged_evaluates_the_index_and_leaves_the_repository_as_it_was(gonogo, a_repository):
    checkout = a_repository(BASE)
    checkout.write({"app.py": "LIMIT = 2\n", "added.py": "x = 1\n"})
    checkout.git("add", "app.py", "added.py")
    checkout.write({"app.py": "LIMIT = 3\n"})
    before = sorted(str(p) for p in (checkout.folder / ".git" / "objects").rglob("*"))

    said = gonogo(checkout, "--base", "main", "--staged", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 2
    assert any("not staged" in note for note in said.report["notes"])
    assert sorted(str(p) for p in (checkout.folder / ".git" / "objects").rglob("*")) == before


def test_a_range_without_a_difference_has_nothing_to_evaluate(gonogo, a_repository):
    said = gonogo(a_repository(BASE, {}), "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "nothing-to-evaluate"
