"""`forecast`: the coming day of a series, with its own backtest."""

from pydantic import Field

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool


class Forecast(Arguments):
    """Of which series."""

    resource: str
    metric: str
    horizon_s: int = Field(default=86_400, gt=0, description="forecasts of an evaluation reach one day")
    what_if: dict[str, float] = Field(default_factory=dict, description="not answered during an evaluation")


def _run(arguments: Forecast, desk: Desk) -> Answer:
    query = f"forecast of {arguments.metric} of {arguments.resource} for the coming day"
    found = desk.facts.forecast(arguments.resource, arguments.metric)
    if found is None or found.peak is None:
        there = ", ".join(sorted(s.metric for s in desk.facts.series(arguments.resource))) or "none"
        return Answer(query, "forecaster", where=f"series of at least 64 readings; {arguments.resource} has {there}")
    peak, test = found.peak, found.backtest
    lines = [
        found.statement,
        f"highest value within {found.horizon_s} s: p10 {peak.p10:.6g}, p50 {peak.p50:.6g}, p90 {peak.p90:.6g} {found.unit}",
        f"backtest: MASE {test.mase:.3g}, coverage {test.coverage:.3g}, {test.windows} windows",
    ]
    if found.objections:
        lines = [f"not predictable, so it may not be cited: {'; '.join(found.objections)}"]
    cut = "what_if and other horizons are answered by the command `gonogo forecast`, not here" if arguments.what_if or arguments.horizon_s != found.horizon_s else ""  # fmt: skip
    return Answer(query, found.model or "forecaster", f"{found.horizon_s} s ahead", [line for line in lines if line], cut=cut)


TOOL = Tool("forecast", "Joint quantile forecast of a metric for the coming day: its peak, and how it did on its own past.", Forecast, _run)  # fmt: skip
