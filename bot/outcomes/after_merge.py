"""After the deployment: what the metrics did, beside what was forecast for them, and whether the verdict was right."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from gonogo.context import Alarm, Series
from gonogo.forecast import Forecast
from gonogo.record import Record
from gonogo.word import Json

LEAST_READINGS = 3
"""Fewer decide nothing."""
DEPARTED_FROM = 0.5
"""Share of readings outside of p10 to p90 from which on a metric departed from its forecast; a fifth is outside by definition."""


class Compared(Record):
    """One metric: its readings since the deployment against the band that was forecast for the same instants."""

    resource: str
    metric: str
    readings: int
    above: int
    below: int
    forecast_mean: float
    observed_mean: float

    @property
    def has_departed(self) -> bool:
        """Whether it is outside of its band too often for chance."""
        return self.readings >= LEAST_READINGS and max(self.above, self.below) / self.readings >= DEPARTED_FROM

    def to_json(self) -> dict[str, Json]:
        """For the store."""
        return {
            "resource": self.resource,
            "metric": self.metric,
            "readings": self.readings,
            "above": self.above,
            "below": self.below,
            "forecast_mean": self.forecast_mean,
            "observed_mean": self.observed_mean,
            "has_departed": self.has_departed,
        }


class Aftermath(Record):
    """`was_right` is None when there was nothing to compare."""

    compared: tuple[Compared, ...]
    alarms: tuple[str, ...]
    was_right: bool | None

    def to_json(self) -> dict[str, Json]:
        """For the store."""
        return {"metrics": [one.to_json() for one in self.compared], "alarms": list(self.alarms)}


def aftermath(
    *,
    is_go: bool,
    forecasts: Sequence[Forecast],
    series: Sequence[Series],
    alarms: Sequence[Alarm],
    since: datetime,
    until: datetime,
) -> Aftermath:
    """A go was right when nothing departed and no alarm began; a no-go that was merged all the same, when something did."""
    compared = tuple(_compared(forecasts, series, since=since, until=until))
    began = tuple(f"{a.name} on {a.resource}" for a in alarms if since <= a.since <= until)
    if not began and not any(one.readings >= LEAST_READINGS for one in compared):
        return Aftermath(compared=compared, alarms=began, was_right=None)
    has_hurt = bool(began) or any(one.has_departed for one in compared)
    return Aftermath(compared=compared, alarms=began, was_right=has_hurt != is_go)


def _compared(forecasts: Sequence[Forecast], series: Sequence[Series], *, since: datetime, until: datetime) -> Iterator[Compared]:
    by_name = {(s.resource, s.metric): s for s in series}
    for forecast in forecasts:
        observed = by_name.get((forecast.resource, forecast.metric))
        if observed is None or forecast.start is None or forecast.objections:
            continue
        pairs = [
            (at, value)
            for index, value in enumerate(observed.values)
            if value is not None
            and since <= (moment := observed.start + timedelta(seconds=index * observed.step_s)) <= until
            and (at := _step(forecast, moment)) is not None
        ]
        if pairs:
            yield Compared(
                resource=forecast.resource,
                metric=forecast.metric,
                readings=len(pairs),
                above=sum(value > forecast.p90[at] for at, value in pairs),
                below=sum(value < forecast.p10[at] for at, value in pairs),
                forecast_mean=sum(forecast.p50[at] for at, _ in pairs) / len(pairs),
                observed_mean=sum(value for _, value in pairs) / len(pairs),
            )


def _step(forecast: Forecast, moment: datetime) -> int | None:
    """The forecast's step that holds that instant; None outside of its horizon."""
    assert forecast.start is not None
    at = int((moment - forecast.start).total_seconds() // forecast.step_s)
    return at if 0 <= at < len(forecast.p50) and moment >= forecast.start else None
