"""A forecast and the proof that it may be believed."""

from gonogo.word import ResourceId, Word


class Backtest(Word):
    """How the forecaster did on this series' own past: scaled error, and how often p10..p90 held."""

    mase: float
    coverage: float


class Forecast(Word):
    """Quantiles on the grid of the series; p10 ≤ p50 ≤ p90 at every point."""

    resource: ResourceId
    metric: str
    step_s: float
    horizon_s: int
    p10: tuple[float, ...]
    p50: tuple[float, ...]
    p90: tuple[float, ...]
    backtest: Backtest
