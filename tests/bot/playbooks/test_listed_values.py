"""What lists of values in column statistics say about rows that a constraint meets."""

from collections.abc import Mapping, Sequence

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status
from gonogo.word import Json

DATABASE = "gcp:sql:prod/payouts"
CHECK = "ALTER TABLE payouts ADD CONSTRAINT c CHECK ({});\n"
BAD = {"name": "currency", "type": "text", "n_distinct": 3, "null_frac": 0.0}
GOOD = {"name": "currency", "type": "text", "n_distinct": 2, "null_frac": 0.0}


def _statuses(sql: str, column: Mapping[str, object], *, constraints: Sequence[Json] | None = None) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("gcp:run:prod/payouts", "gcp.run.service", "payouts", is_deployed=True)
    production.resource(DATABASE, "gcp.sql.instance", "payouts")
    production.edge(service, DATABASE, "writes_to")
    table = {
        "name": "payouts",
        "row_estimate": 18_000,
        "total_bytes": 6e6,
        "writes_per_second": 0.4,
        "reads_per_second": 3.0,
        "columns": [column],
    }
    production.database(DATABASE, tables=[table], constraints=None if constraints is None else list(constraints))
    evaluation = evaluation_of({"src/main.kt": "fun main() {}\n"}, {"db/migrations/V12__c.sql": sql}, production)
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "violated-constraint"]


@pytest.mark.parametrize(
    "listed",
    [
        {"most_common_vals": ["EUR", "USD", "CHF"], "most_common_freqs": [0.7, 0.25, 0.05]},
        {"most_common_vals": "{EUR,USD,CHF}", "most_common_freqs": "{0.7,0.25,0.05}"},
        {"value_counts": {"EUR": 900, "USD": 90, "CHF": 4}},
        {"distinct_values": ["EUR", "USD", "CHF"]},
        {"most_common_values": [{"value": "CHF", "frequency": 0.05}]},
        {"top_values": [["EUR", 0.9], ["CHF", 0.1]]},
    ],
)
@pytest.mark.parametrize(
    "condition",
    [
        "currency IN ('EUR', 'USD')",
        "currency = ANY (ARRAY['EUR'::text, 'USD'::text])",
        "currency = 'EUR' OR currency = 'USD'",
        "currency IS NULL OR currency IN ('EUR', 'USD')",
        "currency <> 'CHF'",
        "currency NOT IN ('CHF', 'JPY')",
    ],
)
def test_a_listed_value_that_breaks_the_check_is_confirmed(listed: dict[str, object], condition: str) -> None:
    assert _statuses(CHECK.format(condition), BAD | listed) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "listed",
    [{"most_common_vals": ["EUR", "USD"], "most_common_freqs": [0.7, 0.3]}, {"value_counts": {"EUR": 900, "USD": 90}}],
)
def test_a_whole_list_that_satisfies_it_is_refuted(listed: dict[str, object]) -> None:
    assert _statuses(CHECK.format("currency IN ('EUR', 'USD', 'GBP')"), GOOD | listed) == [Status.REFUTED]


@pytest.mark.parametrize(
    "column",
    [
        {
            "name": "currency",
            "type": "text",
            "n_distinct": 9,
            "most_common_vals": ["EUR", "USD"],
            "most_common_freqs": [0.7, 0.2],
        },
        {"name": "currency", "type": "text"},
    ],
)
def test_a_list_that_leaves_values_out_is_a_question(column: dict[str, object]) -> None:
    assert _statuses(CHECK.format("currency IN ('EUR', 'USD')"), column) == [Status.PLAUSIBLE]


def test_a_condition_that_cannot_be_judged_keeps_the_whole_open() -> None:
    column = GOOD | {"most_common_vals": ["EUR", "USD"], "most_common_freqs": [0.7, 0.3]}

    assert _statuses(CHECK.format("currency IN ('EUR', 'USD') AND is_known(currency)"), column) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(("bounds", "expected"), [(["-4", "10", "90"], Status.CONFIRMED), (["1", "10", "90"], Status.REFUTED)])
def test_bounds_of_a_histogram_give_the_extremes(bounds: list[str], expected: Status) -> None:
    assert _statuses(CHECK.format("amount >= 0"), {"name": "amount", "type": "integer", "histogram_bounds": bounds}) == [expected]


def test_a_common_value_stands_in_the_way_of_a_unique_index() -> None:
    column = {"name": "iban", "type": "text", "n_distinct": -0.99, "most_common_vals": ["DE1"], "most_common_freqs": [0.001]}

    assert Status.CONFIRMED in _statuses("CREATE UNIQUE INDEX u ON payouts (iban);\n", column)


def test_a_common_value_that_is_too_long_is_confirmed() -> None:
    column = {"name": "label", "type": "varchar(40)", "most_common_vals": ["a long label"], "most_common_freqs": [0.1]}

    assert Status.CONFIRMED in _statuses("ALTER TABLE payouts ALTER COLUMN label TYPE varchar(8);\n", column)


@pytest.mark.parametrize(("held", "expected"), [(["EUR", "CHF"], [Status.CONFIRMED]), (["EUR", "USD"], [Status.REFUTED])])
def test_validating_asks_what_the_constraint_asks(held: list[str], expected: list[Status]) -> None:
    constraint = {
        "table": "payouts",
        "name": "c",
        "type": "check",
        "definition": "CHECK (currency IN ('EUR', 'USD'))",
        "validated": False,
    }
    column = GOOD | {"most_common_vals": held, "most_common_freqs": [0.6, 0.4]}

    assert _statuses("ALTER TABLE payouts VALIDATE CONSTRAINT c;\n", column, constraints=[constraint]) == expected
