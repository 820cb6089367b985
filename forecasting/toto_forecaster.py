"""Toto 2.0 as a forecaster: the duties that the bare model leaves to its caller, around either runtime of the same weights.

The order is fixed: refuse what cannot be asked → prepare each series (`toto_input`) → one single pass over all series, each
attending to its group → undo the scaling in float64 → check that every number is finite → levels, sort, clip to bounds.
Block decoding is never used: it feeds back medians, which narrows the band, and shares state between calls.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forecasting.joint import DECILES, Capabilities, Diagnosis, ForecastRequest, JointForecast, SeriesKind
from forecasting.quantiles import at_levels
from forecasting.toto_input import MAX_CONTEXT, MIN_POINTS, PreparedSeries, batch, prepare
from forecasting.within import within_bounds
from gonogo.errors import ForecastUnavailable

MANY_CLIPPED = 0.05
"""Share of a band outside the bounds above which a reader is told."""

type Doubles = NDArray[np.float64]


class TotoNetwork(Protocol):
    """One runtime of the weights."""

    @property
    def runtime(self) -> str:
        """`numpy` or `torch`, with the version that matters."""
        ...

    def quantiles(
        self, target: NDArray[np.float32], mask: NDArray[np.bool_], groups: NDArray[np.int64], horizon: int
    ) -> NDArray[np.float32]:
        """`[9, series, horizon]` of p10 to p90 for `[series, time]`; `mask` is True where there was a reading."""
        ...


@dataclass(frozen=True)
class TotoForecaster:
    """Forecasts with Toto 2.0. Pure and deterministic; threads may share it. It takes no covariates: no released weights were
    trained for them.
    """

    network: TotoNetwork
    version: str
    """Model, runtime, hash of the weights and of their configuration."""
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The backend's name."""
        return "toto"

    @property
    def capabilities(self) -> Capabilities:
        """Up to 16 related series at once; marginal quantiles only."""
        return Capabilities(max_context=MAX_CONTEXT, min_points=MIN_POINTS, joint=True, paths=False, notes=self.notes)

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Forecast every series; ForecastUnavailable when the request as a whole cannot be answered."""
        check_request(request, self.capabilities)
        prepared = [_prepared(request, index) for index in range(len(request.ids))]
        asked = [index for index, series in enumerate(prepared) if series.refused is None and series.constant is None]
        bands = np.full((len(prepared), request.horizon, len(DECILES)), np.nan)
        if asked:
            target, observed = batch([prepared[index] for index in asked])
            groups = np.array([request.groups[index] if request.groups else 0 for index in asked], np.int64)
            answer = self.network.quantiles(target, observed, groups, request.horizon)
            for row, index in enumerate(asked):
                series = prepared[index]
                bands[index] = (answer[:, row].T.astype(np.float64) * series.scale + series.centre) * series.unit
        return _answer(request, prepared, bands, self.version)


def check_request(request: ForecastRequest, capabilities: Capabilities) -> None:
    """ForecastUnavailable says by name what a backend with these capabilities cannot take."""
    series = len(request.ids)
    wrong = None
    if request.values.ndim != 2 or request.values.shape[0] != series:
        wrong = f"values have shape {list(request.values.shape)} for {series} ids"
    elif series > capabilities.max_series:
        wrong = f"{series} series in one call, at most {capabilities.max_series} are taken"
    elif not 1 <= request.horizon <= capabilities.max_horizon:
        wrong = f"a horizon of {request.horizon} steps, 1 to {capabilities.max_horizon} are taken"
    elif (
        not request.levels or not all(0 < level < 1 for level in request.levels) or list(request.levels) != sorted(request.levels)
    ):
        wrong = "levels must grow and lie between 0 and 1"
    else:
        for name, per_series in (("groups", request.groups), ("bounds", request.bounds), ("kinds", request.kinds)):
            if per_series and len(per_series) != series:
                wrong = f"{len(per_series)} {name} for {series} series"
    if wrong:
        raise ForecastUnavailable(wrong, "ask for less, or in parts")


def _prepared(request: ForecastRequest, index: int) -> PreparedSeries:
    series = prepare(np.asarray(request.values[index], np.float64))
    if request.kinds and request.kinds[index] is SeriesKind.COUNTER and series.refused is None:
        return replace(series, refused="a counter has no forecast of its own; make it a rate first")
    return series


def _answer(request: ForecastRequest, prepared: Sequence[PreparedSeries], bands: Doubles, version: str) -> JointForecast:
    quantiles = np.full((len(prepared), request.horizon, len(request.levels)), np.nan)
    diagnoses: list[Diagnosis] = []
    for index, series in enumerate(prepared):
        refused, clipped, warnings = series.refused, 0.0, list(series.warnings)
        if refused is None:
            band = bands[index] if series.constant is None else np.full_like(bands[index], series.constant)
            with np.errstate(over="ignore", invalid="ignore"):
                at = at_levels(np.sort(band, axis=1), DECILES, request.levels)
            if np.isfinite(at).all():
                quantiles[index], clipped = within_bounds(at, request, index)
            else:
                refused = "the model's answer is not finite"
        if clipped > MANY_CLIPPED:
            warnings.append(f"{clipped:.0%} of the band lay outside the bounds and was clipped")
        diagnoses.append(Diagnosis(series.used_context, series.imputed_share, clipped, refused, tuple(warnings)))
    return JointForecast(version, tuple(request.levels), quantiles, tuple(diagnoses))
