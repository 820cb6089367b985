"""What the keys of a cache are made of, and how many new ones come with time."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.paths import is_production_code
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext
from heuristics.runtime.cache_calls import stores_in
from heuristics.runtime.personal import Each, part_of
from heuristics.runtime.personal_keys import DECORATED, is_key_line, names_on, parameters_of


class Newness(StrEnum):
    """How keys come again, from never to within a set that is complete one day."""

    ALWAYS = "always new"
    """Another one for each request or session."""
    TIME = "a point in time"
    """Made of a date and time that a request names: it is asked for again only while that time is near."""
    FREE = "free"
    """Made of free text, of coordinates, or of several parameters of a request."""
    UNKNOWN = "unknown"


class CacheKey(Record):
    """A line that makes a key."""

    place: Place
    parts: tuple[str, ...]
    newness: Newness
    because: str
    """The part that says so."""


_TIME = words(
    "at ts timestamp time datetime when departure departat departuretime departs arrival arrivaltime arriveby departafter starttime endtime startat endat fromtime"
    " since until moment asof startsat endsat pickuptime checkin checkout pickupat instant"
)
_FREE = words(
    "q query search searchterm term terms text keyword keywords prompt message question phrase input lat lng lon latitude longitude coords coordinates point bbox"
    " position location address url uri path body payload digest bodyhash queryhash filters querystring freetext sentence"
)
_REQUEST = pattern(
    r"(?i)\breq(uest)?\b\s*[.\[]|\b(query|body)_?params|searchParams|@RequestParam|@PathVariable|@QueryParam|URL\.Query|request\.(args|GET|POST|form|json)|\bparams\b|c\.Query\(|FormValue"
    r"|event\[[\"']|ctx\.(query|params)|@(app|router|bp|api)\.(get|post|route)|@(Get|Post|Request)Mapping"
)
_DEFINED = pattern(
    r"(?:function|def|func(?:\s+\([^)]{0,80}\))?|fun|fn|const)\s+(?:self\.)?(?P<name>\w{3,60})\s*(?:<[^>]{0,60}>)?\s*[(=]|^\s*(?:public|protected|private)?\s*[\w<>\[\], ?]{2,60}\s(?P<java>\w{3,60})\([^;]{0,200}\)\s*\{"
)
_TEMPLATE = pattern(
    r"""(?:[fF]?"[^"\n]{0,200}[#$]?\{[^{}"\n]{1,160}\}[^"\n]{0,300}"|[fF]'[^'\n]{0,200}\{[^{}'\n]{1,160}\}[^'\n]{0,300}'|`[^`\n]{0,200}\$\{[^{}\n]{1,160}\}[^`\n]{0,300}`)"""
    r"""|["'][^"'\n]{1,80}["']\s*(?:\+|\.(?=\s*\$)|\.\.)\s*[\w$@][^,;\n]{0,200}|["'][^"'\n]{0,80}%[sdvq][^"'\n]{0,80}["']\s*[,%]\s*[^;\n]{1,200}|(?:key\s*=\s*|,\s*)"(?:[^"\n]{0,80})#\w[^"\n]{0,120}" """.rstrip()
)
"""A text with gaps, or one that is put together."""
_MOMENT = pattern(r"\b(?:LocalDateTime|ZonedDateTime|OffsetDateTime|Instant|datetime|DateTime|DateTimeOffset|time\.Time)\b")
_SEVERAL = 3
_NEAR = 25
_BELOW = 4


def keys_of(context: RuleContext, files: Sequence[str]) -> tuple[CacheKey, ...]:
    """The keys that these files make themselves, and those that callers of their functions give."""
    found: dict[tuple[str, int], CacheKey] = {}
    for path in files:
        lines = (context.head.text(path) or "").split("\n")[:5_000]
        stores = stores_in("\n".join(lines))
        own = [
            n
            for n in range(1, len(lines) + 1)
            if DECORATED.search(t := lines[n - 1][:600])
            or (_TEMPLATE.search(t) and (is_key_line(context, lines, n) or _works_on(t, stores)))
        ]
        for at, line in (*((path, n) for n in own), *_calls(context, path, lines)):
            key = _key(context, at, line)
            if key is not None:
                found.setdefault((at, line), key)
    return tuple(found.values())


def _works_on(line: str, stores: frozenset[str]) -> bool:
    found = re.search(r"(?i)(?:^|[^\w.])(\w{1,40})\.(?:p?setex|set|add|put|get)\(", line)
    return found is not None and found[1] in stores


def _calls(context: RuleContext, path: str, lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Lines elsewhere that call a function of the file with a text that has gaps."""
    names = {n for text in lines for m in _DEFINED.finditer(text[:400]) if (n := m["name"] or m["java"])}
    for name, places in context.head.search(names).items() if names else ():
        for place in places[:30]:
            text = ((context.head.text(place.file) or "").split("\n")[place.line - 1 : place.line] or [""])[0][:600]
            called = re.search(rf"\b{re.escape(name)}\s*\((?P<given>.*)", text)
            if place.file != path and is_production_code(place.file) and called and re.match(r"\s*[fF]?[\"'`]", called["given"]):
                yield place.file, place.line


def _key(context: RuleContext, path: str, line: int) -> CacheKey | None:
    lines = (context.head.text(path) or "").split("\n")
    text = lines[line - 1]
    template = _TEMPLATE.search(text[:600])
    parts = tuple(dict.fromkeys(names_on(template[0]))) if template is not None else _decorated(lines, line)
    if not parts:
        return None
    place = Place(file=path, line=line)
    for part in parts:
        of = part_of(context, path, line, part)
        if of is not None and of.is_certain and of.each in (Each.REQUEST, Each.SESSION):
            return CacheKey(place, parts, Newness.ALWAYS, part)
    near = "\n".join(lines[max(0, line - _NEAR) : line + _BELOW])
    for part in parts:
        if re.search(rf"{_MOMENT.pattern}\s+{re.escape(part)}\b|\b{re.escape(part)}\s*:\s*{_MOMENT.pattern}", near):
            return CacheKey(place, parts, Newness.TIME, part)
    if _is_asked(context, path):
        for newness, known in ((Newness.TIME, _TIME), (Newness.FREE, _FREE)):
            for part in parts:
                if _last(part) in known:
                    return CacheKey(place, parts, newness, part)
        if len(parts) >= _SEVERAL:
            return CacheKey(place, parts, Newness.FREE, ", ".join(parts[:4]))
    return CacheKey(place, parts, Newness.UNKNOWN, "")


def _decorated(lines: Sequence[str], line: int) -> tuple[str, ...]:
    """The parameters of the function that a decorator without a key of its own stands on."""
    found = next((p for text in lines[line : line + _BELOW] if (p := parameters_of(text))), None)
    if found is None or not DECORATED.search(lines[line - 1]):
        return ()
    return tuple(name for name in found if name and name not in ("self", "cls"))


def _is_asked(context: RuleContext, path: str) -> bool:
    """Whether the file answers requests, or is called by one that does."""
    text = (context.head.text(path) or "")[:200_000]
    if _REQUEST.search(text):
        return True
    names = {n for m in _DEFINED.finditer(text) if (n := m["name"] or m["java"])}
    files = {p.file for places in context.head.search(names).values() for p in places[:20]} if names else set[str]()
    return any(_REQUEST.search((context.head.text(p) or "")[:200_000]) for p in sorted(files)[:40] if is_production_code(p))


def _last(part: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.split(r"[.:>\[]+", part)[-1].lower())
