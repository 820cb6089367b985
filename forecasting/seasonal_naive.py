"""The baseline that every forecast is held against: the last season again, with the quantiles of its own errors."""

import numpy as np

from forecasting.components.history import History
from forecasting.components.seasonal import last_season
from forecasting.joint import Capabilities, Diagnosis, ForecastRequest, JointForecast
from forecasting.quantiles import MIDPOINTS, at_levels
from forecasting.within import trimmed, within_bounds


class SeasonalNaive:
    """Implements `Forecaster`. Without a period the last value is held, with the errors of that many steps."""

    name = "seasonal-naive"
    version = "1"
    capabilities = Capabilities(max_series=10_000, min_points=2)

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Quantiles of every series on its own; one with fewer than two readings is refused."""
        answer = np.full((len(request.ids), request.horizon, len(request.levels)), np.nan)
        diagnoses: list[Diagnosis] = []
        for row, values in enumerate(request.values):
            read = trimmed(values)
            if np.isfinite(read).sum() < 2:
                diagnoses.append(Diagnosis(used_context=read.size, refused="not enough data"))
                continue
            history = History.of(read, request.period or 1)
            said = at_levels(last_season(history, read.size, request.horizon), MIDPOINTS, request.levels)
            answer[row], clipped = within_bounds(said, request, row)
            diagnoses.append(
                Diagnosis(used_context=read.size, imputed_share=float(1 - history.observed.mean()), clipped_share=clipped)
            )
        return JointForecast(f"{self.name} {self.version}", request.levels, answer, tuple(diagnoses))
