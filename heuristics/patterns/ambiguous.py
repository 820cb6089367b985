"""Whether a pattern can match one text in exponentially many ways and then fail: what backtracking engines try one by one."""

from collections import deque
from functools import lru_cache

from heuristics.patterns.automaton import EVERY, Automaton, automaton_of

_PAIRS_LIMIT = 20_000
_WIDE = 60
"""Characters from which a loop takes about anything."""


@lru_cache(maxsize=2_000)
def is_catastrophic(pattern: str, *, is_folded: bool = False, is_full_match: bool = False) -> bool:
    """Exponential (nested quantifiers, overlapping alternatives in a loop), or two wide loops in a row before something that must come.

    Nothing is proved about a pattern that is too long or not understood: False.
    """
    if sum(pattern.count(sign) for sign in "*+{") == 0:
        return False
    made = automaton_of(pattern, is_folded=is_folded)
    if made is None:
        return False
    asserts_end = made.asserts_end or is_full_match
    return any(_may_fail_after(made, p, asserts_end=asserts_end) for p in _exponential(made)) or _is_wide_in_a_row(
        made, asserts_end=asserts_end
    )


def _exponential(made: Automaton) -> list[int]:
    """Positions that come back to themselves along two ways with the same text."""
    cycles = _reachable(made)
    found = [p for p, ways in made.ways.items() for q, count in ways.items() if count > 1 and p in cycles.get(q, frozenset())]
    found += [p for p in range(len(made.sets)) if p in cycles.get(p, frozenset()) and _splits_and_meets(made, p, cycles)]
    return found


def _reachable(made: Automaton) -> dict[int, frozenset[int]]:
    """Position → every position that a step or more leads to."""
    found: dict[int, frozenset[int]] = {}
    for start in range(len(made.sets)):
        seen: set[int] = set()
        pending = list(made.ways.get(start, {}))
        while pending:
            here = pending.pop()
            if here not in seen:
                seen.add(here)
                pending.extend(made.ways.get(here, {}))
        found[start] = frozenset(seen)
    return found


def _splits_and_meets(made: Automaton, start: int, cycles: dict[int, frozenset[int]]) -> bool:
    """Breadth first over pairs of positions that read the same text: apart from one another, and together again at `start`."""
    alive = {p for p in cycles[start] if start in cycles.get(p, frozenset())}
    pending: deque[tuple[int, int]] = deque([(start, start)])
    seen: set[tuple[int, int]] = {(start, start)}
    while pending and len(seen) < _PAIRS_LIMIT:
        left, right = pending.popleft()
        for one in made.ways.get(left, {}):
            for other in made.ways.get(right, {}):
                if one not in alive or other not in alive or not made.sets[one] & made.sets[other]:
                    continue
                if one == other == start and left != right:
                    return True
                pair = (min(one, other), max(one, other))
                if one != other and pair not in seen:
                    seen.add(pair)
                    pending.append(pair)
    return False


def _may_fail_after(made: Automaton, position: int, *, asserts_end: bool) -> bool:
    """Whether something must still come after the loop, so that a text can fail there."""
    if asserts_end:
        return True
    around = {q for q, reach in _reachable(made).items() if position in reach} | {position}
    return not (around & made.last and position in _reachable(made)[position] and (made.last & _cycle(made, position)))


def _cycle(made: Automaton, position: int) -> frozenset[int]:
    reach = _reachable(made)
    return frozenset(q for q in reach[position] if position in reach[q]) | {position}


def _is_wide_in_a_row(made: Automaton, *, asserts_end: bool) -> bool:
    """`.*.*=`: two loops that take anything, one right after the other, and then something that may not come."""
    wide = [p for p, s in enumerate(made.sets) if (s & EVERY).bit_count() >= _WIDE and p in made.ways.get(p, {})]
    for one in wide:
        for other in wide:
            is_next = one < other and other in made.ways.get(one, {}) and (made.sets[one] & made.sets[other]).bit_count() >= _WIDE
            goes_on = any(q != other and q not in wide for q in made.ways.get(other, {}))
            if is_next and other not in made.last and goes_on:
                return True
    del asserts_end
    return False
