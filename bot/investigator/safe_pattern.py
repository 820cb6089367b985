"""Regular expressions that a model writes: taken when they cannot hold up the process, else read as plain text."""

import re

from heuristics.patterns.ambiguous import is_catastrophic
from heuristics.patterns.automaton import automaton_of

LONGEST = 200
_LOOPS = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\d*\})")
_MOST_LOOPS = 2
"""Loops without end in one pattern: with two, a line of 4,000 characters is read in milliseconds."""


def why_unsafe(pattern: str) -> str | None:
    """Why a pattern is not run, or None. The engine backtracks and cannot be stopped, so what is not understood is refused."""
    if len(pattern) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"it is not a regular expression ({error})"
    if len(_LOOPS.findall(pattern)) > _MOST_LOOPS:
        return f"it has more than {_MOST_LOOPS} loops without end; match less at a time"
    plain = re.sub(r"\(\?P<[A-Za-z_]\w*>", "(", pattern)
    if _LOOPS.search(pattern) and (automaton_of(plain) is None or is_catastrophic(plain)):
        return "it may backtrack without end"
    return None


def compiled(pattern: str) -> tuple[re.Pattern[str], str]:
    """The pattern, or its text taken literally, and a note on which of both."""
    why = why_unsafe(pattern)
    if why is None:
        return re.compile(pattern), ""
    return re.compile(re.escape(pattern[:LONGEST])), f"read as plain text, since as a pattern {why}"
