"""How long a line of any file says that things are kept, and lines of a change that say another time than before.

Kafka, MSK, Strimzi, Redpanda, NATS, Pulsar, Kinesis, Pub/Sub, Event Hubs, SQS, Prometheus, Loki and their kin, in manifests,
properties, variables, flags, environment variables, scripts and code.
"""

import re
from collections.abc import Iterator, Mapping

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.paths import is_test_path
from heuristics.rule import RuleContext

_UNITS: Mapping[str, float] = {
    "ms": 1e-3, "milliseconds": 1e-3, "millis": 1e-3, "s": 1, "sec": 1, "secs": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60, "minutes": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hours": 3600, "d": 86_400, "days": 86_400, "w": 604_800, "weeks": 604_800, "y": 31_536_000, "years": 31_536_000,
}  # fmt: skip
_KEY = r"(?P<key>[A-Za-z_][\w.-]{0,80})"
_VALUE = r"[\"']?(?P<value>-?\d[\d_]*(?:\.\d+)?(?:\s*\*\s*\d[\d_]*)*\s?(?:[a-zA-Z]{1,12}(?:\d+[a-z]{1,2})*)?|P(?:T?\d+[DHMSWdhmsw])+)[\"']?"
_LINE = pattern(rf"{_KEY}[\"'\]]?\s*(?:=>|:=|[=:,(]|\s)\s*(?:[\w.]+\(\s*)?{_VALUE}\s*(?:[,;}})\]]|$|#|//|\s)")
_NAMED = pattern(r"(?:^|[\s{-])[\"']?name[\"']?\s*[:=]\s*[\"']?(?P<key>[\w.-]+)")
_GIVEN = pattern(rf"^\s*[\"']?(?:value|default)[\"']?\s*[:=]\s*{_VALUE}\s*[,}}]?\s*$")
_KEPT = pattern(r"(?i)retention|(?:^|[._-])max[._-]?age(?:[._-]|$)|keep[._-](?:days|hours)|(?:^|[._-])message[._-]?ttl")
_NOT_KEPT = pattern(
    r"(?i)bytes|size|check|interval|backup|snapshot|cache|http|cors|count|versions|policy|enabled|mode|cookie|session|token|hsts|offsets[._-]"
)
_PAIR = pattern(r"[\"'](?P<key>[\w.-]{3,80})[\"']\s*,\s*(?:[\w.]+\s*[:=]\s*)[\"'](?P<value>-?\d[\d_]*)[\"']")
_AGED = pattern(r"(?i)(?:^|[._-])min_(?:index_)?age$")
_GOES = pattern(r"(?i)\bdelete\b")
_FOR_EVER = ("-1", "9223372036854775807")
_COMMENT = ("#", "//", "-- ", "/*", "* ")


class KeptFor(Record):
    """One line that says another time than before, in seconds."""

    key: str
    file: str
    line: int
    base_line: int
    old_s: float
    new_s: float
    """Infinite where it is kept for ever from now on."""


def kept_seconds(key: str, value: object) -> float | None:
    """Seconds that `retention.ms`, `log.retention.hours`, `RetentionPeriod: 744h` … say; None when it says no time, or for ever."""
    if isinstance(value, bool) or _KEPT.search(key) is None or _NOT_KEPT.search(key) is not None:
        return None
    text = str(value).strip().strip("\"'")
    if iso := re.fullmatch(r"(?i)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text):
        return sum(float(n or 0) * u for n, u in zip(iso.groups(), (604_800, 86_400, 3600, 60, 1), strict=True)) or None
    spans = re.findall(r"(\d+(?:\.\d+)?)\s?([a-zA-Z]+)", text)
    if spans and re.fullmatch(r"(?:\d+(?:\.\d+)?\s?[a-zA-Z]+)+", text):
        known = [float(n) * _UNITS[u.lower()] for n, u in spans if u.lower() in _UNITS]
        return sum(known) if len(known) == len(spans) else None
    product = re.fullmatch(r"-?\d[\d_]*(?:\.\d+)?(?:\s*\*\s*\d[\d_]*)*", text)
    unit = _unit_of(key)
    if product is None or unit is None:
        return None
    number = 1.0
    for part in text.split("*"):
        number *= float(part.strip().replace("_", ""))
    return number * unit if number > 0 else None


def kept_changes(context: RuleContext) -> tuple[KeptFor, ...]:
    """Every time of keeping that differs, in the order of the files."""
    return tuple(found for file in context.changes.files if not is_test_path(file.path) for found in _in_file(context, file))


def _in_file(context: RuleContext, file: ChangedFile) -> Iterator[KeptFor]:
    if (
        not file.hunks
        or file.head_path is None
        or file.base_path is None
        or file.head_path.endswith((".md", ".rst", ".adoc", ".lock"))
    ):
        return
    before = (context.base.text(file.base_path) or "").split("\n")
    after = (context.head.text(file.head_path) or "").split("\n")
    for hunk in file.hunks:
        old = [f for i in range(hunk.base_count) if (f := _said(before, hunk.base_start + i)) is not None]
        new = [f for i in range(hunk.head_count) if (f := _said(after, hunk.head_start + i)) is not None]
        for key, at, seconds in new:
            same = next((o for o in old if o[0] == key), None)
            if same is not None and same[2] != seconds and same[2] != float("inf"):
                yield KeptFor(key, file.head_path, at, same[1], same[2], seconds)


def _said(lines: list[str], number: int) -> tuple[str, int, float] | None:
    text = lines[number - 1][:600] if 0 < number <= len(lines) else ""
    if text.lstrip().startswith(_COMMENT):
        return None
    if (given := _GIVEN.match(text)) is not None:
        for above in reversed(lines[max(0, number - 5) : number - 1]):
            named = _NAMED.search(above[:300]) or re.search(r"variable\s+\"(?P<key>[\w.-]+)\"", above[:300])
            if named is not None:
                seconds = kept_seconds(named["key"], given["value"])
                return (named["key"], number, seconds) if seconds is not None else None
        return None
    for found in (*_LINE.finditer(text), *_PAIR.finditer(text)):
        key, value = found["key"].lstrip("-"), found["value"].strip()
        if _AGED.search(key) is not None and any(_GOES.search(t[:300]) for t in lines[max(0, number - 5) : number + 4]):
            seconds = kept_seconds("retention", value)  # of an index: when its policy deletes it
        elif value in _FOR_EVER and re.search(r"(?i)retention[._-]?ms", key) is not None:
            seconds = float("inf")
        else:
            seconds = kept_seconds(key, value)
        if seconds is not None:
            return key, number, seconds
    return None


def _unit_of(key: str) -> float | None:
    """The unit that the name of a bare number ends with: `log.retention.hours`, `retentionMs`, `RETENTION_MS_CONFIG`."""
    words = [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", key)]
    found = [_UNITS[w] for w in words if w in _UNITS and w not in ("m", "y", "d", "w")]
    return found[-1] if found else None
