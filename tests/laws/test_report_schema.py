"""The report is described by its schema, and no field that was ever published goes away."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bot.entrypoints.cli.app import main
from scripts.build_demo import EXAMPLE, build_example
from scripts.report_schema import field_paths, report_schema

ROOT = Path(__file__).parents[2]
PUBLISHED = (ROOT / "tests" / "laws" / "report_fields.txt").read_text().split()

CALLS = {
    "no-go": ("--head", "unsafe", "--production", "{production}"),
    "go": ("--head", "safe", "--production", "{production}"),
    "no snapshot": ("--head", "unsafe"),
    "nothing to evaluate": ("--head", "main"),
    "could not evaluate": ("--head", "unsafe", "--production", "live"),
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_example(tmp_path_factory.mktemp("example") / "rides")


@pytest.mark.parametrize("arguments", CALLS.values(), ids=CALLS.keys())
def test_a_report_is_described_by_the_schema(repository, tmp_path, arguments, capsys):
    out = tmp_path / "report.json"
    given = [a.format(production=EXAMPLE / "production") for a in arguments]

    main(["check", "--repo", str(repository), "--base", "main", "--json", str(out), "--quiet", *given])

    report = json.loads(out.read_text())
    schema = report_schema()
    assert [f"{e.json_path}: {e.message}" for e in Draft202012Validator(schema).iter_errors(report)] == []
    assert paths_of(report) - set(field_paths(schema)) == set()


def test_no_published_field_goes_away():
    assert set(PUBLISHED) - set(field_paths(report_schema())) == set()


def test_every_field_of_the_schema_is_published():
    assert sorted(set(field_paths(report_schema())) - set(PUBLISHED)) == [], "add them to tests/laws/report_fields.txt"


def test_the_schema_is_a_schema_and_refuses_a_report_without_a_verdict():
    schema = report_schema()
    Draft202012Validator.check_schema(schema)

    errors = [e.message for e in Draft202012Validator(schema).iter_errors({"schema": "gonogo.report/1"})]

    assert any("verdict" in message for message in errors)


FREE = {"timings", "findings[].facts", "trajectories[].links[].evidence[].value"}
"""Fields whose content belongs to whoever wrote it."""


def paths_of(value: object, prefix: str = "") -> set[str]:
    if prefix.removesuffix(".") in FREE:
        return set()
    if isinstance(value, dict):
        return {f"{prefix}{key}" for key in value} | {p for key, item in value.items() for p in paths_of(item, f"{prefix}{key}.")}
    if isinstance(value, list):
        return {p for item in value for p in paths_of(item, prefix.removesuffix(".") + "[].")}
    return set()
