"""Log calls that a more detailed level lets through, and those of them that a request writes once for each item of a loop."""

from bot.investigator.case import Case
from bot.investigator.facts.hot_paths import Items, PathRate, path_rate
from bot.investigator.facts.loop_rounds import in_loop, rounds_of
from gonogo.record import Record
from gonogo.resource import Place, Resource
from heuristics.logs.verbosity import Louder, detailed_lines, is_let_through

LEAST_BYTES = 100.0
"""What a line of a log takes at least, with its time and level."""
MOST_BYTES = 10_000.0
"""What one request adds at most where nothing is repeated."""
_MOST_LINE_BYTES = 2_000.0
_ROUNDS_UNKNOWN = 100


class Looped(Record):
    """A detailed log call in a loop, how often the loop is reached, and its rounds where the log tells them."""

    place: Place
    rate: PathRate | None
    items: Items | None


def let_through(case: Case, found: Louder) -> tuple[tuple[Place, bool], ...]:
    """The detailed log calls that are written from now on."""
    if found.what != "level" or found.is_statement_log:
        return ()

    def text(place: Place) -> str:
        lines = (case.diff.head.text(place.file) or "").split("\n")
        return lines[place.line - 1][:1_000] if place.line <= len(lines) else ""

    return tuple(one for one in detailed_lines(case.diff) if is_let_through(text(one[0]), found.new))


def looped_line(case: Case, written: tuple[tuple[Place, bool], ...], resource: Resource) -> Looped | None:
    """The one that writes most lines."""
    found: list[Looped] = []
    for place, _ in written[:30]:
        if in_loop(case, place.file, place.line):
            rate = path_rate(case, place.file, place.line)[2]
            if rate is None or rate.resource.id == resource.id:
                found.append(Looped(place, rate, rounds_of(case, resource.id, place.file, place.line)))
    return max(found, key=_lines_a_second, default=None)


def _lines_a_second(looped: Looped) -> tuple[bool, float]:
    rate, items = looped.rate, looped.items
    return rate is not None and rate.is_exact, (rate.mean.value if rate else 0.0) * (items.low if items is not None else 1.0)


def of_rounds(looped: Looped, low: float, high: float, said: str) -> tuple[float, float, str]:
    """The same for one request, in which the loop makes its rounds."""
    if looped.items is None:
        return low, max(high, MOST_BYTES * _ROUNDS_UNKNOWN), said
    rounds, most = looped.items.low, looped.items.high or looped.items.low
    said = f"at least {LEAST_BYTES:,.0f} bytes for each of some {rounds:,.0f} items"
    return max(low, LEAST_BYTES * rounds), max(high, _MOST_LINE_BYTES * most), said
