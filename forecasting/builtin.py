"""The embedded default: simple forecasters, weighed by their own past on the series. numpy only, no download, deterministic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from forecasting.blend import Past, mixture, weights_of, widened, widening
from forecasting.components.analogue import analogues
from forecasting.components.history import History
from forecasting.components.recent import HALF_LIVES, recent
from forecasting.components.seasonal import last_season, same_phase, seasonal_difference, seasonal_ratio
from forecasting.joint import Capabilities, Diagnosis, ForecastRequest, JointForecast
from forecasting.quantiles import FINE, MIDPOINTS, Floats, at_levels, sample_quantiles
from forecasting.within import trimmed, within_bounds

MIN_POINTS = 8
FULL_POINTS = 64
"""Below this only the quantiles of the last readings are given."""
_ORIGINS = 7
"""Past instants, half a horizon apart, at which components are weighed."""
_FEWEST_ORIGINS = 2

type Component = Callable[[History, int, int], Floats | None]

COMPONENTS: dict[str, Component] = {
    "seasonal naive": last_season,
    "held value": lambda h, at, horizon: last_season(replace(h, period=1), at, horizon) if h.period > 1 else None,
    **{f"recent {half:g}": (lambda h, at, horizon, half=half: recent(h, at, horizon, half)) for half in HALF_LIVES},
    "same phase": lambda h, at, horizon: same_phase(h, at, horizon, period=h.period, width=max(1, h.period // 72), decay=0.85),
    "same phase of the week": lambda h, at, horizon: same_phase(
        h, at, horizon, period=7 * h.period if h.period >= 4 else 1, width=1, decay=0.9
    ),
    "seasonal difference": seasonal_difference,
    "seasonal ratio": seasonal_ratio,
    "analogues": analogues,
}
"""Chosen and weighed on whole groups of public series, none of them alone: see docs/decisions/0011."""


@dataclass
class _Series:
    """One series while it is forecast at one or more instants; what a component said at an instant is kept."""

    history: History
    first: int
    """Steps of the request before the first reading."""
    said: dict[tuple[int, int], dict[str, Floats]] = field(default_factory=dict[tuple[int, int], dict[str, Floats]])

    def components(self, at: int, horizon: int) -> dict[str, Floats]:
        """What every component says at that instant, `[horizon, level]` each."""
        found = self.said.get((at, horizon))
        if found is None:
            answers = {name: component(self.history, at, horizon) for name, component in COMPONENTS.items()}
            found = self.said[at, horizon] = {name: np.sort(a, axis=1) for name, a in answers.items() if a is not None}
        return found


class Builtin:
    """Implements `Forecaster`."""

    name = "builtin"
    version = "1"
    capabilities = Capabilities(max_series=16, max_context=100_000, max_horizon=10_000, min_points=MIN_POINTS)

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Quantiles of every series; each is weighed on its own, so one more series in the call changes none of the others."""
        return self.forecast_at(request, (request.values.shape[1],))[0]

    def forecast_at(self, request: ForecastRequest, origins: Sequence[int]) -> list[JointForecast]:
        """The forecast as it would have been made after each of these numbers of steps, work shared between them."""
        held = [_series_of(values, request.period or 1) for values in request.values]
        answers: list[JointForecast] = []
        for origin in origins:
            quantiles = np.full((len(request.ids), request.horizon, len(request.levels)), np.nan)
            diagnoses: list[Diagnosis] = []
            for row, series in enumerate(held):
                said, diagnosis = _forecast(series, origin, request)
                if said is not None:
                    quantiles[row], clipped = within_bounds(said, request, row)
                    diagnosis = replace(diagnosis, clipped_share=clipped)
                diagnoses.append(diagnosis)
            answers.append(JointForecast(f"{self.name} {self.version}", request.levels, quantiles, tuple(diagnoses)))
        return answers


def _series_of(values: Floats, period: int) -> _Series:
    read = trimmed(values)
    return _Series(History.of(read, period) if read.size else History(read, np.isfinite(read), period), values.size - read.size)


def _forecast(series: _Series, origin: int, request: ForecastRequest) -> tuple[Floats | None, Diagnosis]:
    at = origin - series.first
    observed = series.history.observed[: max(at, 0)]
    read = series.history.values[: max(at, 0)][observed]
    missing = float(1 - observed.mean()) if observed.size else 1.0
    if read.size < MIN_POINTS:
        return None, Diagnosis(used_context=max(at, 0), imputed_share=missing, refused="not enough data")
    if read.size < FULL_POINTS:
        row = sample_quantiles(read, MIDPOINTS)[None, :]
        said = at_levels(np.repeat(row, request.horizon, axis=0), MIDPOINTS, request.levels)
        return said, Diagnosis(at, missing, warnings=(f"{read.size} readings: the range of the last ones only",))
    if read.min() == read.max():
        said = np.full((request.horizon, len(request.levels)), read[0])
        return said, Diagnosis(at, missing, warnings=("constant",))
    said = _blended(series, at, request)
    return said, Diagnosis(at, missing, warnings=_warnings(series, at))


def _blended(series: _Series, at: int, request: ForecastRequest) -> Floats:
    horizon = request.horizon
    now = series.components(at, horizon)
    past = _past(series, at, horizon, tuple(now))
    said = np.stack(list(now.values()))
    weights = weights_of(past)
    band = mixture(said, weights, FINE)
    return at_levels(widened(band, band[:, FINE.index(0.5)], widening(past, weights)), FINE, request.levels)


def _past(series: _Series, at: int, horizon: int, names: tuple[str, ...]) -> Past:
    """The same components at past instants whose horizon has come.

    Only instants at which all of them had enough history count; when there are fewer than two, one that was silent is given
    what seasonal naive said.
    """
    stride = max(1, horizon // 2)
    origins = [o for o in (at - horizon - i * stride for i in range(_ORIGINS)) if o >= FULL_POINTS]
    whole = [o for o in origins if all(name in series.components(o, horizon) for name in names)]
    origins = whole if len(whole) >= _FEWEST_ORIGINS else origins
    said = np.empty((len(origins), len(names), horizon, len(MIDPOINTS)))
    actual = np.empty((len(origins), horizon))
    for row, origin in enumerate(origins):
        answers = series.components(origin, horizon)
        stand_in = answers["seasonal naive"]
        for column, name in enumerate(names):
            said[row, column] = answers.get(name, stand_in)
        part = slice(origin, origin + horizon)
        actual[row] = np.where(series.history.observed[part], series.history.values[part], np.nan)
    return Past(said, actual)


def _warnings(series: _Series, at: int) -> tuple[str, ...]:
    period = series.history.period
    if period < 4 or at < 2 * period:
        return ("no daily pattern available",)
    return ()
