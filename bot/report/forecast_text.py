"""A forecast in a line: its course as blocks, its band and its own backtest in words."""

from datetime import timedelta

from bot.report.evidence_text import short
from bot.report.neutral import code, prose
from bot.report.numbers import number_text
from bot.report.sparkline import sparkline
from gonogo.forecast import Forecast


def forecast_line(forecast: Forecast) -> str:
    """In GitHub markdown. The sparkline is p50; the numbers are p10 at the lowest and p90 at the highest."""
    unit = "" if forecast.unit == "Count" else forecast.unit
    hours = timedelta(seconds=forecast.horizon_s).total_seconds() / 3600
    what = f"{code(forecast.metric)} of {prose(short(forecast.resource))}"
    drawn = sparkline(forecast.p50)
    band = ""
    if forecast.p10 and forecast.p90:
        low, high = number_text(min(forecast.p10), unit), number_text(max(forecast.p90), unit)
        band = (
            f"{number_text(forecast.p50[0], unit)} now, {number_text(max(forecast.p50), unit)} at its highest (p50), "
            if drawn
            else ""
        )
        band += f"between {low} and {high} (p10 to p90) within {hours:.3g} hours"
    backtest = forecast.backtest
    held = f"backtest: scaled error {backtest.mase:.2g} (MASE), the band held {backtest.coverage:.0%} of past points"
    objections = f"; not used as evidence: {'; '.join(forecast.objections)}" if forecast.objections else ""
    return f"{what} {f'`{drawn}`' if drawn else ''} {prose(f'{band}; {held}{objections}.')}".replace("  ", " ")
