"""What a forecaster is asked, and what it answers: up to sixteen series that move together, in one call."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

DECILES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class SeriesKind(StrEnum):
    """What the numbers of a series are. A counter is turned into a rate before it reaches a forecaster."""

    GAUGE = "gauge"
    RATE = "rate"
    COUNTER = "counter"
    RATIO = "ratio"


@dataclass(frozen=True)
class Bounds:
    """Values outside are impossible: 0, a capacity, 100 %. None is no bound."""

    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class ForecastRequest:
    """One joint question.

    `values` is `[series, time]` in float64, oldest first, NaN where there was no reading; `values[:, i]` was read at
    `start + i * step_s` (UTC). `groups[i]` is the attention group of series i: series of one group are forecast together.
    `period` is the number of steps of the main season (a day as a rule), None when there is none.
    """

    ids: tuple[str, ...]
    values: NDArray[np.float64]
    step_s: float
    start: datetime
    horizon: int
    levels: tuple[float, ...] = DECILES
    groups: tuple[int, ...] = ()
    bounds: tuple[Bounds, ...] = ()
    kinds: tuple[SeriesKind, ...] = ()
    period: int | None = None


@dataclass(frozen=True)
class Diagnosis:
    """How one series was treated: what a reader must know before believing its band."""

    used_context: int
    imputed_share: float = 0.0
    clipped_share: float = 0.0
    refused: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class JointForecast:
    """The answer.

    `quantiles` is `[series, horizon, level]`, sorted along levels, finite and within bounds; a refused series is NaN throughout
    and its diagnosis says why. `paths` is `[sample, series, horizon]`, or None when the backend has only marginals.
    """

    model: str
    levels: tuple[float, ...]
    quantiles: NDArray[np.float64]
    diagnoses: tuple[Diagnosis, ...]
    paths: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Capabilities:
    """What a backend can take; a request beyond it is refused by name, never cut in silence."""

    max_series: int = 16
    max_context: int = 4096
    max_horizon: int = 1000
    min_points: int = 8
    joint: bool = False
    paths: bool = False
    notes: Sequence[str] = field(default_factory=tuple)


class Forecaster(Protocol):
    """Pure and deterministic: the same request gives the same answer; no I/O, no clock."""

    @property
    def name(self) -> str:
        """`builtin`, `toto` or `remote`."""
        ...

    @property
    def version(self) -> str:
        """Version of the model, with the hash of its weights where it has any."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can take."""
        ...

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Forecast every series of the request."""
        ...
