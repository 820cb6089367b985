"""Acceptances in place: comments that say which rule is accepted at which line, and why.

    -- gonogo: accept postgres/index-not-concurrent because the table is archived
    # gonogo: accept config/name-missing, missing-name until 2027-03-31 because the secret is set by hand

The comment stands at the end of the line, or fills the line before it (other comment lines may stand between). The words in
a string of the language accept nothing.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from fnmatch import fnmatchcase

from gonogo.acceptance import Acceptance, Accepted, AcceptedHere
from gonogo.finding import Finding
from heuristics.code.comments import Comments

_OPENS = r"(?:--+|#+|//+|/\*+|<!--|\{#|\{/\*|;+|%+|\(\*|\brem\b|^\s*\*)"
_COMMENT_LINE = re.compile(rf"^\s*{_OPENS}", re.IGNORECASE)
_MARK = re.compile(rf"{_OPENS}\s*(?P<word>gonogo):\s*accept\b", re.IGNORECASE)
_SAID = re.compile(
    r"^\s+(?P<rules>[a-z0-9][a-z0-9/-]*(?:\s*,\s*[a-z0-9][a-z0-9/-]*)*)"
    r"(?:\s+until\s+(?P<until>\d{4}-\d{2}-\d{2}))?(?:\s+because\b\s*(?P<reason>.*))?$",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"\s*(?:\*/\}?|-->|#\}|\*\))\s*$")
_WORD = "gonogo:"
MAX_LINE = 2_000
"""Characters of a line in which a comment is looked for."""
GRAMMAR = "write: gonogo: accept RULE because REASON"


def acceptances_in(file: str, text: str, *, today: date | None = None, known: Collection[str] = ()) -> tuple[Acceptance, ...]:
    """Every acceptance of a file, in the order of its lines.

    With `known`, a rule that is not among them is a problem; with `today`, a date that has passed is.
    """
    if _WORD not in text:
        return ()
    lines = text.split("\n")
    comments: Comments | None = None
    found: list[Acceptance] = []
    start = 0
    for number, line in enumerate(lines, 1):
        seen = line[:MAX_LINE]
        for mark in _MARK.finditer(seen) if _WORD in seen else ():
            comments = comments or Comments(file, text)
            if comments.has(start + mark.start("word")):
                about = number if seen[: mark.start()].strip() else _line_below(lines, number)
                found.append(_read(file, number, about, seen[mark.end() :], today, known))
                break
        start += len(line) + 1
    return tuple(found)


def acceptances_of(entries: Iterable[AcceptedHere], *, today: date | None = None) -> tuple[Acceptance, ...]:
    """The entries of the configuration."""
    return tuple(
        Acceptance(
            rules=(entry.rule,),
            reason=entry.reason.strip(),
            file=entry.file,
            until=entry.until,
            source="configuration",
            problem=_past(entry.until, today) if entry.reason.strip() else "it has no reason",
        )
        for entry in entries
    )


def accepted(finding: Finding, acceptances: Iterable[Acceptance]) -> Acceptance | None:
    """The acceptance of a finding on the head side, or by the configuration."""
    return next((a for a in acceptances if _accepts(a, finding.rule, finding.file, finding.line, finding.side)), None)


def accepted_as(acceptance: Acceptance) -> Accepted:
    """What stands on the finding."""
    return Accepted(reason=acceptance.reason, by=acceptance.place, until=acceptance.until, is_by_change=acceptance.is_by_change)


def accepts_at(acceptance: Acceptance, *, rule: str, file: str, line: int, side: str = "head") -> bool:
    """Whether it is about this rule or playbook at this line."""
    return _accepts(acceptance, rule, file, line, side)


def useless(acceptances: Iterable[Acceptance], used: Collection[Acceptance]) -> Iterator[tuple[Acceptance, str]]:
    """Acceptances that accept nothing, each with why."""
    for acceptance in acceptances:
        if acceptance.problem:
            yield acceptance, acceptance.problem
        elif acceptance not in used:
            yield acceptance, f"nothing of {' or '.join(acceptance.rules)} is found there"


def _accepts(acceptance: Acceptance, rule: str, file: str, line: int, side: str) -> bool:
    if acceptance.problem or rule not in acceptance.rules:
        return False
    if acceptance.source == "configuration":
        return acceptance.file == file or fnmatchcase(file, acceptance.file)
    return side == "head" and acceptance.file == file and acceptance.accepts_line == line


def _read(file: str, number: int, about: int | None, said: str, today: date | None, known: Collection[str]) -> Acceptance:
    parsed = _SAID.match(_CLOSES.sub("", said.rstrip()))
    if parsed is None:
        return Acceptance(rules=(), reason="", file=file, line=number, accepts_line=about, problem=f"it can't be read; {GRAMMAR}")
    rules = tuple(dict.fromkeys(rule.strip().lower() for rule in parsed["rules"].split(",")))
    reason = (parsed["reason"] or "").strip()
    until, problem = None, ""
    if parsed["until"]:
        try:
            until = date.fromisoformat(parsed["until"])
        except ValueError:
            problem = f"{parsed['until']} is no date"
    unknown = [rule for rule in rules if known and rule not in known]
    if not reason:
        problem = f"it has no reason; {GRAMMAR}"
    elif unknown:
        problem = f"{', '.join(unknown)} is no rule and no playbook"
    elif about is None:
        problem = "no line stands below it"
    return Acceptance(
        rules=rules,
        reason=reason,
        file=file,
        line=number,
        accepts_line=about,
        until=until,
        problem=problem or _past(until, today),
    )


def _past(until: date | None, today: date | None) -> str:
    return f"it held until {until.isoformat()}" if until is not None and today is not None and today > until else ""


def _line_below(lines: list[str], number: int) -> int | None:
    """The first line below a comment that is no comment itself; an empty line ends the search."""
    for below in range(number, min(len(lines), number + 50)):
        if not lines[below].strip():
            return None
        if _COMMENT_LINE.match(lines[below]) is None:
            return below + 1
    return None
