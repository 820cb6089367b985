"""Forecasts for an evaluation: made together when a playbook first asks, recorded, and cited by what they were."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from gonogo.context import Gap, ProductionContext, Series
from gonogo.errors import StageFailed
from gonogo.forecast import Forecast
from gonogo.resource import AffectedResource

if TYPE_CHECKING:
    from forecasting.forecaster import Choice

HORIZON = timedelta(days=1)
MOST_SERIES = 16
_FEWEST_READINGS = 64
_USEFUL = (
    "cpu", "memory", "connection", "concurren", "request", "invocation", "message", "queue", "backlog", "lag", "depth", "duration", "latency",
    "throughput", "capacity", "records", "replica", "busy", "threads", "storage", "rate", "count",
)  # fmt: skip


class LazyForesight:
    """Implements `gonogo.ports.Foresight`. Until the first question nothing of the forecasters is loaded.

    One joint call forecasts what was asked for first with the useful series of the nearest affected resources beside it.
    A forecaster that fails is a gap; the evaluation goes on without.
    """

    def __init__(
        self, production: ProductionContext, affected: Sequence[AffectedResource], choose: "Callable[[], Choice] | None" = None
    ) -> None:
        self._production = production
        self._order = {a.resource: at for at, a in enumerate(affected)}
        self._choose = choose
        self._made: dict[tuple[str, str], Forecast | None] = {}
        self._loaded = False
        self.gaps: list[Gap] = []
        self.steps: tuple[str, ...] = ()

    def of(self, resource: str, metric: str) -> Forecast | None:
        """The recorded forecast of that series for the coming day."""
        if (resource, metric) not in self._made:
            wanted = next((s for s in self._production.series_of(resource, metric) if _is_long_enough(s)), None)
            if wanted is None:
                self._made[resource, metric] = None
            else:
                self._forecast([wanted, *([] if self._loaded else self._beside(wanted))])
        return self._made.get((resource, metric))

    def was_asked(self, resource: str, metric: str) -> bool:
        """Whether the answer for that series is known without forecasting anything."""
        return (resource, metric) in self._made

    @property
    def forecasts(self) -> tuple[Forecast, ...]:
        """Everything that was forecast, in the order of the affected resources."""
        made = [f for f in self._made.values() if f is not None]
        return tuple(sorted(made, key=lambda f: (self._order.get(f.resource, len(self._order)), f.metric)))

    def _beside(self, wanted: Series) -> list[Series]:
        """Useful series of the nearest affected resources, the wanted one's own resource first."""
        found = [
            s
            for s in self._production.series
            if s is not wanted
            and s.resource in self._order
            and s.step_s == wanted.step_s
            and _is_long_enough(s)
            and _is_useful(s)
        ]
        found.sort(key=lambda s: (s.resource != wanted.resource, self._order[s.resource], s.metric))
        return found[: MOST_SERIES - 1]

    def _forecast(self, series: Sequence[Series]) -> None:
        from forecasting.forecaster import choose_forecaster  # noqa: PLC0415  numpy is loaded for a change that needs a forecast
        from forecasting.outlook import look_ahead  # noqa: PLC0415

        self._loaded = True
        for one in series:
            self._made.setdefault((one.resource, one.metric), None)
        try:
            choice = self._choose() if self._choose is not None else choose_forecaster()
            outlook = look_ahead(series, horizon=HORIZON, choice=choice)
        except Exception as error:  # noqa: BLE001  whatever a forecaster does, the evaluation goes on without it
            self._missing(f"{type(error).__name__}: {error}")
            return
        if outlook is None:
            self._missing("; ".join(choice.steps))
            return
        self.steps = outlook.answer.steps
        for one, forecast in zip(series, outlook.forecasts, strict=False):
            self._made[one.resource, one.metric] = forecast

    def _missing(self, why: str) -> None:
        self.gaps.append(Gap(stage="forecast", what="the coming day", why=why))


class MadeForesight:
    """Implements `gonogo.ports.Foresight` from what another has forecast already; a question that it was not asked raises."""

    def __init__(self, made: LazyForesight) -> None:
        self._made = made
        self.gaps: list[Gap] = []

    @property
    def forecasts(self) -> tuple[Forecast, ...]:
        """As they were made."""
        return self._made.forecasts

    def of(self, resource: str, metric: str) -> Forecast | None:
        """The forecast of that series, or None where there was none to make."""
        if not self._made.was_asked(resource, metric):
            raise StageFailed("forecast", f"{metric} of {resource} was not forecast for this change")
        return self._made.of(resource, metric)


def _is_long_enough(series: Series) -> bool:
    return sum(v is not None for v in series.values) >= _FEWEST_READINGS


def _is_useful(series: Series) -> bool:
    name = series.metric.lower()
    return any(word in name for word in _USEFUL) and len(set(series.values)) > 1
