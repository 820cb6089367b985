"""The required check: its conclusion, its title, the same content as the comment, annotations and three buttons."""

from collections.abc import Sequence

from bot.report.annotations import annotations_of
from bot.report.comment import sections_of
from bot.report.conclusions import Concluded, Outcome
from bot.report.links import linked
from bot.report.neutral import plain
from bot.report.published import Other, Published
from bot.report.sections import Section, bytes_of, fitted
from bot.report.shown import finished, shown
from bot.report.standing import outcome_word
from bot.report.summary import counted
from gonogo.evaluation import Evaluation
from gonogo.forge import CheckAction, CheckOutput

MAX_BYTES = 65_000
"""Of summary and of text; GitHub takes 65,535 characters of each."""
MAX_TITLE = 200
MAX_NAMED = 3
_ROOM = 300

EVALUATE, ACKNOWLEDGE, BENCHMARK = "evaluate", "acknowledge", "benchmark"
"""What GitHub sends back when a button is pressed (`requested_action.identifier`)."""
ACTIONS = (
    CheckAction(identifier=EVALUATE, label="Re-evaluate", description="Evaluate this commit once more"),
    CheckAction(identifier=ACKNOWLEDGE, label="Acknowledge", description="Take the risk, until the next change"),
    CheckAction(identifier=BENCHMARK, label="Run benchmark", description="Run the agent benchmark on base and head"),
)


def check_output(published: Published) -> CheckOutput:
    """What the check run shows; its conclusion is `published.concluded`."""
    evaluation = published.evaluation
    clean = shown(evaluation) if evaluation is not None else None
    found = list(sections_of(published, clean))
    split = _where_the_proof_begins(found)
    summary, text = found[:split], found[split:]
    is_over = published.concluded.status == "completed"
    return CheckOutput(
        title=_title(published, clean),
        summary=_written(summary, published),
        text=_written(text, published) if text else "",
        annotations=annotations_of(evaluation, clean) if is_over and evaluation is not None and clean is not None else (),
        actions=ACTIONS,
    )


def _where_the_proof_begins(found: Sequence[Section]) -> int:
    """The first fold or heading after the verdict: the summary ends there."""
    begins = ("<details", "####", "### ")
    return next((at for at, one in enumerate(found) if at and one.lines and one.lines[0].startswith(begins)), len(found))


def _written(sections: Sequence[Section], published: Published) -> str:
    found = fitted(sections, budget=MAX_BYTES - _ROOM, size=bytes_of)
    cut = found.left_out + found.shortened
    where = linked("the page of this evaluation", published.dashboard_url) if published.dashboard_url else "the JSON report"
    more = f"\n\n_{counted(cut, 'part')} did not fit here in full: {where} has all of it._" if cut else ""
    return finished(found.text + more)


def _title(published: Published, evaluation: Evaluation | None) -> str:
    """One line: how it stands, and what decides it."""
    concluded = published.concluded
    said = concluded.title
    if (decides := _decides(published, evaluation, concluded)) and decides not in said:
        said = f"{said}: {decides}"
    others = f" ({', '.join(_named(other) for other in published.others[:MAX_NAMED])})" if published.others else ""
    flat = plain(finished(" ".join(said.split())))
    room = MAX_TITLE - len(others)
    return (flat if len(flat) <= room else f"{flat[: room - 1]}…") + others


def _decides(published: Published, evaluation: Evaluation | None, concluded: Concluded) -> str:
    if evaluation is None or concluded.status != "completed":
        return published.why
    match published.stands:
        case Outcome.NO_GO:
            blockers = evaluation.blockers()
            more = f", and {len(blockers) - 1} more" if len(blockers) > 1 else ""
            return f"{blockers[0].trajectory.title} ({blockers[0].trajectory.impact.value} impact){more}" if blockers else ""
        case Outcome.COULD_NOT:
            return evaluation.failures[0].why if evaluation.failures else ""
        case _:
            return ""


def _named(other: Other) -> str:
    return f"#{other.number} {outcome_word(other.outcome)}"
