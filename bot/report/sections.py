"""A document of pieces that stand on their own, written to a budget: what matters most is kept."""

from collections.abc import Callable, Sequence

from gonogo.record import Record

GAP = "\n\n"


class Section(Record):
    """One piece of a document. `weight` 0 matters most; `short` stands in its place where the whole of it does not fit."""

    lines: tuple[str, ...]
    weight: int
    short: tuple[str, ...] = ()


class Fitted(Record):
    """What fits, in the order of reading, and how many pieces were left out or shortened."""

    text: str
    left_out: int = 0
    shortened: int = 0


def section(lines: Sequence[str], weight: int, *, short: Sequence[str] = ()) -> Section:
    """A piece of these lines."""
    return Section(tuple(lines), weight, tuple(short))


def fitted(sections: Sequence[Section], *, budget: int, size: Callable[[str], int] = len) -> Fitted:
    """The pieces by weight, as long as they fit into the budget; then in the order that they were given in."""
    kept: dict[int, str] = {}
    left, left_out, shortened = budget, 0, 0
    for at in sorted(range(len(sections)), key=lambda n: sections[n].weight):
        one = sections[at]
        for lines in (one.lines, one.short):
            text = "\n".join(lines)
            needs = size(text) + len(GAP)
            if lines and needs <= left:
                kept[at] = text
                left -= needs
                shortened += lines is not one.lines
                break
        else:
            left_out += 1
    return Fitted(GAP.join(kept[at] for at in sorted(kept)), left_out, shortened)


def bytes_of(text: str) -> int:
    """Its length in UTF-8: a limit in characters then holds as well."""
    return len(text.encode("utf-8", "surrogatepass"))
