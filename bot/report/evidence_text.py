"""A citation in words, the same in the terminal and in the comment."""

from bot.report.numbers import number_text
from gonogo.evidence import (
    ConfigEvidence,
    DatabaseEvidence,
    Evidence,
    FileEvidence,
    ForecastEvidence,
    GraphEvidence,
    LogEvidence,
    MetricEvidence,
    ShadowEvidence,
)


def evidence_text(first: Evidence, *more: Evidence) -> str:
    """Where it stands and what it says, in one line; `more` are other readings of the same thing."""
    said = ", ".join(_reading(part) for part in (first, *more))
    match first:
        case FileEvidence():
            return f"{file_place(first)}  {said}"
        case LogEvidence():
            lines = "1 sampled line matches" if first.count == 1 else f"{first.count:,} sampled lines match"
            return f"log {short(first.resource)}: {lines} /{first.pattern}/" + (f", {said}" if said.strip(", ") else "")
        case MetricEvidence():
            days = (first.window.end - first.window.start).total_seconds() / 86400
            span = f"{days:.3g} days" if days >= 1 else f"{days * 24:.3g} hours"
            return f"metric {short(first.resource)}: {first.metric} {said} over {span}"
        case ConfigEvidence():
            return f"config {short(first.resource)}: {said}"
        case GraphEvidence():
            return f"graph {said}"
        case DatabaseEvidence():
            return f"database {short(first.resource)}: {first.table or first.index or 'server'} {said}"
        case ShadowEvidence():
            return f"shadow: {said}"
        case ForecastEvidence():
            return f"forecast {short(first.resource)}: {first.metric} {said}"


def file_place(evidence: FileEvidence) -> str:
    """`config.py:12-14`; a line that the change removes says so."""
    lines = f"{evidence.line}-{evidence.end_line}" if evidence.end_line else str(evidence.line)
    return f"{evidence.file}:{lines}" + ("" if evidence.side == "head" else " (before)")


def _reading(evidence: Evidence) -> str:
    match evidence:
        case FileEvidence():
            return one_line(evidence.quote)
        case LogEvidence():
            if not evidence.field or evidence.value is None:
                return ""
            return f"{evidence.statistic} of {evidence.field} {number_text(evidence.value)}"
        case MetricEvidence():
            return f"{evidence.statistic} {number_text(evidence.value, '' if evidence.unit == 'Count' else evidence.unit)}"
        case ConfigEvidence():
            return (
                f"{evidence.key} lacks {evidence.value}" if evidence.absent else f"{evidence.key} = {_value(evidence.value, '')}"
            )
        case GraphEvidence():
            only = " (the only one)" if evidence.is_sole else ""
            return f"{short(evidence.source)} {evidence.relation.value} {short(evidence.target)}{only}"
        case DatabaseEvidence():
            return f"{evidence.statistic} = {_value(evidence.value, 'Bytes' if evidence.statistic.endswith('bytes') else '')}"
        case ShadowEvidence():
            return f"{one_line(evidence.statement)} took {', '.join(evidence.locks)}"
        case ForecastEvidence():
            return f"{evidence.quantile} {number_text(evidence.value)}"


def _value(value: object, unit: str) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value, unit)
    return one_line(str(value), 80)


def short(resource: str) -> str:
    """The last part of an id, as people call the thing: `tax` is `deployment/tax`, a queue's ARN its name."""
    last = resource.rsplit(":", 1)[-1]
    if resource.startswith("kubernetes:"):
        return "/".join(last.split("/")[-2:])
    if resource.startswith("cloudflare:"):  # cloudflare:<kind>:<account>/<name>
        return last.rpartition("/")[2] or resource
    return last or resource


def of_what(resource: str) -> str:
    """` of rides-db`; nothing when all that is known is the repository, which has no metrics."""
    return "" if resource.startswith(("github:", "local:")) else f" of {short(resource)}"


def one_line(text: str, width: int = 100) -> str:
    """Text of a stranger on one line, control characters shown, cut at a width."""
    flat = " ".join(text.split())
    safe = "".join(c if c.isprintable() else "�" for c in flat)
    return safe if len(safe) <= width else safe[: width - 1] + "…"
