import sys

from benchmarks.cases import cases_of, measured, run_case


def a_case(folder, **label):
    for side, text in (("base", "x = 1\n"), ("head", "x = 2\n")):
        (folder / side).mkdir(parents=True)
        (folder / side / "app.py").write_text(text)
    (folder / "production").mkdir()
    (folder / "production" / "snapshot.json").write_text('{"taken_at": "2026-06-09T00:00:00Z"}')
    (folder / "pr.yaml").write_text("title: t\ncommits: [one, two]\nrepository: acme/shop\n")
    (folder / "case.yaml").write_text("".join(f"{k}: {v}\n" for k, v in label.items()))


def test_a_folder_of_cases_and_a_single_case_are_both_read(tmp_path):
    a_case(tmp_path / "suite" / "01-a", id="01-a")
    a_case(tmp_path / "suite" / "02-b", id="02-b")

    assert [c.id for c in cases_of([tmp_path / "suite", tmp_path / "suite" / "02-b"])] == ["01-a", "02-b", "02-b"]


def test_a_case_runs_as_a_user_would_run_it_and_leaves_nothing(tmp_path):
    a_case(tmp_path / "suite" / "01-a", id="01-a")
    work = tmp_path / "work"
    work.mkdir()

    run = run_case(cases_of([tmp_path / "suite"])[0], work, timeout_s=60)

    assert run.error == ""
    assert run.report is not None
    assert run.report["verdict"] == "go"
    assert run.report["repository"] == "github:acme/shop"
    assert run.took.seconds > 0
    assert list(work.iterdir()) == []


def test_a_command_that_gives_no_report_is_told(tmp_path):
    a_case(tmp_path / "suite" / "01-a", id="01-a")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 0\n")
    silent.chmod(0o755)

    run = run_case(cases_of([tmp_path / "suite"])[0], tmp_path, timeout_s=60, gonogo=silent)

    assert run.error == "no report, exit status 0"


def test_a_process_past_its_time_is_ended(tmp_path):
    took = measured([sys.executable, "-c", "import signal; signal.pause()"], cwd=tmp_path, timeout_s=0.5)

    assert took.exit_status == -9
    assert took.seconds < 20
