"""The report as GitHub markdown: what `gonogo check` prints, and the body of the one comment on a pull request."""

from collections.abc import Iterator

from bot.report.body import coverage_section, folded_sections, trajectory_sections
from bot.report.lead import lead_sections
from bot.report.links import Links
from bot.report.sections import Section, bytes_of, fitted
from bot.report.shown import finished, shown
from bot.report.summary import counted
from gonogo.evaluation import Evaluation

MAX_LENGTH = 60_000
"""GitHub refuses a comment of more than 65,536 characters."""
_ROOM = 200
"""For the sentence that says what did not fit."""


def markdown_report(evaluation: Evaluation, *, web: str = "https://github.com") -> str:
    """Verdict first, the proof under it, the rest folded away. `web` is where the repository's files can be looked at."""
    evaluation = shown(evaluation)
    found = fitted(list(_sections(evaluation, Links(evaluation, web))), budget=MAX_LENGTH - _ROOM, size=bytes_of)
    left_out = found.left_out + found.shortened
    more = f"\n\n_{counted(left_out, 'part')} did not fit here in full: the JSON report has all of it._" if left_out else ""
    return finished(found.text + more) + "\n"


def _sections(evaluation: Evaluation, links: Links) -> Iterator[Section]:
    yield from lead_sections(evaluation, links)
    yield from trajectory_sections(evaluation, links)
    yield from folded_sections(evaluation, links)
    if (covered := coverage_section(evaluation)) is not None:
        yield covered
