"""Who may accept what: a reason takes a finding out of the signals, and only the base lifts a confirmed trajectory."""

import json

import pytest

from scripts.build_demo import EXAMPLE, run_git

PRODUCTION = ("--production", EXAMPLE / "production", "--quiet")
COMMENT = "    # gonogo: accept {rule} because nobody rides at night\n    op.create_index("
MIGRATION = "migrations/versions/0042_rides_by_station.py"


@pytest.fixture
def accepting(tmp_path):
    """The unsafe branch of the example with an acceptance in the line before its index."""
    from scripts.build_demo import build_example

    folder = build_example(tmp_path / "rides")

    def build(rule):
        run_git(folder, "checkout", "-q", "unsafe")
        path = folder / MIGRATION
        path.write_text(path.read_text().replace("    op.create_index(", COMMENT.format(rule=rule), 1))
        run_git(folder, "commit", "-qam", "accept it")
        return folder

    return build


@pytest.mark.parametrize("rule", ["postgres/index-not-concurrent", "lock-on-live-table"])
def test_a_change_cannot_accept_for_itself_what_is_confirmed(gonogo, accepting, rule):
    said = gonogo(accepting(rule), "--base", "main", *PRODUCTION, "--format", "json")

    (trajectory,) = said.report["trajectories"]
    assert said.status == 1
    assert trajectory["accepted"]["reason"] == "nobody rides at night"
    assert (trajectory["accepted"]["is_by_change"], trajectory["accepted"]["lifts"]) == (True, False)


def test_settings_at_the_base_may_let_a_change_accept(gonogo, accepting, tmp_path):
    settings = tmp_path / "gonogo.yml"
    settings.write_text("change_may_accept: true\n")

    said = gonogo(accepting("lock-on-live-table"), "--base", "main", *PRODUCTION, "--config", settings)

    assert said.status == 0
    assert said.out.startswith("go, 1 confirmed risk accepted")


@pytest.mark.parametrize("form", ["text", "markdown", "json", "sarif"])
def test_what_the_base_accepts_does_not_block_and_every_format_says_why(gonogo, example, tmp_path, form):
    settings = tmp_path / "gonogo.yml"
    settings.write_text("accept:\n- {rule: lock-on-live-table, file: 'migrations/*', reason: rides is closed at night}\n")

    said = gonogo(example, "--base", "main", "--head", "unsafe", *PRODUCTION, "--config", settings, "--format", form)

    assert said.status == 0
    assert "rides is closed at night" in said.out


def test_an_acceptance_past_its_day_does_not_hold(gonogo, example, tmp_path):
    settings = tmp_path / "gonogo.yml"
    settings.write_text(
        f"accept:\n- {{rule: lock-on-live-table, file: {MIGRATION}, reason: closed at night, until: 2020-01-01}}\n"
    )

    said = gonogo(example, "--base", "main", "--head", "unsafe", *PRODUCTION, "--config", settings, "--format", "json")

    assert said.status == 1
    assert any("accepts nothing: it held until 2020-01-01" in note for note in said.report["notes"])


def test_an_acceptance_of_the_change_that_accepts_nothing_is_reported(gonogo, a_repository):
    line = "-- gonogo: accept postgres/vacuum-full because it is night\nSELECT 1;\n"
    checkout = a_repository({"db/migrations/001.sql": "SELECT 1;\n"}, {"db/migrations/002.sql": line})

    said = gonogo(checkout, "--quiet", "--format", "json")

    assert said.report["notes"] == ["db/migrations/002.sql:1 accepts nothing: nothing of postgres/vacuum-full is found there"]


def test_an_accepted_signal_is_no_signal_any_more_and_is_still_in_the_report(gonogo, a_repository):
    text = "-- gonogo: accept migrations/truncate, postgres/lock-timeout-missing because nobody reads it\nTRUNCATE audit;\n"
    checkout = a_repository({"db/migrations/001.sql": "SELECT 1;\n"}, {"db/migrations/002.sql": text})

    said = gonogo(checkout, "--quiet", "--format", "json")

    by_rule = {f["rule"]: f["accepted"] for f in json.loads(said.out)["findings"]}
    assert by_rule["migrations/truncate"]["by"] == "db/migrations/002.sql:1"
