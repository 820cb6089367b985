"""The numbers and pictures of the figure pages, and how values read."""

import logging
import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.entrypoints.logs import configure_logs
from bot.entrypoints.web.dashboard import words
from bot.entrypoints.web.dashboard.charts import Column, Span, columns, fan, share, spans
from bot.entrypoints.web.dashboard.figures import by_week, calibration, override_rates, percentile, spent
from bot.entrypoints.web.dashboard.slice import MAX_NODES, picture, slice_of
from bot.storage.app_dashboard_rows import Blocked, Merged, Spending
from bot.storage.app_rows import Outcome
from gonogo.resource import AffectedResource
from tests.bot.web.html import faults_of
from tests.bot.web.stories import a_forecast

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def merged(outcome, *, was_right, impact="high", state="done", metrics=()):
    return Merged(
        repository="acme/shop", number=1, title="t", evaluation_id="e", outcome=outcome, impact=impact, merged_at=NOW, state=state,
        was_right=was_right, detail={"metrics": list(metrics)},
    )  # fmt: skip


def as_page(drawn) -> str:
    return f'<html lang="en"><body><h1>x</h1>{drawn}</body></html>'


@pytest.mark.parametrize(
    ("values", "part", "expected"),
    [
        ([], 0.5, None),
        ([3.0], 0.99, 3),
        ([1.0, 2.0, 3.0, 4.0], 0.5, 2),
        ([1.0, 2.0, 3.0, 4.0], 0.9, 4),
        (list(map(float, range(1, 101))), 0.99, 99),
    ],
)
def test_a_percentile_is_one_of_the_values(values, part, expected):
    assert percentile(values, part) == expected


def test_weeks_begin_on_monday_and_the_empty_ones_are_there():
    weeks = by_week([(datetime(2026, 11, 22, 23, tzinfo=UTC), "sunday"), (datetime(2026, 11, 23, tzinfo=UTC), "monday")],
                    since=datetime(2026, 11, 10, tzinfo=UTC), until=NOW)  # fmt: skip

    assert weeks == [
        (date(2026, 11, 9), []),
        (date(2026, 11, 16), ["sunday"]),
        (date(2026, 11, 23), ["monday"]),
        (date(2026, 11, 30), []),
    ]


def test_degraded_is_a_no_go_that_was_right_or_a_go_that_was_wrong():
    found = calibration(
        [
            merged(Outcome.NO_GO, was_right=True),
            merged(Outcome.NO_GO, was_right=False, impact="low"),
            merged(Outcome.GO, was_right=False),
            merged(Outcome.NOTHING, was_right=True),
            merged(Outcome.GO, was_right=None, state="watching"),
            merged(Outcome.COULD_NOT, was_right=True),
        ]
    )

    assert (found.judged, found.right, found.degraded, found.waiting) == (4, 2, 2, 1)
    assert found.table == {("no-go", True): 1, ("no-go", False): 1, ("go", True): 1, ("go", False): 1}


def test_a_stricter_gate_blocks_more_and_catches_more():
    found = calibration(
        [merged(Outcome.NO_GO, was_right=True, impact="high"), merged(Outcome.NO_GO, was_right=True, impact="low"),
         merged(Outcome.GO, was_right=False), merged(Outcome.GO, was_right=True)]
    )  # fmt: skip

    assert [(g.blocked_share, g.captured) for g in found.gates] == [(0.25, 1 / 3), (0.25, 1 / 3), (0.5, 2 / 3)]


def test_of_nothing_no_share_is_known():
    found = calibration([])

    assert (found.right_share, found.band_share, found.gates[0].captured) == (None, None, None)
    assert words.percent(found.right_share) == "unknown"


def test_readings_outside_their_band_and_broken_ones_do_not_count_as_held():
    held = {"p10": 1, "observed": 2, "p90": 3}
    broken = [
        {},
        {"p10": 1, "p90": 3},
        {"p10": "1", "observed": 2, "p90": 3},
        {"p10": True, "observed": 2, "p90": 3},
        "text",
        None,
    ]
    found = calibration([merged(Outcome.GO, was_right=True, metrics=[held, held | {"observed": 9}, *broken])])

    assert (found.readings, found.in_band) == (2, 1)


def test_the_rule_that_is_overridden_most_comes_first_and_a_playbook_stands_in_for_no_rule():
    rates = override_rates(
        [
            Blocked("lock", ("a", "b"), was_taken=True),
            Blocked("lock", ("a",), was_taken=False),
            Blocked("cache", (), was_taken=False),
        ]
    )

    assert [(r.name, r.blocked, r.taken) for r in rates] == [("b", 1, 1), ("a", 2, 1), ("cache", 1, 0)]


def test_spending_of_nothing_has_no_percentiles():
    assert spent([]).took.p50 is None


def test_reused_verdicts_are_counted():
    row = Spending(concluded_at=NOW, waited=timedelta(), took=timedelta(seconds=2), cost=0.5, steps=1, is_reused=True)

    assert (spent([row]).reused, spent([row]).total) == (1, 0.5)


@pytest.mark.parametrize(
    "drawn",
    [
        columns([], says="nothing"),
        columns([Column("a", 0.0)], says="zero"),
        columns([Column("<b>", 3.0), Column("b", 1e9)], says='says "<script>"'),
        spans([Span("a", 0.0, 0.0)], unit="s", says="x"),
        spans([Span("a", 1.0, 60.0), Span("b", 2.0, 2.0)], unit="s", says="x"),
        fan(a_forecast()),
        fan(a_forecast().model_copy(update={"p10": (5.0,), "p50": (5.0,), "p90": (5.0,), "start": None})),
        fan(a_forecast().model_copy(update={"p10": (0.0,) * 9, "p50": (0.0,) * 9, "p90": (0.0,) * 9})),
        share(0.0, of=0.0),
    ],
)
def test_every_picture_is_well_formed_says_what_it_shows_and_escapes(drawn):
    assert faults_of(as_page(drawn)) == []
    assert "<script>" not in drawn
    assert "nan" not in drawn


def affected(count, *, width=3):
    return [
        AffectedResource(
            resource=f"aws:sqs:queue-{n}",
            kind="aws.sqs.queue",
            path=("github:acme/shop", f"hub-{n % width}", f"aws:sqs:queue-{n}"),
            why="w",
        )
        for n in range(count)
    ]


def test_the_slice_is_a_picture_as_long_as_one_can_see_it_and_says_what_it_leaves_out():
    drawn = slice_of(affected(200))

    assert len(drawn.nodes) <= MAX_NODES
    assert drawn.left_out > 0
    assert {end for edge in drawn.edges for end in edge} <= {node.id for node in drawn.nodes}
    assert faults_of(as_page(picture(drawn))) == []


def test_nodes_of_the_slice_do_not_lie_on_each_other():
    drawn = slice_of(affected(12))
    places = [(node.column, node.row) for node in drawn.nodes]

    assert len(places) == len(set(places))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0.0 s"),
        (0.02, "under 0.1 s"),
        (0.44, "0.4 s"),
        (9.96, "10.0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_spans_of_time_read_as_people_say_them(seconds, said):
    assert words.span(seconds) == said


@pytest.mark.parametrize(("dollars", "said"), [(0, "$0"), (0.004, "under $0.01"), (0.42, "$0.42"), (1234.5, "$1,234.50")])
def test_money_reads_as_people_say_it(dollars, said):
    assert words.money(dollars) == said


@pytest.mark.parametrize(
    ("before", "said"),
    [(timedelta(seconds=-5), "just now"), (timedelta(seconds=50), "1 min ago"), (timedelta(hours=3), "3 h ago"), (timedelta(days=2), "2 d ago"),
     (timedelta(days=29), "1 Nov 2026")],
)  # fmt: skip
def test_the_past_reads_as_people_say_it(before, said):
    assert words.ago(NOW - before, NOW) == said


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a `b` c", "a <code>b</code> c"),
        ("<i>`<b>`", "&lt;i&gt;<code>&lt;b&gt;</code>"),
        ("one ` alone", "one ` alone"),
        ("``", "<code></code>"),
    ],
)
def test_code_in_prose_is_marked_and_everything_is_escaped(text, markup):
    assert words.inline_code(text) == markup


def test_the_log_is_one_line_an_event_whatever_a_stranger_writes(monkeypatch, capsys):
    before = logging.getLogger().handlers[:], logging.getLogger().level
    monkeypatch.setattr(sys, "stderr", sys.__stderr__)
    try:
        configure_logs()
        handler = logging.getLogger().handlers[0]
        record = logging.makeLogRecord(
            {
                "name": "gonogo.web",
                "levelname": "INFO",
                "levelno": 20,
                "msg": "request",
                "created": 0,
                "path": "/a b\nX: y",
                "status": 200,
                "ms": 1.26,
            }
        )
        line = handler.format(record)
    finally:
        logging.getLogger().handlers[:], level = before[0], before[1]
        logging.getLogger().setLevel(level)

    assert line == '1970-01-01T00:00:00.000Z info gonogo.web request path="/a b\\nX: y" status=200 ms=1.3'
