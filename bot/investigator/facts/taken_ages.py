"""How old the things of a store are when its reader takes them, as the reader's own log or metric tells."""

import re

from bot.investigator.asking import Reading, captures, metric
from bot.investigator.case import Case
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from heuristics.access.sdk import uses_of_action

_UNITS = (
    ("ms|milliseconds|millis", 1e-3),
    ("s|sec|secs|seconds", 1.0),
    ("m|min|mins|minutes", 60.0),
    ("h|hours", 3600.0),
    ("d|days", 86_400.0),
)
_EVENT_AGES = (
    pattern(r"(?i)AsyncEventAge.*|(object|file|item|record|message|event)_?age(_?(seconds|s|ms|milliseconds))?([.{].*)?"),
)
_SAFE_SHARE = 0.5
"""Of the time that things are kept; a log is a sample, so its oldest thing is not the oldest of all."""


def taken_age(case: Case, store: Resource, prefix: str, kept_s: float, *, but: str = "") -> tuple[Reading, str] | None:
    """The greatest age at which things of the store (under the prefix, but not under `but`) are taken, where it decides; else None.

    Below half of the kept time it only counts when nobody else reads the store, or when the reader removes what it took. Above the
    kept time it counts when one in twenty is that old.
    """
    readers = _readers(case, store)
    for reader in readers:
        most, usual = _ages(case, reader, prefix, but)
        if most is None:
            continue
        name = reader.rpartition("/")[2].rpartition(":")[2]
        if usual is not None and usual.value > kept_s:
            return usual, f"what {name} takes"
        if most.value <= kept_s * _SAFE_SHARE and (len(readers) == 1 or uses_of_action(case.diff.head, "s3:DeleteObject")):
            return most, f"what {name} takes"
        return None
    return None


def _readers(case: Case, store: Resource) -> list[str]:
    pulled = [e.source for e in case.into(store.id, Relation.READS_FROM)]
    pushed = [e.target for e in case.out_of(store.id, Relation.TRIGGERS, Relation.INVOKES, Relation.PUBLISHES_TO)]
    return list(dict.fromkeys([*pushed, *pulled]))


def _ages(case: Case, reader: str, prefix: str, but: str) -> tuple[Reading | None, Reading | None]:
    """The greatest age and the one that one in twenty exceeds."""
    about = rf"(?=.*{re.escape(prefix.strip('/'))}/)" if prefix.strip("/") else ""
    about += rf"(?!.*(?<![\w-]){re.escape(but.strip('/'))}/)" if but.strip("/") else ""
    for words, factor in _UNITS:
        for tried in (
            rf"(?i)^{about}.*\bage_(?:{words})[\"']?\s?[=:]\s?(?P<age>\d+(?:\.\d+)?)",
            rf"(?i)^{about}.*\b(?:age|old|waited)[\"']?\s?[=: ]\s?(?P<age>\d+(?:\.\d+)?) ?(?:{words})\b",
            rf"(?i)^{about}.*(?<![\d.])(?P<age>\d+(?:\.\d+)?) ?(?:{words}) old\b",
        ):
            most = captures(case, reader, tried, "age", "max", factor=factor, unit="s")
            if most is not None:
                return most, captures(case, reader, tried, "age", "p95", factor=factor, unit="s")
    measured = metric(case, reader, _EVENT_AGES, "max")
    if measured is None or measured.unit != "s":
        return None, None
    return measured, None
