"""`bencher journal show|stats|compact FILE`."""

import json
import subprocess
import sys

import pytest
from bencher.cli import main
from bencher.orchestration import Orchestrator
from bencher.orchestration.testing import FakeAgent, grid, in_virtual_time


@pytest.fixture
def journal(tmp_path):
    """36 answers, 36 more after an edit of nothing but the sample, and one damaged line."""

    async def job():
        async with Orchestrator(journal=tmp_path / "j", runner=FakeAgent(1), run_id="monday") as run:
            await grid(run, "pipeline")

    in_virtual_time(job())
    with (tmp_path / "j").open("ab") as file:
        file.write(b"half a li")
    return tmp_path / "j"


def test_show_tells_key_run_place_question_and_answer(journal, capsys):
    assert main(["journal", "show", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert len(lines) == 36
    assert "monday" in lines[0]
    assert '[1, "read the source of ' in lines[0]
    assert " -> " in lines[0]


def test_show_for_programs_is_one_object_a_line(journal, capsys):
    assert main(["journal", "show", "--json", str(journal)]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert {tuple(record) for record in records} == {("key", "answer", "asked", "place", "run_id")}
    assert len({record["key"] for record in records}) == 36


def test_stats_count_answers_damage_and_bytes(journal, capsys):
    assert main(["journal", "stats", str(journal)]) == 0
    out = capsys.readouterr().out
    main(["journal", "stats", "--json", str(journal)])
    told = json.loads(capsys.readouterr().out)

    assert out.startswith("36 answers, 0 questions in flight or lost with their run, 1 damaged of 73 lines")
    assert told["total_bytes"] == journal.stat().st_size


def test_compact_keeps_every_answer_and_nothing_else(journal, capsys):
    before = journal.stat().st_size
    main(["journal", "show", str(journal)])
    shown = capsys.readouterr().out

    assert main(["journal", "compact", str(journal)]) == 0
    main(["journal", "stats", "--json", str(journal)])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    main(["journal", "show", str(journal)])

    assert (told["answers"], told["lines"], told["damaged"]) == (36, 36, 0)
    assert journal.stat().st_size < before
    assert capsys.readouterr().out == shown
    assert [path.name for path in journal.parent.iterdir() if "compact" in path.name] == []


def test_a_journal_that_is_not_there_is_one_line_and_status_2(tmp_path, capsys):
    assert main(["journal", "stats", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_an_empty_journal_says_so(tmp_path, capsys):
    (tmp_path / "j").touch()

    assert main(["journal", "show", str(tmp_path / "j")]) == 0
    assert "no answers" in capsys.readouterr().out


def test_an_empty_journal_has_no_line_for_programs(tmp_path, capsys):
    (tmp_path / "j").touch()

    assert main(["journal", "show", "--json", str(tmp_path / "j")]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_is_no_journal_is_not_compacted(tmp_path, capsys):
    (tmp_path / "notes").write_text("precious\n" * 9)

    assert main(["journal", "compact", str(tmp_path / "notes")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "notes").read_text() == "precious\n" * 9
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_the_command_starts():
    done = subprocess.run([sys.executable, "-m", "bencher.cli", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("bencher ")
