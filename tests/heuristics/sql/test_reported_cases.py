"""Fault reports of other migration linters: the right answer, by mechanism."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristics.sql import Action, Catalog, Operation, Statement, simulate, statement_effect
from heuristics.sql.postgres import read_postgres
from heuristics.sql.replay import apply_operation
from heuristics.sql.script import split_script

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sql"
CASES: list[dict[str, Any]] = [json.loads(line) for line in (FIXTURES / "heuristic_cases.jsonl").read_text().splitlines()]
MEASURED = [c for c in CASES if c["dialect"] == "postgres" and c["setup"] and c["measured_pg15"]]


def operations_of(sql: str, *, transaction: str | None = None) -> list[Operation]:
    found: list[Operation] = []
    for place, piece in enumerate(split_script(sql)):
        statement = Statement(
            file="x.sql", line=place, end_line=place, sql=piece.sql, source=piece.sql, framework="sql", dialect="postgres",
            transaction=transaction,
        )  # fmt: skip
        found += read_postgres(statement)
    return found


@pytest.mark.parametrize("case", MEASURED, ids=[c["id"] for c in MEASURED])
def test_the_measured_effect_is_predicted(case: dict[str, Any]) -> None:
    catalog = Catalog(is_complete=True)
    for op in operations_of(case["setup"]):
        apply_operation(catalog, op)
    text = case["input"].split("-- SQL:")[-1]
    measured = case["measured_pg15"]

    played = simulate(operations_of(text, transaction="run"), engine="postgres", server_version=15, catalog=catalog)

    unread = [s for s in played if s.operation.action is Action.NOT_ANALYSED]
    error = next((s.error for s in played if s.error is not None), None)
    if measured.get("fails") == "42601":
        assert unread
        return
    assert not unread
    assert (error or "").split(" ")[0] == measured.get("fails", "")
    if "rewrites" in measured:
        effect = statement_effect(played)
        for key in ("rewrites", "scans", "blocks_reads", "blocks_writes"):
            assert set(getattr(effect, key)) == set(measured[key]), key


def test_a_begin_without_commit_is_incomplete() -> None:
    case = next(c for c in CASES if c["id"] == "h010")
    operations = operations_of(case["input"], transaction="begin")

    assert not any(s.is_committed for s in simulate(operations, engine="postgres", server_version=15))


def test_a_not_null_constraint_not_valid_needs_18() -> None:
    case = next(c for c in CASES if c["id"] == "h088")
    operations = operations_of(case["input"])

    assert simulate(operations, engine="postgres", server_version=18)[0].error is None
    assert (simulate(operations, engine="postgres", server_version=15)[0].error or "").startswith("42601")


def test_two_statements_in_one_message_are_a_transaction() -> None:
    case = next(c for c in CASES if c["id"] == "h054")
    one_message = [replace(op, statement=replace(op.statement, transaction="message")) for op in operations_of(case["input"])]

    assert any((s.error or "").startswith("25001") for s in simulate(one_message, engine="postgres", server_version=15))
