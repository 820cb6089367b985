"""Which forecaster answers, step by step, and for each series the one that did better on its past."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from forecasting.backtest import SeriesBacktest, Tested, forecast_and_backtest
from forecasting.builtin import Builtin
from forecasting.joint import Forecaster, ForecastRequest, JointForecast


@dataclass(frozen=True)
class Choice:
    """The forecasters to ask, best first, and what was decided on the way."""

    forecasters: tuple[Forecaster, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The joint forecast with its backtests, which model answered each series, and every step that led there."""

    tested: Tested
    models: tuple[str, ...]
    steps: tuple[str, ...]


def choose_forecaster(
    toto: Callable[[], Forecaster | None] | None = None, *, why_no_toto: str = "no weights are configured"
) -> Choice:
    """toto, then builtin. `toto` gives the backend or None; what it raises is a step of the record, never the end."""
    steps: list[str] = []
    found: list[Forecaster] = []
    if toto is None:
        steps.append(f"toto: not used, {why_no_toto}")
    else:
        try:
            backend = toto()
        except Exception as error:  # noqa: BLE001  whatever a backend does, the next one answers
            steps.append(f"toto: not used, {type(error).__name__}: {error}")
        else:
            steps.append("toto: ready" if backend is not None else f"toto: not used, {why_no_toto}")
            found += [backend] if backend is not None else []
    steps.append("builtin: ready")
    return Choice((*found, Builtin()), tuple(steps))


def forecast_jointly(request: ForecastRequest, choice: Choice, *, origins: int = 5) -> Answer | None:
    """The first forecaster that answers; a series on which a later one did better in the backtest takes that one's answer.

    None when none answers: then there is no forecast, and the steps of `why_none` say so.
    """
    steps = list(choice.steps)
    tested: list[tuple[str, Tested]] = []
    for forecaster in choice.forecasters:
        try:
            tested.append((forecaster.name, forecast_and_backtest(forecaster, request, origins=origins)))
        except Exception as error:  # noqa: BLE001  a backend that fails is a step of the record
            steps.append(f"{forecaster.name}: failed, {type(error).__name__}: {error}")
    if not tested:
        return None
    models, chosen = _per_series(request, tested, steps)
    return Answer(chosen, models, tuple(steps))


def _per_series(
    request: ForecastRequest, tested: Sequence[tuple[str, Tested]], steps: list[str]
) -> tuple[tuple[str, ...], Tested]:
    best: list[int] = []
    for row, name in enumerate(request.ids):
        at = min(range(len(tested)), key=lambda i: (_loss(tested[i][1], row), i))
        best.append(at)
        if at:
            steps.append(f"{name}: {tested[at][0]} instead of {tested[0][0]}, which it beat in the backtest")
    if len(tested) == 1 or not any(best):
        return tuple(tested[0][1].forecast.model for _ in request.ids), tested[0][1]
    backtests: tuple[SeriesBacktest, ...] = tuple(tested[at][1].backtests[row] for row, at in enumerate(best))
    first = tested[0][1]
    return (
        tuple(tested[at][1].forecast.model for at in best),
        Tested(
            forecast=_picked([t.forecast for _, t in tested], best),
            backtests=backtests,
            origins=first.origins,
            past=tuple(_picked([t.past[i] for _, t in tested], best) for i in range(len(first.origins))),
        ),
    )


def _loss(tested: Tested, row: int) -> float:
    """Infinite for a series without a forecast, so that whoever has one answers."""
    if not np.isfinite(tested.forecast.quantiles[row]).all():
        return np.inf
    crps = tested.backtests[row].crps
    return 0.0 if crps is None else crps


def _picked(answers: Sequence[JointForecast], best: Sequence[int]) -> JointForecast:
    quantiles = np.stack([answers[at].quantiles[row] for row, at in enumerate(best)])
    models = dict.fromkeys(answers[at].model for at in best)
    return replace(
        answers[0],
        model=" + ".join(models),
        quantiles=quantiles,
        diagnoses=tuple(answers[at].diagnoses[row] for row, at in enumerate(best)),
        paths=None,
    )
