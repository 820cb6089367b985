"""How many rounds a loop makes in one request, by what the function that holds it logs of the collection that it goes through."""

import re
from collections.abc import Iterator

from bot.investigator.asking import captures
from bot.investigator.case import Case
from bot.investigator.facts.hot_paths import Items
from gonogo.pattern import pattern
from heuristics.code import call_sites, language_of
from heuristics.hot.spots import functions_of

_HEADS = (
    pattern(r"\bfor\b.{0,200}?(?:\brange\b|\bin\b|\bof\b|:)\s*(?P<over>[$@]?[A-Za-z_][\w.]*)"),
    pattern(r"\bforeach\s*\(\s*(?:(?P<php>\$\w+)\s+as\b|[^)]{0,100}?\bin\s+(?P<over>[\w.]+))"),
    pattern(r"(?P<over>[$@]?[A-Za-z_][\w.]*?)\.(?:stream\(\)\.|iter\(\)\.|into_iter\(\)\.)?(?:forEach|for_each|each|each_with_index|map|ForEach)\b"),
    pattern(r"\bEnum\.(?:each|map)\(\s*(?P<over>\w+)"),
    pattern(r"(?P<over>[\w.]+)\s*\|>\s*Enum\.(?:each|map)"),
    pattern(r"\bfor\s*\([^;]{0,100};[^;]{0,60}?(?P<over>[$\w.]+?)(?:\.length|\.size\(\)|\.Count)\b"),
    pattern(r"\bfor\b[^;]{0,100};[^;]{0,60}?len\((?P<over>[\w.]+)\)"),
)  # fmt: skip
_SIZE = r"(?:len|count|sizeof|length)\(\s*(?P<of>[$@]?[A-Za-z_][\w.]*)\s*\)|(?P<its>[$@]?[A-Za-z_][\w.]*?)\.(?:length|size\(\)|size|count\(\)|Count\(\)|Count|len\(\)|Length)\b"
_KEYED = pattern(rf"[\"'`]?(?P<key>[A-Za-z_][\w.-]*)[\"'`]?\s*(?:[:=,]|=>)\s*(?:{_SIZE})")
_LOGS = pattern(
    r"(?i)\b(?:s?log(?:ger|ging)?|console|zap|logrus|zerolog|puts|print\w*|tracing)\b|\.(?:info|debug|warn|msg|int)\w*\(|\binfo!\("
)
_TEXT = pattern(r"[\"'`](?P<text>(?:[^\"'`\\]|\\.){3,200})[\"'`]")
_HOLE = pattern(r"\$\{(?P<js>[^{}]*)\}|#\{(?P<ruby>[^{}]*)\}|%[-+\d.]*[a-z]|\{(?P<py>[^{}]*)\}")


_NEAR = 25
"""Lines around a call in a handler without a name."""


def in_loop(case: Case, file: str, line: int) -> bool:
    """Whether a call on this line of head runs once a round of a loop."""
    language, text = language_of(file), case.diff.head.text(file)
    if language is None or text is None:
        return False
    return any(site.in_loop for site in call_sites(text, language) if site.line == line)


def rounds_of(case: Case, resource: str, file: str, line: int) -> Items | None:
    """The median and the most rounds that the sampled log tells; None when no line of the function tells the size."""
    lines = (case.diff.head.text(file) or "").split("\n")
    around = [(s.start, s.end) for s in functions_of(case.diff.head, file) if s.start <= line <= s.end]
    around = sorted(around, key=lambda span: span[1] - span[0])[:3]  # a callback stands inside of the function that logs
    for first, last in around or [(max(1, line - _NEAR), line + _NEAR)]:
        over = _collection([text[:300] for text in lines[first - 1 : line]])
        found = _told(case, resource, lines[first - 1 : last], over) if over else None
        if found is not None:
            return found
    return None


def _told(case: Case, resource: str, body: list[str], over: str) -> Items | None:
    for text in body:
        for tried in _patterns(text[:500], over) if _LOGS.search(text[:500]) else ():
            usual, top = (captures(case, resource, tried, "n", s) for s in ("p50", "max"))
            if usual is not None and top is not None:
                return Items(usual.value, top.value, usual)
    return None


def _collection(above: list[str]) -> str:
    """What the nearest loop above goes through."""
    for text in reversed(above):
        for head in _HEADS:
            found = head.search(text)
            if found is not None:
                return next(g for g in found.groups() if g).lstrip("$@")
    return ""


def _patterns(text: str, over: str) -> Iterator[str]:
    """How the log would show the number: by its key, or in its place in the sentence."""
    for found in _KEYED.finditer(text):
        if (found["of"] or found["its"] or "").lstrip("$@") == over:
            yield rf"(?<![\w.]){re.escape(found['key'])}[\"']?\s*[:=]\s*[\"']?(?P<n>\d{{1,7}})(?![\w.])"
    said = _TEXT.search(text)
    if said is None:
        return
    holes = list(_HOLE.finditer(said["text"]))
    inside = [i for i, h in enumerate(holes) if _is_size(next((g for g in h.groups() if g), ""), over)]
    after = re.split(r",(?![^(]*\))", text[said.end() :])[1:]
    given = [i for i, part in enumerate(after) if _is_size(part, over)]
    chosen = next(iter([*inside, *(i for i in given if i < len(holes))]), None)
    if chosen is not None:
        yield _sentence(said["text"], holes, chosen)


def _is_size(text: str, over: str) -> bool:
    return any((m["of"] or m["its"] or "").lstrip("$@") == over for m in re.finditer(_SIZE, text))


def _sentence(said: str, holes: list[re.Match[str]], chosen: int) -> str:
    written, at = "", 0
    for number, hole in enumerate(holes):
        written += re.escape(said[at : hole.start()]) + (r"(?P<n>\d{1,7})" if number == chosen else r"\S{1,80}")
        at = hole.end()
    return written + re.escape(said[at:][:60])
