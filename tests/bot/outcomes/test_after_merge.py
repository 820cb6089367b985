"""Whether a verdict was right, from what the metrics did after the deployment."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.outcomes.after_merge import Aftermath, aftermath
from gonogo.context import Alarm, Series
from gonogo.forecast import Backtest, Forecast
from gonogo.word import ResourceId

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUEUE = ResourceId("queue")


def a_forecast(*, objections: tuple[str, ...] = ()) -> Forecast:
    """100 a minute from noon on, between 80 and 120."""
    flat = {"p10": (80.0,) * 120, "p50": (100.0,) * 120, "p90": (120.0,) * 120}
    backtest = Backtest(mase=0.8, coverage=0.8)
    return Forecast(
        resource=QUEUE, metric="depth", step_s=60, horizon_s=7200, start=NOON, backtest=backtest, objections=objections, **flat
    )


def a_series(*values: float | None, start: datetime = NOON) -> Series:
    return Series(resource=QUEUE, metric="depth", unit="1", start=start, step_s=60, values=values)


def after(
    *values: float | None,
    is_go: bool = True,
    alarms: tuple[Alarm, ...] = (),
    forecast: Forecast | None = None,
    start: datetime = NOON,
) -> Aftermath:
    return aftermath(
        is_go=is_go,
        forecasts=[forecast or a_forecast()],
        series=[a_series(*values, start=start)],
        alarms=alarms,
        since=NOON,
        until=NOON + timedelta(hours=1),
    )


@pytest.mark.parametrize(("values", "is_go", "was_right"), [
    ((95, 105, 110, 99), True, True),
    ((300, 320, 310, 305), True, False),
    ((300, 320, 310, 305), False, True),
    ((95, 105, 110, 99), False, False),
    ((1, 2, 1, 3), True, False),
    ((130, 99, 100, 101, 102), True, True),
])  # fmt: skip
def test_a_go_is_right_when_nothing_departs_and_a_no_go_when_something_does(
    values: tuple[float, ...], is_go: bool, was_right: bool
) -> None:
    assert after(*values, is_go=is_go).was_right is was_right


def test_an_alarm_that_began_after_the_deployment_decides_too() -> None:
    rang = Alarm(since=NOON + timedelta(minutes=5), resource=QUEUE, name="depth high", state="ALARM")
    old = rang.model_copy(update={"since": NOON - timedelta(days=1)})

    assert after(100, 100, 100, alarms=(rang,)).was_right is False
    assert after(100, 100, 100, alarms=(old,)).was_right is True


def test_what_was_compared_is_kept_with_its_numbers() -> None:
    (depth,) = after(300, 100, None, 300).compared

    assert (depth.readings, depth.above, depth.below, depth.forecast_mean) == (3, 2, 0, 100)
    assert depth.observed_mean == pytest.approx(233.33, abs=0.01)


@pytest.mark.parametrize("told", [
    after(),
    after(None, None, None),
    after(300, 300),
    after(300, 300, 300, start=NOON - timedelta(days=1)),
    after(300, 300, 300, forecast=a_forecast(objections=("too short",))),
])  # fmt: skip
def test_too_little_to_compare_says_nothing(told: Aftermath) -> None:
    assert told.was_right is None
