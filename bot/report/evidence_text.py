"""A citation in words, the same in the terminal and in the comment."""

from bot.report.summary import number_text
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


def evidence_text(evidence: Evidence) -> str:
    """Where it stands and what it says, in one line."""
    match evidence:
        case FileEvidence():
            lines = f"{evidence.line}-{evidence.end_line}" if evidence.end_line else str(evidence.line)
            side = "" if evidence.side == "head" else " (before)"
            return f"{evidence.file}:{lines}{side}  {one_line(evidence.quote)}"
        case LogEvidence():
            said = f"{evidence.count:,} sampled lines match /{evidence.pattern}/"
            if evidence.field and evidence.value is not None:
                said += f", {evidence.statistic} of {evidence.field} {number_text(evidence.value)}"
            return f"log {short(evidence.resource)}: {said}"
        case MetricEvidence():
            value = number_text(evidence.value, "" if evidence.unit == "Count" else evidence.unit)
            days = (evidence.window.end - evidence.window.start).total_seconds() / 86400
            span = f"{days:.3g} days" if days >= 1 else f"{days * 24:.3g} hours"
            return f"metric {short(evidence.resource)}: {evidence.metric} {evidence.statistic} {value} over {span}"
        case ConfigEvidence():
            said = (
                f"{evidence.key} lacks {evidence.value}"
                if evidence.absent
                else f"{evidence.key} = {one_line(str(evidence.value), 80)}"
            )
            return f"config {short(evidence.resource)}: {said}"
        case GraphEvidence():
            only = " (the only one)" if evidence.is_sole else ""
            return f"graph {short(evidence.source)} {evidence.relation.value} {short(evidence.target)}{only}"
        case DatabaseEvidence():
            of = evidence.table or evidence.index or "server"
            value = number_text(evidence.value) if isinstance(evidence.value, int | float) else one_line(str(evidence.value), 80)
            return f"database {short(evidence.resource)}: {of} {evidence.statistic} = {value}"
        case ShadowEvidence():
            return f"shadow: {one_line(evidence.statement)} took {', '.join(evidence.locks)}"
        case ForecastEvidence():
            return f"forecast {short(evidence.resource)}: {evidence.metric} {evidence.quantile} {number_text(evidence.value)}"


def short(resource: str) -> str:
    """The last part of an id, as people call the thing."""
    return resource.rsplit(":", 1)[-1] if resource.startswith("arn:") else resource


def one_line(text: str, width: int = 100) -> str:
    """Text of a stranger on one line, control characters shown, cut at a width."""
    flat = " ".join(text.split())
    safe = "".join(c if c.isprintable() else "�" for c in flat)
    return safe if len(safe) <= width else safe[: width - 1] + "…"
