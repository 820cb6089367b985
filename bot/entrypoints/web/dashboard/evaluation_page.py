"""What the page of one evaluation shows, made from the stored Evaluation: the same sentences as the comment's, with all of the proof."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from bot.entrypoints.web.dashboard.charts import fan
from bot.entrypoints.web.dashboard.slice import picture, slice_of
from bot.entrypoints.web.dashboard.words import FileLinks, stands
from bot.report.citations import LinkCitations, citations_of
from bot.report.live_text import live_text
from bot.report.numbers import compared
from bot.report.printable import printable
from bot.report.summary import (
    IMPACTS,
    accepted_because,
    deciding_claim,
    decision,
    first_line,
    open_questions,
    refuting_claim,
    untold,
)
from bot.storage.app_dashboard_rows import Listed
from bot.storage.app_publication_rows import AcknowledgementRow
from bot.storage.app_rows import Documents, EvaluationRow
from gonogo.evaluation import Evaluation
from gonogo.evidence import FileEvidence
from gonogo.record import Record
from gonogo.trajectory import Link, Role, Status, trajectory_id
from gonogo.verdict import LedgerEntry

STAGES = (
    ("changes", "read the change"),
    ("affected", "found what it can reach"),
    ("context", "read production"),
    ("heuristics", "looked for hazards"),
    ("forecasts", "forecast metrics"),
    ("trajectories", "followed the chains"),
    ("investigator", "asked a model"),
    ("evidence", "read every citation again"),
    ("go_if", "tried what would make it safe"),
)
"""Key of the report's timings → what the stage did, in order; others are shown by their keys."""


class Risk(Record):
    """One trajectory, ready to be shown."""

    id: str
    entry: LedgerEntry
    is_blocking: bool
    claim: str
    meaning: str
    chain: Sequence[tuple[Link, LinkCitations, str]]
    """Each link with its citations and its comparison in words."""
    start: FileEvidence | None
    questions: Sequence[tuple[tuple[str, ...], str | None]]
    accepted: str
    acknowledged: Sequence[AcknowledgementRow]


class Stage(Record):
    """A stage of the pipeline: when it began after the first one, and how long it took, in seconds."""

    says: str
    start_s: float
    took_s: float


def evaluation_of(documents: Documents) -> Evaluation | None:
    """The stored Evaluation without control characters; None when there is none, or one of another version that cannot be read."""
    if documents.document is None:
        return None
    try:
        return printable(Evaluation.model_validate_json(documents.document))
    except ValidationError:
        return None


def page_of(
    listed: Listed,
    evaluation: Evaluation | None,
    *,
    acknowledgements: Sequence[AcknowledgementRow],
    earlier: Sequence[EvaluationRow],
    web_url: str,
) -> Mapping[str, Any]:
    """What the template `evaluation.html` is given."""
    row = listed.evaluation
    links = FileLinks(
        web=web_url,
        owner=listed.owner,
        name=listed.name,
        base=evaluation.base if evaluation else row.base_sha,
        head=evaluation.head if evaluation else row.head_sha,
    )
    told: dict[str, Any] = {
        "listed": listed,
        "row": row,
        "stands": stands(row),
        "links": links,
        "acknowledgements": acknowledgements,
        "earlier": earlier,
        "evaluation": evaluation,
        "headline": _headline(row, evaluation),
        "moments": _moments(row),
    }
    if evaluation is None:
        return told
    risks = [_risk(entry, evaluation, acknowledgements) for entry in evaluation.ranked()]
    drawn = slice_of(evaluation.affected) if evaluation.affected else None
    stages = _stages(evaluation.timings)
    return told | {
        "risks": [r for r in risks if r.entry.status is not Status.REFUTED],
        "refuted": [(r, refuting_claim(r.entry)) for r in risks if r.entry.status is Status.REFUTED],
        "live": [live_text(note) for note in evaluation.live],
        "forecasts": [(f, fan(f) if f.p50 else "") for f in evaluation.forecasts],
        "slice": drawn,
        "slice_picture": picture(drawn) if drawn and drawn.edges else "",
        "signals": untold(evaluation),
        "stages": stages,
        "stages_s": sum(s.took_s for s in stages),
    }


def _headline(row: EvaluationRow, evaluation: Evaluation | None) -> tuple[str, str]:
    """The answer in a few words, and the one sentence that matters."""
    match stands(row):
        case "queued":
            return "waiting", "It is evaluated as soon as a worker is free."
        case "running":
            return "evaluating", "A worker is at it; a verdict takes seconds to a few minutes. Load the page again to see it."
        case "cancelled":
            return "cancelled", ""
        case "could-not":
            return "could not evaluate", row.error or row.summary
        case "no-go" if evaluation is not None and evaluation.blockers():
            return first_line(evaluation), decision(evaluation.blockers()[0])
        case _:
            return (first_line(evaluation) if evaluation is not None else row.outcome or row.state), row.summary


def _risk(entry: LedgerEntry, evaluation: Evaluation, acknowledgements: Sequence[AcknowledgementRow]) -> Risk:
    trajectory, named = entry.trajectory, trajectory_id(entry.trajectory)
    triggers = [link for link in trajectory.links if link.role is Role.TRIGGER]
    cited = (e for link in (*triggers, *trajectory.links) for e in link.evidence if isinstance(e, FileEvidence))
    return Risk(
        id=named,
        entry=entry,
        is_blocking=entry in evaluation.blockers(),
        claim=deciding_claim(entry),
        meaning=IMPACTS[trajectory.impact],
        chain=[(link, found, compared(link)) for link, found in zip(trajectory.links, citations_of(entry), strict=True)],
        start=next(cited, None),
        questions=open_questions(entry) if entry.status is Status.PLAUSIBLE else [],
        accepted=accepted_because(entry.accepted) if entry.accepted else "",
        acknowledged=[a for a in acknowledgements if a.trajectory in (named, "*") and a.expired_at is None],
    )


def _stages(timings: Mapping[str, float]) -> list[Stage]:
    known = [key for key, _ in STAGES if key in timings]
    others = [key for key in timings if key not in known and key != "total"]
    says = dict(STAGES)
    found: list[Stage] = []
    at = 0.0
    for key in (*known, *others):
        found.append(Stage(says.get(key, key.replace("_", " ")), at, timings[key]))
        at += timings[key]
    return found


def _moments(row: EvaluationRow) -> list[tuple[str, datetime]]:
    """What happened to it, in order."""
    ended = "cancelled" if stands(row) == "cancelled" else "concluded"
    happened = [("asked for", row.created_at), ("begun by a worker", row.started_at), (ended, row.concluded_at)]
    return [(what, then) for what, then in happened if then is not None]
