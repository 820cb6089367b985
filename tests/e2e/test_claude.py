"""`gonogo check` with a model beside the playbooks, as a user runs it; the service is scripted, the SDK and the process are real."""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from bot.investigator.testing import ScriptedService, says, text, use
from scripts.build_demo import EXAMPLE, build_example

GONOGO = Path(sys.executable).parent / "gonogo"
START = "from gonogo.launch import main; main()"


@pytest.fixture(scope="module")
def rides(tmp_path_factory):
    return build_example(tmp_path_factory.mktemp("demo") / "rides")


def run(repository, data, *arguments, head="unsafe", environment=None):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "GONOGO_"))}
    call = ["check", "--repo", repository, "--base", "main", "--head", head, "--production", EXAMPLE / "production", *arguments]
    began = monotonic()
    done = subprocess.run(
        [GONOGO, *call],
        env={**kept, "GONOGO_DATA_DIR": str(data), **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, monotonic() - began


def test_auto_takes_the_model_when_a_key_is_there_and_the_report_says_so(rides, tmp_path):
    with ScriptedService(lambda r, n: says(use("record_verdict", claims=[], summary="nothing more"))) as service:
        done, _ = run(rides, tmp_path, "--format", "json", environment={**service.environment, "GONOGO_MODEL": "claude-sonnet-5"})

    report = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert (report["investigator"], report["model"]["id"]) == ("claude", "claude-sonnet-5")
    assert report["budget"]["steps_used"] == len(service.requests) == 1
    assert report["gaps"] == []
    assert list((tmp_path / "journal").glob("*.journal"))


@pytest.mark.parametrize("named", ["auto", pytest.param("claude", marks=pytest.mark.long)])
def test_a_model_that_hangs_ends_with_the_playbooks_answer_in_time(rides, tmp_path, named):
    with ScriptedService(lambda r, n: says(text("x"), pings=10_000, ping_s=0.1)) as service:
        done, seconds = run(
            rides,
            tmp_path,
            "--format",
            "json",
            "--deadline",
            "20",
            "--investigator",
            named,
            head="safe",
            environment=service.environment,
        )

    report = json.loads(done.stdout)
    assert seconds <= 23.0
    assert done.returncode == 0, done.stderr
    assert report["verdict"] == "go"
    assert [g["stage"] for g in report["gaps"]] == ["trajectories"]


def test_claude_without_a_key_is_a_wrong_call(rides, tmp_path):
    done, _ = run(rides, tmp_path, "--investigator", "claude")

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "ANTHROPIC_API_KEY" in done.stderr


@pytest.mark.parametrize("name", ["GONOGO_MAX_TOKENS", "GONOGO_MAX_COST"])
def test_a_cap_that_is_no_number_is_a_wrong_call(rides, tmp_path, name):
    done, _ = run(rides, tmp_path, environment={"ANTHROPIC_API_KEY": "scripted", name: "plenty"})

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{name}=plenty" in done.stderr


def test_show_prompt_prints_what_a_model_would_be_told_and_asks_none(rides, tmp_path):
    with ScriptedService(lambda r, n: None) as service:
        done, _ = run(rides, tmp_path, "--show-prompt", "--pr", EXAMPLE / "pr.yaml", environment=service.environment)
        as_json, _ = run(rides, tmp_path, "--show-prompt", "--format", "json", "--investigator", "claude")

    assert service.requests == []
    assert done.returncode == as_json.returncode == 1
    assert done.stdout.index("## System") < done.stdout.index("## First message") < done.stdout.index("R1 [lock-on-live-table]")
    assert set(json.loads(as_json.stdout)) == {"system", "tools", "first_message", "task"}


def test_without_a_key_nothing_of_a_model_is_loaded(rides):
    program = (
        "import sys\nfrom bot.entrypoints.cli.app import main\nmain(sys.argv[1:])\n"
        "print('LOADED', *[m for m in sys.modules if m.startswith(('anthropic', 'bencher', 'asyncio', 'bot.investigator'))], file=sys.stderr)"
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith("ANTHROPIC_")}
    call = ["check", "--repo", rides, "--base", "main", "--head", "unsafe", "--production", EXAMPLE / "production", "--quiet"]

    done = subprocess.run([sys.executable, "-I", "-c", program, *call], env=env, capture_output=True, text=True, check=False)

    loaded = set(done.stderr.rpartition("LOADED")[2].split())
    assert "bot.investigator.rules" in loaded
    unwanted = {
        "anthropic",
        "bencher",
        "asyncio",
        *(f"bot.investigator.{m}" for m in ("assisted", "choosing", "claude", "desk", "loop")),
    }
    assert loaded & unwanted == set()
