import gzip
import shutil

import pytest

APP = {"app.py": "LIMIT = 1\n"}
EDIT = {"app.py": "LIMIT = 2\n"}


def test_an_unknown_ref_names_the_ref_and_what_to_run(gonogo, a_repository):
    said = gonogo(a_repository(APP, EDIT), "--base", "release-9")

    assert said.status == 2
    assert "release-9" in said.line
    assert "git fetch" in said.line


def test_a_ref_that_looks_like_an_option_is_refused(gonogo, a_repository, tmp_path):
    said = gonogo(a_repository(APP, EDIT), f"--head=--output={tmp_path / 'x'}", "--base", "main")

    assert said.status == 2
    assert not (tmp_path / "x").exists()


def test_a_shallow_clone_says_which_command_brings_the_history(gonogo, a_repository, tmp_path):
    origin = a_repository(APP, EDIT)
    clone = tmp_path / "clone"
    origin.git("clone", "-q", "--depth", "1", "--branch", "pr", f"file://{origin.folder}", str(clone))

    said = gonogo(clone, "--base", "main")

    assert said.status == 2
    assert "git fetch --unshallow" in said.line
    assert "fetch-depth: 0" in said.line


def test_an_empty_repository_is_one_clear_line(gonogo, tmp_path, a_repository):
    folder = tmp_path / "empty"
    a_repository(APP).git("init", "-q", str(folder))

    said = gonogo(folder)

    assert said.status == 2
    assert "has no commits yet" in said.line


@pytest.mark.parametrize("name", ["plain", "missing"])
def test_a_folder_that_is_no_repository_is_one_clear_line(gonogo, tmp_path, name):
    (tmp_path / "plain").mkdir()

    said = gonogo(tmp_path / name, GIT_CEILING_DIRECTORIES=str(tmp_path))

    assert said.status == 2
    assert "--repo" in said.line


def test_no_default_branch_asks_for_base(gonogo, a_repository):
    checkout = a_repository(APP, EDIT)
    checkout.git("branch", "-m", "main", "trunk")

    said = gonogo(checkout)

    assert said.status == 2
    assert "--base" in said.line


def test_histories_with_nothing_in_common_are_one_clear_line(gonogo, a_repository):
    checkout = a_repository(APP)
    checkout.git("checkout", "-q", "--orphan", "pr")
    checkout.commit(EDIT)

    said = gonogo(checkout, "--base", "main")

    assert said.status == 2
    assert "no common history" in said.line


def test_a_setting_with_a_typo_names_file_key_and_what_is_known(gonogo, a_repository):
    checkout = a_repository(APP | {".github/gonogo.yml": "block_on_plausable: true\n"}, EDIT)

    said = gonogo(checkout, "--base", "main")

    assert said.status == 2
    assert ".github/gonogo.yml" in said.line
    assert "block_on_plausable" in said.line
    assert "block_on_plausible" in said.line


def test_all_mistakes_in_the_settings_are_told_at_once(gonogo, a_repository, tmp_path):
    config = tmp_path / "settings.yml"
    config.write_text("ignore: 5\nmaterial_requests: many\n")

    said = gonogo(a_repository(APP, EDIT), "--base", "main", "--config", config)

    assert said.status == 2
    assert "ignore" in said.line
    assert "material_requests" in said.line


def test_settings_are_read_at_the_base_so_that_a_change_cannot_switch_them_off(gonogo, a_repository):
    checkout = a_repository(APP, EDIT | {".github/gonogo.yml": "ignore: ['*']\n"})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "evaluated"


def test_settings_that_are_no_yaml_name_the_line(gonogo, a_repository, tmp_path):
    config = tmp_path / "settings.yml"
    config.write_text("repository: a/b\nignore: [\n")

    said = gonogo(a_repository(APP, EDIT), "--base", "main", "--config", config)

    assert said.status == 2
    assert str(config) in said.line
    assert "line" in said.line


def test_unknown_keys_of_a_pull_request_are_noted_and_nothing_else(gonogo, a_repository, tmp_path):
    pr = tmp_path / "pr.yaml"
    pr.write_text("title: a change\nlabels: [x]\nmilestone: 3\n")

    said = gonogo(a_repository(APP, EDIT), "--base", "main", "--pr", pr, "--format", "json")

    assert said.status == 0
    assert any("labels" in note and "milestone" in note for note in said.report["notes"])


@pytest.mark.parametrize("text", ["title: [1]\n", "commits: one\n", "- a\n", "number: x\n", "a: b: c\n", "\x00\n"])
def test_a_pull_request_file_of_the_wrong_form_is_one_clear_line(gonogo, a_repository, tmp_path, text):
    pr = tmp_path / "pr.yaml"
    pr.write_text(text)

    said = gonogo(a_repository(APP, EDIT), "--base", "main", "--pr", pr)

    assert said.status == 2
    assert "pr.yaml" in said.line


def test_a_snapshot_that_is_not_there_is_2(gonogo, a_repository, tmp_path):
    said = gonogo(a_repository(APP, EDIT), "--base", "main", "--production", tmp_path / "nothing")

    assert said.status == 2
    assert "nothing" in said.line


def test_a_torn_gzip_is_a_gap_that_names_the_file(gonogo, example, snapshot):
    packed = gzip.compress((snapshot / "metrics.csv").read_bytes())
    (snapshot / "metrics.csv").unlink()
    (snapshot / "metrics.csv.gz").write_bytes(packed[: len(packed) // 2])

    said = gonogo(example, "--base", "main", "--head", "safe", "--production", snapshot, "--format", "json", "--quiet")

    assert said.status == 0
    assert any("metrics.csv.gz" in gap["what"] + gap["why"] for gap in said.report["gaps"])


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("resources.jsonl", '{"id": 7, "kind": "team", "name": "x"}'),
        ("edges.jsonl", '{"source": "github:spokeway/rides", "target": "x", "relation": "likes"}'),
        ("metrics.csv", "2026-13-01,arn:aws:rds:eu-central-1:440011223344:db:rides-db,WriteIOPS,Count/Second,1"),
        ("metrics.csv", "2026-06-08T00:00:00Z,arn:aws:rds:eu-central-1:440011223344:db:rides-db,WriteIOPS,Count/Second,many"),
        ("logs.jsonl", '{"timestamp": "yesterday"'),
    ],
    ids=lambda value: value.split(",")[0][:24],
)
def test_a_row_of_the_wrong_type_is_a_gap_that_names_file_and_line(gonogo, example, snapshot, name, row):
    path = snapshot / name
    number = len(path.read_text().splitlines()) + 1
    with path.open("a") as file:
        file.write(row + "\n")

    said = gonogo(example, "--base", "main", "--head", "safe", "--production", snapshot, "--format", "json", "--quiet")

    assert said.status == 0
    assert any(name in gap["what"] + gap["why"] and str(number) in gap["what"] + gap["why"] for gap in said.report["gaps"]), (
        said.report["gaps"]
    )


def test_a_go_that_did_not_see_everything_says_so_in_its_first_line(gonogo, example, snapshot):
    (snapshot / "databases.json").write_text("[{")

    said = gonogo(example, "--base", "main", "--head", "safe", "--production", snapshot, "--quiet")

    assert said.status == 0
    assert "not looked at" in said.out.splitlines()[0]


def test_an_empty_snapshot_folder_is_refused_with_the_names_it_should_hold(gonogo, example, snapshot):
    shutil.rmtree(snapshot)
    snapshot.mkdir()

    said = gonogo(example, "--base", "main", "--head", "unsafe", "--production", snapshot, "--quiet")

    assert said.status == 2
    assert "resources.jsonl" in said.line
