"""`log_patterns`: what a resource's sampled log lines say, grouped by their wording."""

from collections import Counter

from pydantic import Field

from bot.investigator.citing import Span
from bot.investigator.desk import Desk
from bot.investigator.log_templates import template_of
from bot.investigator.safe_pattern import compiled
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from context_graph.readings import MAX_MESSAGE, log_window


class LogPatterns(Arguments):
    """Which lines."""

    resource: str
    window: Span | None = Field(default=None, description="default: all that was read")
    filter: str = Field(default="", max_length=200, description="regular expression that a line must match")


def _run(arguments: LogPatterns, desk: Desk) -> Answer:
    lines = desk.facts.logs(arguments.resource)
    wanted, note = compiled(arguments.filter)
    span, known = arguments.window, log_window(lines)
    query = f"log lines of {arguments.resource}" + (f" matching /{arguments.filter}/" if arguments.filter else "")
    found = [
        line
        for line in lines
        if (span is None or span.start <= line.timestamp < span.end) and wanted.search(line.message[:MAX_MESSAGE])
    ]
    read = (
        f"{len(lines)} sampled lines from {known.start.isoformat()} to {known.end.isoformat()}"
        if known
        else "no line was sampled"
    )
    counted = Counter((line.severity, template_of(line.message)) for line in found)
    listed = [
        f"{count} × {severity or '-'} {text}" for (severity, text), count in sorted(counted.items(), key=lambda c: (-c[1], c[0]))
    ]
    shown, cut = cut_to(listed, most=60, how="filter, or narrow the window")
    said = "; ".join(part for part in (note, cut) if part)
    return Answer(query, desk.facts.source, f"{read}; counts are of a sample, never rates", shown, where=read, cut=said)


TOOL = Tool("log_patterns", "Sampled log lines of a resource grouped by wording, with counts.", LogPatterns, _run)
