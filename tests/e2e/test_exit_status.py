import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scripts.build_demo import EXAMPLE

GONOGO = Path(sys.executable).parent / "gonogo"
PRODUCTION = ("--production", EXAMPLE / "production", "--pr", EXAMPLE / "pr.yaml")

BROKEN_RULE = """
import sys
import heuristics.registry
from heuristics.rule import RuleInfo

class Broken:
    INFO = RuleInfo(id="test/broken", title="breaks", since="0")
    def check(self, context):
        raise ZeroDivisionError("a fault of ours")

heuristics.registry.RULES = (Broken(),)
from bot.entrypoints.cli.app import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_proved_harm_is_1_and_names_its_numbers(gonogo_command, example):
    said = gonogo_command(example, "--base", "main", "--head", "unsafe", *PRODUCTION)

    assert said.status == 1, said
    assert said.out.startswith("no-go")
    assert "38" in said.out
    assert "31,200,000" in said.out
    assert "concurrently" in said.out.lower()


def test_the_safe_form_of_the_same_change_is_0(gonogo_command, example):
    said = gonogo_command(example, "--base", "main", "--head", "safe", *PRODUCTION)

    assert said.status == 0
    assert said.out.startswith("go")


def test_without_a_snapshot_nothing_blocks_and_the_question_is_asked(gonogo_command, example):
    said = gonogo_command(example, "--base", "main", "--head", "unsafe", "--format", "json", "--quiet")

    assert said.status == 0
    statuses = {t["status"] for t in said.report["trajectories"]}
    assert statuses == {"plausible"}
    open_links = [link for t in said.report["trajectories"] for link in t["links"] if link["question"]]
    assert open_links
    assert all(link["query"] for link in open_links)


def test_production_asked_for_and_not_there_is_3_with_a_report(gonogo_command, example, tmp_path):
    out = tmp_path / "report.json"

    said = gonogo_command(example, "--base", "main", "--head", "unsafe", "--production", "live", "--json", out)

    assert said.status == 3
    assert "Traceback" not in said.err
    assert '"verdict": null' in out.read_text()
    assert '"conclusion": "could-not-evaluate"' in out.read_text()


def test_a_rule_that_breaks_is_3_and_never_1_or_a_go(gonogo_command, example, tmp_path):
    out = tmp_path / "report.json"

    said = gonogo_command(
        example,
        "--base",
        "main",
        "--head",
        "safe",
        *PRODUCTION,
        "--json",
        out,
        "--quiet",
        command=(sys.executable, "-I", "-c", BROKEN_RULE),
    )

    assert said.status == 3
    assert "Traceback" not in said.err
    text = out.read_text()
    assert '"verdict": null' in text
    assert "rule test/broken" in text
    assert "a fault of ours" in text


@pytest.mark.parametrize(
    "arguments",
    [("--no-such-option",), ("--steps", "many"), ("--format", "xml"), ("--deadline", "0")],
    ids=lambda arguments: arguments[0],
)
def test_a_wrong_option_is_2_with_one_line(gonogo_command, example, arguments):
    said = gonogo_command(example, "--base", "main", "--head", "safe", *arguments)

    assert said.status == 2
    assert arguments[0].lstrip("-") in said.line
    assert said.out == ""


def test_claude_without_a_key_is_2_with_one_line(gonogo_command, example):
    said = gonogo_command(example, "--base", "main", "--head", "safe", "--investigator", "claude")

    assert said.status == 2
    assert "ANTHROPIC_API_KEY" in said.line


def test_control_c_is_130(example, tmp_path):
    pipe = tmp_path / "pr.yaml"
    os.mkfifo(pipe)
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    process = subprocess.Popen([GONOGO, "check", "--repo", example, "--base", "main", "--pr", pipe], stderr=subprocess.PIPE)
    signal.signal(signal.SIGINT, heard)
    writer = os.open(pipe, os.O_WRONLY)  # returns once gonogo is reading

    for _ in range(30):  # one that arrives just before the blocking read is seen only with the next
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
            break
    _, err = process.communicate(timeout=30)
    os.close(writer)

    assert process.returncode == 130
    assert b"Traceback" not in err
