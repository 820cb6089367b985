"""What the coming day holds for a limit: the recorded forecast of a series, beside the peak of the window."""

from bot.investigator.asking import Reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from gonogo.evidence import ForecastEvidence, MetricEvidence
from gonogo.forecast import Forecast
from gonogo.record import Record
from gonogo.trajectory import Link, Role

NEARLY = 0.85
"""Below this share of a limit there is room."""


class Foreseen(Record):
    """The highest value of the coming day in the unit of a reading: half of the paths stay below `p50`, nine of ten below `p90`."""

    p50: float
    p90: float
    mean: float
    """Of the medians of the day's steps."""
    cited: ForecastEvidence
    """The median, as it was recorded."""
    cited_high: ForecastEvidence
    clause: str
    """Horizon and backtest, for the sentence with the number."""


def foreseen(case: Case, reading: Reading | None, *, factor: float = 1.0) -> Foreseen | None:
    """The forecast of the series that a reading comes from, `factor` times; None where none may be cited.

    `reading.value` over the metric's own value is the change of unit, so it holds for the forecast as well.
    """
    if case.foresight is None or reading is None or not isinstance(reading.evidence, MetricEvidence):
        return None
    cited = reading.evidence
    case.asked.append(f"forecast of {cited.metric} of {cited.resource} for the coming day")
    found = case.foresight.of(cited.resource, cited.metric)
    if found is None or found.objections or found.peak is None or not cited.value:
        return None
    unit = reading.value / cited.value * factor
    if unit <= 0:
        return None
    return Foreseen(
        p50=found.peak.p50 * unit,
        p90=found.peak.p90 * unit,
        mean=sum(found.p50) / len(found.p50) * unit,
        cited=_evidence(found, "p50", found.peak.p50),
        cited_high=_evidence(found, "p90", found.peak.p90),
        clause=_clause(found),
    )


def with_the_coming_day(
    case: Case, link: Link, peak: Reading | None, *, observed: float, limit: float, unit: str, question: str, query: str
) -> Link:
    """A link that holds the peak of the window against a limit, held against the forecast of the coming day as well.

    `observed` is what `peak` comes to. The forecast carries the finding when half of its paths reach the limit, leaves it
    open when one in ten does, and refutes it when the window's peak was too near to tell and nine in ten stay below. A
    peak over the limit stands, unless it lies days back and what is left is well below: then whether it comes back is open.
    """
    if peak is None or not peak.value or limit <= 0:
        return link
    known = foreseen(case, peak, factor=observed / peak.value)
    if known is None:
        return link
    shown = f"{known.p50:,.3g} {unit}".rstrip()
    if observed >= limit:
        if known.p90 < NEARLY * limit and _lies_back(case, peak, observed, limit):
            claim = f"{link.claim}; that lies days back, and the forecast stays below {known.p90:,.3g} {unit} {known.clause}"
            return unknown(Role.HARM, claim, f"{question} Does that peak come back?", query, *link.evidence, known.cited_high)
        return link
    if known.p50 >= limit:
        claim = f"{link.claim}; the forecast of its peak is {shown} of {limit:,.4g} {known.clause}"
        return harm(claim, *link.evidence, known.cited, comparison=compare(round(known.p50, 6), ">=", round(limit, 6), unit))
    if known.p90 >= limit:
        claim = f"{link.claim}; the forecast of its peak is {shown}, and one time in ten {known.p90:,.3g} or more, {known.clause}"
        return unknown(Role.HARM, claim, question, query, *link.evidence, known.cited_high)
    if observed >= NEARLY * limit:
        claim = f"{link.claim}; nine times in ten the coming peak stays below {known.p90:,.3g} {unit} {known.clause}"
        return harm(claim, *link.evidence, known.cited_high, comparison=compare(round(known.p90, 6), ">=", round(limit, 6), unit))
    return link


def _lies_back(case: Case, peak: Reading, observed: float, limit: float) -> bool:
    """Whether every reading of the window that comes to the limit is older than two days."""
    cited = peak.evidence
    if not isinstance(cited, MetricEvidence):
        return False
    series = next(iter(case.production.series_of(cited.resource, cited.metric)), None)
    if series is None or not cited.value:
        return False
    steps = round(_RECENT_S / series.step_s)
    share = limit / observed * cited.value
    return len(series.values) > 2 * steps and all(v is None or v < share for v in series.values[-steps:])


_RECENT_S = 2 * 86_400


def _evidence(found: Forecast, quantile: str, value: float) -> ForecastEvidence:
    return ForecastEvidence.model_validate(
        {
            "resource": found.resource,
            "metric": found.metric,
            "horizon_s": found.horizon_s,
            "quantile": quantile,
            "value": value,
            "backtest_mase": found.backtest.mase,
        }
    )


def _clause(found: Forecast) -> str:
    """`within 24 h (backtest: 0.62 × seasonal naive on the last 24 h, the band held 78 % of points)`."""
    hours, tested = found.horizon_s / 3600, found.backtest
    ratio = f"{tested.crps_ratio:.2f} × seasonal naive" if tested.crps_ratio is not None else f"MASE {tested.mase:.2f}"
    days = tested.span_s / 3600
    span = f"{days:.0f} h" if days <= 48 else f"{days / 24:.0f} days"
    return f"within {hours:.0f} h (backtest: {ratio} on the last {span}, the band held {100 * tested.coverage:.0f} % of points)"
