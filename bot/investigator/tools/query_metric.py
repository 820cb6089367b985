"""`query_metric`: a statistic of a metric over a window."""

from pydantic import Field

from bot.investigator.citing import Span
from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool
from context_graph.readings import statistic_of, values_in, window_of
from gonogo.context import Statistic, Window


class QueryMetric(Arguments):
    """Which reading."""

    resource: str
    metric: str = Field(description="exact name, dimensions in braces included; '*' lists what there is")
    statistic: Statistic = "max"
    window: Span | None = Field(default=None, description="default: all that was read")


def _run(arguments: QueryMetric, desk: Desk) -> Answer:
    there = desk.facts.series(arguments.resource)
    names = ", ".join(sorted(s.metric for s in there)[:40]) or "none"
    series = next((s for s in there if s.metric == arguments.metric), None)
    if series is None:
        query = f"{arguments.metric} of {arguments.resource}"
        return Answer(query, desk.facts.source, where=f"the metrics of {arguments.resource}: {names}")
    known = window_of(series)
    span = arguments.window
    window = Window(start=span.start, end=span.end) if span is not None else known
    query = f"{arguments.statistic} of {arguments.metric} of {arguments.resource}, {window.start.isoformat()} to {window.end.isoformat()}"
    readings = values_in(series, window)
    value = statistic_of(readings, arguments.statistic)
    read = f"read from {known.start.isoformat()} to {known.end.isoformat()}, a reading every {series.step_s:g} s"
    if value is None:
        return Answer(query, desk.facts.source, read, where=f"no reading in that window; {read}")
    said = f"{arguments.statistic} = {value:.6g} {series.unit} from {len(readings)} readings"
    return Answer(query, desk.facts.source, read, [said])


TOOL = Tool("query_metric", "A statistic of a metric of a resource over an absolute window.", QueryMetric, _run)
