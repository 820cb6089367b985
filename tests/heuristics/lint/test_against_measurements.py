"""What lint says of every measured statement: its facts, what must be found, and what must not."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from context_graph.testing import MemoryTree
from heuristics.lint import Linted, lint, read_schema_file
from heuristics.sql import Catalog

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sql"
ROWS: list[dict[str, Any]] = json.loads((FIXTURES / "postgres_truth.json").read_text())
SCHEMA = (FIXTURES / "postgres_truth_schema.sql").read_text()
BY_SQL = {(row["op"], row["sql"].strip()): row for row in ROWS}
LABELLED = [
    (BY_SQL[label["op"], label["sql"].strip()], label)
    for label in json.loads((FIXTURES / "linters_against_truth.json").read_text())
    if (label["op"], label["sql"].strip()) in BY_SQL
]
DATA_DECIDES = {"pg212"}
"""Whether rows repeat is in no schema."""
NEEDS_TRANSACTION = {"pg101"}
"""It was measured inside a transaction of the runner."""


def schema_of(row: dict[str, Any]) -> Catalog:
    return schema_with(f"{SCHEMA}\n{row.get('setup', '')};\n{row.get('session') or ''};")


@cache
def schema_with(text: str) -> Catalog:
    return read_schema_file("schema.sql", MemoryTree({"schema.sql": text}), dialect="postgres")[0]


def script_of(row: dict[str, Any]) -> str:
    before = row.get("same_transaction_before")
    if before or row["id"] in NEEDS_TRANSACTION:
        return f"BEGIN;\n{before or 'SELECT 1'};\n{row['sql']};\nCOMMIT;"
    return row["sql"]


def linted(sql: str, *, version: int = 15, schema: Catalog | None = None) -> list[Linted]:
    tree = MemoryTree({"change.sql": sql})
    return list(lint(["change.sql"], tree, dialect="postgres", server_version=version, schema=schema))


def rules(statements: list[Linted]) -> list[str]:
    return [f.rule for s in statements for f in s.findings]


@pytest.mark.parametrize("row", ROWS, ids=[r["id"] for r in ROWS])
def test_what_blocks_while_it_reads_or_rewrites_is_found_on_every_version_and_what_fails_too(row: dict[str, Any]) -> None:
    schema = schema_of(row)
    for version in (10, 18):
        for statement in linted(script_of(row), version=version, schema=schema):
            facts = statement.facts
            is_slow = (facts.scans or facts.rewrites) and (facts.blocks_reads or facts.blocks_writes)
            if is_slow or facts.error is not None:
                assert statement.findings, (version, statement.sql)


@pytest.mark.parametrize(("row", "label"), LABELLED, ids=[row["id"] for row, _ in LABELLED])
def test_what_really_blocks_is_found_and_what_is_harmless_is_not(row: dict[str, Any], label: dict[str, Any]) -> None:
    found = rules(linted(script_of(row), schema=schema_of(row)))

    if label["label"] == "heavy" or (label["label"] == "fails" and row["id"] not in DATA_DECIDES):
        assert found
    if label["label"] in ("light", "none") and not label["compat"]:
        assert found == []


@pytest.mark.parametrize("row", ROWS, ids=[r["id"] for r in ROWS])
def test_every_safe_alternative_that_is_printed_lints_clean(row: dict[str, Any]) -> None:
    schema = schema_of(row)
    for version in (12, 18):
        for statement in linted(script_of(row), version=version, schema=schema):
            for finding in (*statement.findings, *statement.advice):
                again = linted(finding.safe_alternative, version=version, schema=schema)

                assert all(s.is_analysed for s in again), finding.safe_alternative
                assert rules(again) == [], (version, finding.rule, finding.safe_alternative)


@pytest.mark.parametrize("row", ROWS, ids=[r["id"] for r in ROWS])
def test_the_facts_are_the_measured_ones_on_15(row: dict[str, Any]) -> None:
    measured = next((r["measured"] for r in row["ranges"] if r["from"] <= 15 <= r["to"]), None)
    if measured is None or row["id"] in DATA_DECIDES:
        return
    statement = next(s for s in linted(script_of(row), schema=schema_of(row)) if s.sql == row["sql"].strip())

    facts = statement.facts
    assert (facts.error or "")[:5] == measured.get("error", "")[:5]
    if facts.error is None:
        assert set(facts.rewrites) == set(measured.get("rewrites", ()))
        assert set(facts.scans) == set(measured.get("scans", ()))
        assert set(measured.get("blocks_reads", ())) <= set(facts.blocks_reads)
        assert set(measured.get("blocks_writes", ())) <= set(facts.blocks_writes)
        heard = {t: mode for t, mode in measured.get("strongest", {}).items() if mode not in ("AccessShare", "RowExclusive")}
        assert heard.items() <= facts.locks.items() or row["id"] in BRIEF_LOCK


BRIEF_LOCK = {"pg129"}
"""DETACH CONCURRENTLY locks the partition for an instant at its end."""

MARIADB: list[dict[str, Any]] = [
    r for r in json.loads((FIXTURES / "mariadb_truth.json").read_text()) if r["cheapest"] not in ("none", None)
]
MARIADB_SCHEMA = """
CREATE TABLE u (id bigint PRIMARY KEY, x int);
CREATE TABLE t (id bigint PRIMARY KEY, a int, b text, c varchar(50), d varchar(100) NOT NULL, v200 varchar(200), e enum('a','b'),
 n decimal(10,2), u_id bigint);
CREATE INDEX ka ON t(a);
CREATE TABLE l1 (id bigint PRIMARY KEY, c varchar(50)) DEFAULT CHARSET=latin1;
"""


@pytest.mark.parametrize("row", MARIADB, ids=[r["op"] for r in MARIADB])
def test_on_mariadb_what_makes_writes_wait_is_found_with_its_algorithm(row: dict[str, Any]) -> None:
    tree = MemoryTree({"schema.sql": MARIADB_SCHEMA, "x.sql": row["sql"]})
    schema, _ = read_schema_file("schema.sql", tree, dialect="mariadb")

    (statement,) = lint(["x.sql"], tree, dialect="mariadb", server_version=101119, schema=schema)

    waits = row["cheapest"].endswith("SHARED")
    assert (statement.facts.algorithm or "INSTANT") == row["cheapest"].partition("_")[0]
    assert bool(statement.facts.blocks_writes) == waits
    assert ("mysql/copies-table" in [f.rule for f in statement.findings]) == waits
    assert not any(f.rule.startswith("postgres/") for f in statement.findings)
