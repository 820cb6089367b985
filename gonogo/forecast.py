"""A forecast and the proof that it may be believed."""

from gonogo.word import Instant, ResourceId, Word


class Backtest(Word):
    """How the forecaster did on this series' own past: scaled error, and how often p10..p90 held.

    `crps_ratio` is the CRPS over seasonal naive's in the same windows, below 1 is better; `windows` past windows reach back
    `span_s` seconds.
    """

    mase: float
    coverage: float
    crps_ratio: float | None = None
    windows: int = 0
    span_s: float = 0


class Peak(Word):
    """The highest value within the horizon, from whole paths: never the largest of the quantiles of single steps."""

    p10: float
    p50: float
    p90: float


class Forecast(Word):
    """Quantiles on the grid of the series; p10 ≤ p50 ≤ p90 at every point.

    `objections` say why it may not be cited; empty when it may. `statement` is the sentence with number, horizon and backtest.
    """

    resource: ResourceId
    metric: str
    step_s: float
    horizon_s: int
    p10: tuple[float, ...]
    p50: tuple[float, ...]
    p90: tuple[float, ...]
    backtest: Backtest
    unit: str = ""
    start: Instant | None = None
    peak: Peak | None = None
    model: str = ""
    statement: str = ""
    objections: tuple[str, ...] = ()
