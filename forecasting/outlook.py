"""Series of related resources, looked ahead together: from what a source read to recorded forecasts with their backtests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from forecasting.backtest import SeriesBacktest
from forecasting.forecaster import Answer, Choice, forecast_jointly
from forecasting.joint import Bounds
from forecasting.paths import sample_paths
from forecasting.prepare import DAY_S, Prepared, prepare
from forecasting.quantiles import Floats, sample_quantiles
from forecasting.statements import named_oddities, objections_to, range_statement, refusal_statement
from gonogo.context import Series
from gonogo.forecast import Backtest, Forecast, Peak

MOST_SERIES = 16


@dataclass(frozen=True)
class Outlook:
    """`paths` `[path, series, horizon]`; `forecasts[i]` is None for a series that has none, with the reason in `objections[i]`."""

    prepared: Prepared
    answer: Answer
    paths: Floats
    forecasts: tuple[Forecast | None, ...]
    objections: tuple[tuple[str, ...], ...]

    def statement(self, row: int, what: str, unit: str) -> str:
        """What is said of this series when no limit is asked about."""
        found = self.forecasts[row]
        named = named_oddities(self.prepared.qualities[row].notes)
        if found is not None and not self.objections[row]:
            return found.statement + named
        steps = round(DAY_S / self.prepared.request.step_s)
        return refusal_statement(what, self.prepared.request.values[row, -steps:], self.objections[row], unit=unit) + named


def look_ahead(
    series: Sequence[Series], *, horizon: timedelta, choice: Choice, bounds: Sequence[Bounds] = (), origins: int = 5
) -> Outlook | None:
    """Forecast up to 16 series in one call and test each on its past. None when no forecaster answers."""
    prepared = prepare(series[:MOST_SERIES], horizon=horizon, bounds=bounds)
    answer = forecast_jointly(prepared.request, choice, origins=origins)
    if answer is None:
        return None
    tested = answer.tested
    paths = sample_paths(prepared.request, tested.forecast)
    objections = tuple(
        (
            *objections_to(quality, backtest),
            *((refused,) if (refused := diagnosis.refused) and refused not in quality.objections else ()),
        )
        for quality, backtest, diagnosis in zip(prepared.qualities, tested.backtests, tested.forecast.diagnoses, strict=True)
    )
    forecasts = tuple(
        _recorded(one, row, prepared, answer, paths[:, row], objections[row]) for row, one in enumerate(series[:MOST_SERIES])
    )
    return Outlook(prepared, answer, paths, forecasts, objections)


def _recorded(
    series: Series, row: int, prepared: Prepared, answer: Answer, paths: Floats, objections: tuple[str, ...]
) -> Forecast | None:
    request, tested = prepared.request, answer.tested
    band = tested.forecast.quantiles[row]
    if not np.isfinite(band).all():
        return None
    low, middle, high = (band[:, int(np.argmin(np.abs(np.asarray(request.levels) - level)))] for level in (0.1, 0.5, 0.9))
    digits = _digits(prepared.request.values[row])
    peak = sample_quantiles(paths.max(axis=1), (0.1, 0.5, 0.9))
    horizon_s = request.horizon * request.step_s
    backtest = tested.backtests[row]
    what = f"{series.metric} of {series.resource}"
    said = range_statement(what, np.stack([low, middle, high], axis=1), horizon_s=horizon_s, unit=series.unit, backtest=backtest)
    return Forecast(
        resource=series.resource,
        metric=series.metric,
        unit=series.unit,
        start=prepared.now,
        step_s=request.step_s,
        horizon_s=round(horizon_s),
        p10=_rounded(low, digits),
        p50=_rounded(middle, digits),
        p90=_rounded(high, digits),
        peak=Peak(p10=_six(peak[0], digits), p50=_six(peak[1], digits), p90=_six(peak[2], digits)),
        backtest=_scores(backtest),
        model=answer.models[row],
        statement=said,
        objections=objections,
    )


def _scores(found: SeriesBacktest) -> Backtest:
    """A series without a past window has no error and no coverage to show: both count as the worst."""
    return Backtest(
        mase=_six(found.mase) if found.mase is not None else 0.0,
        coverage=_six(found.coverage) if found.coverage is not None else 0.0,
        crps_ratio=_six(found.crps_ratio) if found.crps_ratio is not None else None,
        windows=found.windows,
        span_s=found.span_s,
    )


def _rounded(values: Floats, digits: int) -> tuple[float, ...]:
    return tuple(_six(v, digits) for v in values)


def _digits(row: Floats) -> int:
    """Six, and more where the level is so far above the spread that six would leave nothing of it."""
    known = row[np.isfinite(row)]
    spread = float(np.ptp(known)) if known.size else 0.0
    level = float(np.abs(known).max()) if known.size else 0.0
    return 6 if spread <= 0 or level <= 1e3 * spread else min(15, 4 + int(np.ceil(np.log10(level) - np.log10(spread))))


def _six(value: float, digits: int = 6) -> float:
    """Six digits as a rule: what a report shows, and the same number on every machine."""
    return float(f"{value:.{digits}g}")
