"""`search_code`: lines of one side that a pattern matches, changed files first."""

from pydantic import Field

from bot.investigator.desk import Desk
from bot.investigator.safe_pattern import compiled
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from gonogo.change import Side

_MOST_CHARACTERS_READ = 20_000_000
_LONGEST_LINE = 2_000
_MOST_HITS = 100


class SearchCode(Arguments):
    """What to look for, and where."""

    pattern: str = Field(min_length=2, max_length=200, description="regular expression; two loops without end at most")
    side: Side = "head"
    under: str = Field(default="", description="only paths that begin with this")


def _run(arguments: SearchCode, desk: Desk) -> Answer:
    changes = desk.case.diff.changes
    query = f"/{arguments.pattern}/ on the {arguments.side} side" + (f" under {arguments.under}" if arguments.under else "")
    source = f"git {(changes.base if arguments.side == 'base' else changes.head)[:12]}"
    wanted, note = compiled(arguments.pattern)
    changed = {p for f in changes.files for p in (f.base_path, f.head_path)}
    paths = sorted(
        (p for p in desk.facts.paths(arguments.side) if p.startswith(arguments.under)), key=lambda p: (p not in changed, p)
    )
    hits: list[str] = []
    left = _MOST_CHARACTERS_READ
    read = 0
    for path in paths:
        text = desk.facts.text(arguments.side, path) if left > 0 and len(hits) < _MOST_HITS else None
        if text is None:
            continue
        read += 1
        left -= len(text)
        hits += [
            f"{path}:{at} {line.strip()}" for at, line in enumerate(text.split("\n"), 1) if wanted.search(line[:_LONGEST_LINE])
        ]
    shown, cut = cut_to(hits, most=_MOST_HITS, how="search for something rarer, or under a folder")
    said = "; ".join(part for part in (note, cut) if part)
    return Answer(
        query, source, f"{read:,} text files of {len(paths):,}", shown, where=f"{read:,} text files, changed ones first", cut=said
    )


TOOL = Tool("search_code", "Lines of the repository that a pattern matches, with path and line; changed files first.", SearchCode, _run)  # fmt: skip
