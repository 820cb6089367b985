"""`read_file`: lines of a file on one side of the change."""

from pydantic import Field

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import MOST_LINES, Answer, Arguments, Tool, cut_to
from gonogo.change import Side


class ReadFile(Arguments):
    """Where to read."""

    path: str
    side: Side = "head"
    lines: str = Field(default="1-200", pattern=r"^\d{1,7}(-\d{1,7})?$", description="first-last, 1-based, or one number")


def _run(arguments: ReadFile, desk: Desk) -> Answer:
    query = f"{arguments.path} lines {arguments.lines} on the {arguments.side} side"
    changes = desk.case.diff.changes
    source = f"git {(changes.base if arguments.side == 'base' else changes.head)[:12]}"
    text = desk.facts.text(arguments.side, arguments.path)
    if text is None:
        near = _near(desk, arguments.side, arguments.path)
        return Answer(query, source, where=f"no file of that path that is text and not too large{near}")
    all_lines = text.split("\n")
    first, _, last = arguments.lines.partition("-")
    start = max(1, int(first))
    end = min(int(last or first), len(all_lines))
    if start > end:
        return Answer(query, source, where=f"the file has {len(all_lines)} lines")
    numbered = [f"{at} {all_lines[at - 1]}" for at in range(start, end + 1)]
    shown, cut = cut_to(numbered, most=2 * MOST_LINES, how="ask for fewer lines at a time")
    return Answer(query, source, f"lines {start} to {start + len(shown) - 1} of {len(all_lines)}", shown, cut=cut)


def _near(desk: Desk, side: Side, path: str) -> str:
    name = path.rpartition("/")[2].lower()
    found = [p for p in desk.facts.paths(side) if p.rpartition("/")[2].lower() == name][:5]
    return f"; of that name: {', '.join(found)}" if found else ""


TOOL = Tool("read_file", "Lines of a file before (base) or after (head) the change, numbered.", ReadFile, _run)
