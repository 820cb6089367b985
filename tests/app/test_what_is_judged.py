"""What the worker says is what the command line says; and what changes it besides a commit."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import httpx

from tests.app.watching import evaluations, rows
from tests.github.story import BASE, PRODUCTION, SAFE

CONFIG = ".github/gonogo.yml"


def test_the_report_is_that_of_the_command_line_to_the_byte_but_for_times(story, tmp_path):
    pull = story.open(title="Add an index", body="It is slow without.")
    story.wait_for_verdict(pull)
    (only,) = evaluations(story, pull)
    (kept,) = rows(story, "SELECT report FROM evaluation_document WHERE evaluation_id = ?", only["id"])
    clone, pr = tmp_path / "clone.git", tmp_path / "pr.yaml"
    shutil.copytree(story.repository.git.folder, clone)
    words = {"title": "Add an index", "body": "It is slow without.", "author": "dev", "number": pull.number}
    pr.write_text(json.dumps(words | {"base_branch": "main", "repository": "spokeway/rides"}))
    command = [
        Path(sys.executable).parent / "gonogo",
        "check",
        "--repo",
        clone,
        "--base",
        "main",
        "--head",
        pull.head_sha,
        "--pr",
        pr,
    ]
    command += ["--production", PRODUCTION, "--format", "json", "--quiet"]

    done = subprocess.run(command, capture_output=True, check=False, text=True)

    told, said = json.loads(kept["report"]), json.loads(done.stdout)
    del told["timings"], said["timings"]
    assert json.dumps(told) == json.dumps(said)


def test_what_is_unsettled_in_production_holds_a_change_and_lets_it_go_without_a_commit(start_story, tmp_path):
    production = tmp_path / "production"
    shutil.copytree(PRODUCTION, production)
    alarms = production / "alarms.jsonl"
    quiet = alarms.read_text() if alarms.exists() else ""
    story = start_story(
        settings={"GONOGO_SWEEP_INTERVAL": "2"}, production=production, base={**BASE, CONFIG: "live_gate: true\n"}
    )
    pull = story.open(SAFE)
    assert story.wait_for_verdict(pull).conclusion == "success"
    (report,) = rows(story, "SELECT report FROM evaluation_document")
    affected = json.loads(report["report"])["affected"]
    resource = next(a["resource"] for a in affected if not a["resource"].startswith("github:"))

    taken_at = json.loads((production / "snapshot.json").read_text())["taken_at"]
    ringing = {"since": taken_at, "resource": resource, "name": "latency of checkout", "state": "ALARM"}
    alarms.write_text(f"{quiet}{json.dumps(ringing)}\n")

    story.until(lambda: story.check(pull).conclusion == "failure", "the gate to close", within_s=60)
    assert evaluations(story, pull)[-1]["trigger"] == "live gate"

    alarms.write_text(quiet)

    story.until(lambda: story.check(pull).conclusion == "success", "the gate to open", within_s=60)
    assert len(story.github.checks(pull.head_sha)) == 1


def test_production_that_can_not_be_read_is_neutral_by_default_and_says_so(start_story, tmp_path):
    story = start_story(production=tmp_path / "nowhere")
    pull = story.open()

    check = story.wait_for_verdict(pull, comment=True)

    assert check.conclusion == "neutral"
    assert "could not evaluate" in check.output["title"]


def test_outcomes_are_counted_for_prometheus(story):

    pull = story.open()
    story.wait_for_verdict(pull)

    text = httpx.get(f"{story.site.url}/metrics", trust_env=False).text

    assert 'gonogo_evaluations_total{outcome="no-go"} 1.0' in text
