"""`gonogo check --since`: the next commit of a change that was evaluated before."""

import json
from pathlib import Path

import pytest

from bot.entrypoints.cli.app import main
from bot.investigator.testing import ScriptedService, says, use
from scripts.build_demo import EXAMPLE, build_example, run_git

SNAPSHOT = ("--base", "main", "--production", EXAMPLE / "production", "--format", "json")


@pytest.fixture
def rides(tmp_path: Path) -> Path:
    """The bundled example, at the unsafe form of its change."""
    folder = build_example(tmp_path / "rides")
    run_git(folder, "checkout", "-q", "unsafe")
    return folder


@pytest.fixture
def checked(gonogo, tmp_path):
    """Evaluate and keep it: what was said, and the id that it was kept under."""

    def run(where, *arguments, **env):
        place = tmp_path / "data"
        before = set((place / "evaluations").glob("*"))
        said = gonogo(where, *SNAPSHOT, "--record", "--quiet", *arguments, GONOGO_DATA_DIR=str(place), **env)
        (made,) = set((place / "evaluations").glob("*")) - before
        return said, made.name

    return run


def notes(said):
    return said.report["notes"]


def test_an_empty_commit_gets_the_same_report_without_an_evaluation(checked, rides):
    first, kept = checked(rides)
    run_git(rides, "commit", "-q", "--allow-empty", "-m", "again")

    second, _ = checked(rides, "--since", kept)

    assert first.status == second.status == 1
    assert "heuristics" in first.report["timings"]
    assert "heuristics" not in second.report["timings"]
    assert notes(second)[-1].startswith(f"nothing that the verdict rests on has changed since {first.report['head'][:12]}")
    same = {k: v for k, v in first.report.items() if k not in ("head", "notes", "timings")}
    assert {k: v for k, v in second.report.items() if k in same} == same


def test_a_commit_that_changes_something_is_evaluated(checked, rides):
    _, kept = checked(rides)
    run_git(rides, "revert", "--no-edit", "HEAD")
    (rides / "extra.py").write_text("x = 1\n")
    run_git(rides, "add", "-A")
    run_git(rides, "commit", "-q", "-m", "more")

    second, _ = checked(rides, "--since", kept)

    assert second.status == 0
    assert "heuristics" in second.report["timings"]


def test_what_went_on_from_another_can_be_repeated(checked, rides, tmp_path, capfd):
    _, kept = checked(rides)
    run_git(rides, "commit", "-q", "--allow-empty", "-m", "again")
    _, again = checked(rides, "--since", kept)
    capfd.readouterr()

    status = main(["replay", again, "--format", "json"])

    out, err = capfd.readouterr()
    assert status == 1
    assert json.loads(out)["notes"][-1].startswith("nothing that the verdict rests on")
    assert err == "gonogo: the report is the same as the recorded one\n"


def test_a_model_is_asked_about_the_rest_only(checked, rides):
    with ScriptedService(lambda request, number: says(use("record_verdict", claims=[], summary="nothing more"))) as service:
        _, kept = checked(rides, **service.environment)
        before = len(service.requests)
        (rides / "extra.py").write_text("LIMIT = 3\n")
        run_git(rides, "add", "-A")
        run_git(rides, "commit", "-q", "-m", "more")
        second, _ = checked(rides, "--since", kept, **service.environment)

    (asked,) = service.requests[before:]
    shown = asked["messages"][0]["content"][0]["text"]
    assert "--- extra.py" in shown
    assert shown.count("\n--- ") == 1
    assert any("a model was asked about 1 of " in note for note in notes(second))


@pytest.mark.parametrize("name", ["20200101T000000Z-00000000-0000", "../..", ""])
def test_an_evaluation_that_is_not_there_is_a_wrong_call(gonogo, rides, tmp_path, name):
    said = gonogo(rides, *SNAPSHOT, "--since", name, GONOGO_DATA_DIR=str(tmp_path / "data"))

    assert said.status == 2
    assert said.out == ""
    assert "evaluation" in said.line


def test_a_recording_of_an_older_gonogo_says_what_to_do(checked, gonogo, rides, tmp_path):
    _, kept = checked(rides)
    (tmp_path / "data" / "evaluations" / kept / "document.json").unlink()

    said = gonogo(rides, *SNAPSHOT, "--since", kept, GONOGO_DATA_DIR=str(tmp_path / "data"))

    assert said.status == 2
    assert "record it again" in said.line
