"""`gonogo check` and `gonogo lint` do what `.github/gonogo.yml` says."""

import pytest

from scripts.build_demo import EXAMPLE

PRODUCTION = ("--production", EXAMPLE / "production")
OFF = "rules:\n  postgres/index-not-concurrent: {severity: off, reason: the station index is built at night}\n"


@pytest.fixture
def settings(tmp_path):
    def write(text):
        path = tmp_path / "gonogo.yml"
        path.write_text(text)
        return path

    return write


@pytest.fixture
def unsafe(gonogo, example, settings):
    """What is said of the unsafe branch of the example under these settings."""

    def check(text, *arguments, production=PRODUCTION):
        given = ("--config", settings(text)) if text else ()
        return gonogo(
            example, "--base", "main", "--head", "unsafe", *production, *given, *(arguments or ("--format", "json", "--quiet"))
        )

    return check


def test_a_rule_that_is_off_has_no_findings_and_the_report_says_why(unsafe):
    assert [f["rule"] for f in unsafe("").report["findings"]].count("postgres/index-not-concurrent") == 1

    report = unsafe(OFF).report

    assert "postgres/index-not-concurrent" not in [f["rule"] for f in report["findings"]]
    assert (
        "postgres/index-not-concurrent is off in the configuration because the station index is built at night: "
        "1 finding of it is not used"
    ) in report["notes"]


def test_a_risk_that_stands_on_a_rule_that_is_off_does_not_block(unsafe):
    assert unsafe("").status == 1
    others = {f["rule"] for f in unsafe("").report["findings"]} - {"postgres/index-not-concurrent"}
    every = OFF + "".join(f"  {rule}: {{off: it is night}}\n" for rule in sorted(others))

    said = unsafe(every)

    assert said.status == 0
    [trajectory] = said.report["trajectories"]
    assert trajectory["status"] == "confirmed"
    assert trajectory["accepted"]["lifts"] is True
    assert trajectory["accepted"]["by"].startswith(".github/gonogo.yml (rules: ")


def test_a_rule_that_is_off_and_finds_nothing_is_not_mentioned(unsafe):
    said = unsafe("rules: {iam/action-removed: {off: nobody here has any}}")

    assert [note for note in said.report["notes"] if "iam/action-removed" in note] == []


def test_severities_rank_findings_and_block_nothing(unsafe, gonogo, a_repository, settings):
    migration = "CREATE INDEX a ON t (a);\nTRUNCATE t;\nDROP TABLE u;\n"
    checkout = a_repository({"db/migrations/001.sql": "CREATE TABLE t (a int);\n"}, {"db/migrations/002.sql": migration})
    said = settings("rules:\n  migrations/table-dropped: high\n  postgres/index-not-concurrent: low\n")

    report = gonogo(checkout, "--config", said, "--format", "json", "--quiet").report

    ranked = [(f["rule"], f["severity"]) for f in report["findings"]]
    assert ranked[0] == ("migrations/table-dropped", "high")
    assert ranked[-1] == ("postgres/index-not-concurrent", "low")
    assert all(severity is None for _, severity in ranked[1:-1])
    assert report["verdict"] == "go"


def test_sarif_shows_a_finding_as_loud_as_its_severity(gonogo, a_repository, settings):
    checkout = a_repository({"db/migrations/001.sql": "CREATE TABLE t (a int);\n"}, {"db/migrations/002.sql": "VACUUM FULL t;\n"})

    def level(text):
        report = gonogo(checkout, "--config", settings(text), "--format", "sarif", "--quiet").report
        return {r["ruleId"]: r["level"] for r in report["runs"][0]["results"]}["migrations/truncate"]

    checkout.commit({"db/migrations/003.sql": "TRUNCATE audit;\n"})
    assert level("rules: {migrations/truncate: high}") == "error"
    assert level("shadow: false") == "note"


def test_plausible_blocks_where_the_repository_says_so(gonogo, example, settings):
    call = ("--base", "main", "--head", "unsafe", "--quiet", "--config")

    assert gonogo(example, *call, settings("block_on: [confirmed]")).status == 0
    assert gonogo(example, *call, settings("block_on: [confirmed, plausible]")).status == 1


def test_in_shadow_a_no_go_is_reported_and_does_not_block(unsafe):
    said = unsafe("shadow: true", "--format", "json")

    assert said.status == 0
    assert said.report["verdict"] == "no-go"
    assert "the configuration says shadow: true, so nothing blocks" in said.report["notes"]
    assert "does not block" in said.err


def test_shadow_hides_neither_a_wrong_call_nor_an_evaluation_that_failed(unsafe):
    assert unsafe("shadow: true\nblok: 1").status == 2
    assert unsafe("shadow: true", production=("--production", "live")).status == 3


def test_the_deadline_of_the_repository_holds_unless_the_call_has_one(unsafe):
    report = ("--format", "json", "--quiet")

    assert unsafe("deadline: 77").report["budget"]["deadline_s"] == 77
    assert unsafe("deadline: 77", "--deadline", "88", *report).report["budget"]["deadline_s"] == 88
    assert unsafe("").report["budget"]["deadline_s"] == 150


def test_a_path_pattern_maps_to_one_resource(gonogo, example, settings):
    mapped = settings("resources: {'*.txt': 'github:acme/rides'}")

    assert gonogo(example, "--base", "main", "--head", "safe", *PRODUCTION, "--quiet", "--config", mapped).status == 0


@pytest.mark.parametrize("verb_of", ["check", "lint"])
def test_a_rule_that_does_not_exist_is_a_mistake_at_its_line(gonogo, verb, a_repository, monkeypatch, verb_of):
    wrong = "shadow: false\nrules:\n  postgres/index-not-concurent: high\n"
    checkout = a_repository({".github/gonogo.yml": wrong, "db/migrations/001.sql": "SELECT 1;\n"}, {"a.py": "x = 1\n"})
    monkeypatch.chdir(checkout.folder)

    said = gonogo(checkout) if verb_of == "check" else verb("lint", "db/migrations/001.sql")

    assert said.status == 2
    assert ".github/gonogo.yml line 3: 'postgres/index-not-concurent' is not a rule" in said.line
    assert "did you mean postgres/index-not-concurrent?" in said.line


def test_lint_takes_a_rule_that_is_off_as_accepted(verb, a_repository, monkeypatch):
    migration = {"db/migrations/001.sql": "CREATE INDEX a ON t (a);\n"}
    checkout = a_repository(migration)
    monkeypatch.chdir(checkout.folder)
    assert "index-not-concurrent" in verb("lint", "db/migrations/001.sql").out
    before = verb("lint", "db/migrations/001.sql").status

    rules = verb("lint", "db/migrations/001.sql", "--format", "json").out
    assert "postgres/index-not-concurrent" in rules
    checkout.write({".github/gonogo.yml": OFF})
    said = verb("lint", "db/migrations/001.sql", "--format", "json")

    assert "the station index is built at night" in said.out
    assert said.status <= before


@pytest.mark.parametrize("hostile", ["a: &a [*a]", "[" * 50_000, "x: " + "9" * 50_000, "a: 1\na: 2", "\x00"])
def test_a_hostile_file_at_the_base_is_one_clear_line(gonogo, a_repository, hostile):
    checkout = a_repository({".github/gonogo.yml": hostile, "a.py": "x = 1\n"}, {"a.py": "x = 2\n"})

    said = gonogo(checkout)

    assert said.status == 2
    assert said.line.startswith("gonogo: .github/gonogo.yml")
