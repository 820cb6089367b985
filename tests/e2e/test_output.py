import json

import pytest

from scripts.build_demo import EXAMPLE

UNSAFE = ("--base", "main", "--head", "unsafe", "--production", EXAMPLE / "production", "--pr", EXAMPLE / "pr.yaml")


def test_with_json_standard_output_is_one_document_and_progress_goes_to_standard_error(gonogo, example):
    said = gonogo(example, *UNSAFE, "--format", "json")

    assert said.report["schema"] == "gonogo.report/1"
    assert said.err.strip()


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_quiet_prints_nothing_on_standard_error(gonogo, example, form):
    said = gonogo(example, *UNSAFE, "--format", form, "--quiet")

    assert said.err == ""
    assert "no-go" in said.out.lower()


def test_the_json_file_is_the_printed_report(gonogo, example, tmp_path):
    out = tmp_path / "report.json"

    said = gonogo(example, *UNSAFE, "--format", "json", "--json", out, "--quiet")

    assert out.read_text() == said.out
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_a_wrong_call_leaves_the_json_file_as_it_was(gonogo, example, tmp_path):
    out = tmp_path / "report.json"
    out.write_text("of yesterday")

    said = gonogo(example, "--base", "no-such-branch", "--json", out)

    assert said.status == 2
    assert out.read_text() == "of yesterday"


def test_a_json_file_in_a_folder_that_is_not_there_is_2_before_anything_runs(gonogo, example, tmp_path):
    said = gonogo(example, *UNSAFE, "--json", tmp_path / "missing" / "report.json")

    assert said.status == 2
    assert "missing" in said.line
    assert said.out == ""


def test_the_same_input_gives_the_same_report_but_for_timings(gonogo_command, example):
    first, second = (gonogo_command(example, *UNSAFE, "--format", "json", "--quiet").out for _ in range(2))

    assert _without_timings(first) == _without_timings(second)


def test_text_for_a_pipe_has_no_escape_codes(gonogo_command, example):
    said = gonogo_command(example, *UNSAFE)

    assert "\x1b" not in said.out


def _without_timings(text):
    report = json.loads(text)
    del report["timings"]
    return json.dumps(report)  # keys in their order
