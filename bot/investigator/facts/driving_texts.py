"""Logged texts of a field that a pattern would not finish with: taken from the log sample, counted and never matched."""

import re
from collections.abc import Iterator

from bot.investigator.asking import log_count
from bot.investigator.case import Case
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.patterns.added import AddedPattern
from heuristics.patterns.driven import least_steps
from heuristics.patterns.fed import names_fed, plain_name

_RUNS_ON = frozenset(("python", "javascript", "typescript", "tsx", "ruby", "csharp"))
"""Engines that go on until they are done; those of the others remember, or give up after so many steps."""
_LOOKS_AHEAD = frozenset(("ruby", "csharp"))
STEPS_A_SECOND = {"python": 3e7, "javascript": 1.5e8, "typescript": 1.5e8, "tsx": 1.5e8, "ruby": 2e8, "csharp": 4e8}
"""More steps than the engine takes: two to three times what CPython 3.12 (9e6) and V8 compiled (7e7) were measured at on a server core."""
_VALUES_LIMIT = 400
_FIELD = pattern(
    r"(?P<key>[A-Za-z_][\w.-]{0,60})[\"']?\s{0,2}[=:]\s{0,2}(?:\"(?P<d>[^\"]{1,400})\"|'(?P<s>[^']{1,400})'|(?P<bare>[^\s\"']{1,400}))"
)
_SHORTEST = 20


class Driving(Record):
    """A logged text, the least number of steps on it, and the lines with it."""

    text: str
    steps: float
    cited: LogEvidence


def driving_text(case: Case, resource: str, found: AddedPattern) -> Driving | None:
    """The worst of the texts that the program logged under the name of what the pattern is tried on."""
    if found.language not in _RUNS_ON or not any(line.resource == resource for line in case.production.logs):
        return None
    names = names_fed(case.diff.head, found)
    worst, most = "", 0.0
    for text, is_cut in dict.fromkeys(_values(case, resource, names)) if names else ():
        if found.longest is not None and len(text) > found.longest:
            continue
        steps = least_steps(
            found.pattern,
            text,
            is_folded=found.is_folded,
            is_full_match=found.is_full_match,
            is_cut=is_cut,
            looks_ahead=found.language in _LOOKS_AHEAD,
            has_properties=found.has_properties,
        )
        if steps > most:
            worst, most = text, steps
    cited = log_count(case, resource, re.escape(worst)) if worst else None
    return Driving(worst, most, cited) if cited is not None else None


def _values(case: Case, resource: str, names: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Texts after `key=` or `key: ` for the names, and whether more of the text may follow: only quotes tell where it ends."""
    given = 0
    for line in case.production.logs:
        if line.resource != resource:
            continue
        for part in _FIELD.finditer(line.message[:4_000]):
            if plain_name(part["key"].rpartition(".")[2]) not in names:
                continue
            quoted = part["d"] or part["s"]
            text = quoted or re.split(r"[|,;&](?=[\w.-]{1,60}[=:])", part["bare"])[0].rstrip(",;.)]}&")
            if len(text) >= _SHORTEST and given < _VALUES_LIMIT and not text.endswith("..."):
                given += 1
                yield text, quoted is None
