"""How many steps a backtracking engine takes on one text, counted and never run."""

from functools import lru_cache

from heuristics.patterns.automaton import Automaton, automaton_of

_TEXT_LIMIT = 400
_ENOUGH = 1e18


def least_steps(
    pattern: str,
    text: str,
    *,
    is_folded: bool = False,
    is_full_match: bool = False,
    is_cut: bool = False,
    looks_ahead: bool = False,
    has_properties: bool = False,
) -> float:
    r"""The least number of steps before the pattern fails on the text; 0 where it matches or nothing is certain.

    `is_cut`: more may follow the text, so that it must fail whatever comes. `looks_ahead`: the engine looks for letters that
    must come before it starts, so that only texts with all letters of the pattern are sure. `has_properties`: `\p{L}` is understood.

    An engine that backtracks and does not remember goes along every way through the pattern before it gives up. The ways
    are counted position by position, in time that grows with the length of the text times the steps of the pattern.
    """
    made = _automaton(pattern, is_folded, has_properties)
    if made is None or not text.isascii() or not 0 < len(text) <= _TEXT_LIMIT or (made.is_nullable and not made.asserts_end):
        return 0
    ends = made.asserts_end or is_full_match
    ways: dict[int, float] = dict.fromkeys(made.first, 1.0)
    alive = set(made.first)
    steps = 0.0
    for number, character in enumerate(text):
        sign = 1 << ord(character)
        alive = {p for p in alive if made.sets[p] & sign}
        ways = {p: n for p, n in ways.items() if made.sets[p] & sign and p not in made.loose}
        is_last = number == len(text) - 1
        if (alive and is_last and is_cut) or (alive & made.last and (is_last or not ends)):
            return 0  # it matches, or may
        steps = min(steps + sum(ways.values()), _ENOUGH)
        if not alive:
            break
        alive = {q for p in alive for q in made.ways.get(p, {})}
        following: dict[int, float] = {}
        for position, count in ways.items():
            for target, times in made.ways.get(position, {}).items():
                following[target] = min(following.get(target, 0.0) + count * times, _ENOUGH)
        ways = following
    return 0 if looks_ahead and not _has_all_letters(made, text) else steps


@lru_cache(maxsize=256)
def _automaton(pattern: str, is_folded: bool, has_properties: bool) -> Automaton | None:
    if "\n" in pattern or "&&" in pattern or "(?x" in pattern or "#{" in pattern or "${" in pattern:
        return None
    made = automaton_of(pattern, is_folded=is_folded, is_exact=True, has_properties=has_properties)
    return made if made is not None and made.is_faithful else None


def _has_all_letters(made: Automaton, text: str) -> bool:
    present = 0
    for character in text:
        present |= 1 << ord(character)
    return all(s & present for s in made.sets if s.bit_count() <= 2)
