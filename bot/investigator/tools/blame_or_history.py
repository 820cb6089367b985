"""`blame_or_history`: the commits that last changed a file."""

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to


class BlameOrHistory(Arguments):
    """Which file."""

    path: str


def _run(arguments: BlameOrHistory, desk: Desk) -> Answer:
    query = f"history of {arguments.path}"
    source = f"git {desk.case.diff.changes.head[:12]}"
    found = desk.facts.history(arguments.path)
    if found is None:
        return Answer(query, source, where="this evaluation has no git history to read")
    lines, cut = cut_to(list(found), most=40, how="older commits are not shown")
    return Answer(query, source, "newest first", lines, where="no commit of this checkout touches that path", cut=cut)


TOOL = Tool("blame_or_history", "Commits that changed a file, newest first: id, date, subject.", BlameOrHistory, _run)
