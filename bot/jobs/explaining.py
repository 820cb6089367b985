"""`/gonogo explain`: the whole report, refuted suspicions and what was not looked at included."""

from bot.report.markdown import markdown_report
from bot.report.published import Published

MOST_CHARACTERS = 60_000
"""GitHub refuses a comment of more than 65 536."""


def explanation(published: Published) -> str:
    """How the verdict on one commit came about, as Markdown."""
    begins = f"How the answer on `{published.head_sha[:12]}` came about.\n\n"
    if published.evaluation is None:
        return f"{begins}There is no report: {published.why or 'it was not evaluated'}."
    report = markdown_report(published.evaluation, web=published.web_url)
    page = f"\n\nThe whole of it: {published.dashboard_url}" if published.dashboard_url else ""
    room = MOST_CHARACTERS - len(begins) - len(page)
    if len(report) > room:
        report = report[: report.rfind("\n\n", 0, room - 20)] + "\n\n…"
    return begins + report + page
