"""Columns of a snapshot, whatever its source calls the figures."""

import pytest

from gonogo.context import Table
from heuristics.schema.columns import columns_of


@pytest.mark.parametrize(
    "listed",
    [
        [{"name": "Label", "type": "text", "null_fraction": 0.25, "nullable": True}],
        [{"column": "Label", "data_type": "text", "null_frac": "0.25", "is_nullable": "YES"}],
        {"Label": {"type": "text", "null_pct": 25, "not_null": False}},
    ],
)
def test_spellings_mean_the_same(listed: object) -> None:
    facts = (columns_of(Table(name="seats", columns=listed)) or {})["label"]

    assert (facts.type, facts.null_fraction, facts.is_nullable) == ("text", 0.25, True)


@pytest.mark.parametrize("listed", [None, 3, "x", [], [None, 4, {"name": 5}]])
def test_what_is_no_list_of_columns_is_unknown(listed: object) -> None:
    assert columns_of(Table(name="seats", columns=listed)) is None
