"""The one comment on a pull request: the report as markdown, with what belongs to the pull request around it."""

from collections.abc import Iterator

from bot.report.body import coverage_section, folded_sections, trajectory_sections
from bot.report.conclusions import Outcome
from bot.report.lead import lead_sections, sign_of
from bot.report.links import Links, linked
from bot.report.neutral import prose
from bot.report.published import Published
from bot.report.sections import Section, bytes_of, fitted, section
from bot.report.shown import finished, shown
from bot.report.standing import override_sections, remark_of, standing_sections, waiting_line
from bot.report.summary import counted
from bot.report.surroundings import benchmark_section, history_section, spent_text
from gonogo.evaluation import Evaluation

MAX_LENGTH = 60_000
"""Bytes, with the marker. GitHub refuses a comment of more than 65,536 characters."""
_ROOM = 400
"""For the marker and the sentence that says what did not fit."""
COMMANDS = (
    "`/gonogo evaluate`, `explain`, `ack <id> <reason>`, `cancel`, `bench` in a comment of its own, by people with write access."
)


def marker_of(number: int) -> str:
    """What our comment on that pull request is found by, when its id is not known."""
    return f"<!-- gonogo:{number} -->"


def comment_text(published: Published) -> str:
    """The whole comment, under MAX_LENGTH; the verdict stands in its first line, the marker in its last."""
    clean = shown(published.evaluation) if published.evaluation is not None else None
    found = fitted(list(sections_of(published, clean)), budget=MAX_LENGTH - _ROOM, size=bytes_of)
    parts = [found.text]
    if cut := found.left_out + found.shortened:
        where = linked("the page of this evaluation", published.dashboard_url) if published.dashboard_url else "the JSON report"
        parts.append(f"_{counted(cut, 'part')} did not fit here in full: {where} has all of it._")
    if published.number is not None:
        parts.append(marker_of(published.number))
    return finished("\n\n".join(parts)) + "\n"


def sections_of(published: Published, evaluation: Evaluation | None) -> Iterator[Section]:
    """The pieces of comment and check, in the order of reading; `evaluation` is the published one as people may see it."""
    outcome = published.stands
    if evaluation is None or outcome in (Outcome.QUEUED, Outcome.RUNNING, Outcome.CANCELLED):
        yield section([waiting_line(published)], 0)
        yield from override_sections(published, None)
        yield from standing_sections(published)
        if published.history:
            yield history_section(published)
        return
    links = Links(evaluation, published.web_url, dashboard_url=published.dashboard_url)
    sign = "🟡" if published.is_acknowledged and outcome is Outcome.NO_GO else sign_of(evaluation)
    verdict, *why = lead_sections(evaluation, links, remark=remark_of(published), sign=sign)
    yield verdict
    yield from override_sections(published, evaluation)
    yield from why
    yield from standing_sections(published)
    yield from trajectory_sections(evaluation, links, may_acknowledge=published.number is not None)
    yield from folded_sections(evaluation, links)
    if published.benchmarks:
        yield benchmark_section(published.benchmarks)
    if published.history:
        yield history_section(published)
    if (covered := coverage_section(evaluation)) is not None:
        yield covered
    page = f" {linked('All of it', published.dashboard_url)}." if published.dashboard_url else ""
    yield section([f"<sub>{prose(spent_text(published, evaluation))}{page} {prose(COMMANDS)}</sub>"], 5)
