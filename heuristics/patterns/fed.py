"""Under which names the text that a pattern is tried on stands in requests and in the log."""

import re
from collections.abc import Iterator

from gonogo.ports import SourceTree
from heuristics.code.word_sets import words
from heuristics.hot.spots import Spot, function_at, uses
from heuristics.patterns.added import AddedPattern

_SITES_LIMIT = 40
_PLUMBING = words(
    "req request res response reply ctx context event self this body headers header query params param args kwargs form json data get "
    "return if not and or await async true false null none undefined str string trim strip lower upper tolowercase touppercase "
    "test match matches exec search fullmatch value text input raw val s v x it i e item const let var new log logger logging console"
)
_BARE = words("name id key type code url path status")
_MARK = "PATTERN__"


def names_fed(tree: SourceTree, found: AddedPattern) -> frozenset[str]:
    """Names, as `plain_name` writes them, of the fields and variables whose text the pattern meets."""
    names: set[str] = set()
    pending: list[tuple[str, int, str, int]] = []
    if found.name:
        pending += [(f, n, found.name, 0) for f, n in uses(tree, found.place.file, found.name)]
    else:
        pending.append((found.place.file, found.place.line, "", 0))
    seen: set[tuple[str, int]] = set()
    while pending and len(seen) < _SITES_LIMIT:
        file, number, symbol, depth = pending.pop(0)
        if (file, number) in seen:
            continue
        seen.add((file, number))
        lines = (tree.text(file) or "").split("\n")
        written = lines[number - 1][:600] if number <= len(lines) else ""
        if not symbol:
            written = written.replace(found.pattern, _MARK) if found.pattern in written else ""
            written = re.sub(rf"[rRbu@$]*[/\"'`~]+{_MARK}[/\"'`]+[a-z]*", _MARK, written)
        operand = _operand(written, symbol or _MARK)
        if not operand:
            continue
        variables = set(re.findall(r"(?<![.\w\"'-])[A-Za-z_$@][\w$]*", operand))
        names |= _fields(operand) | {plain_name(v) for v in variables if v.lower() not in _BARE}
        spot = function_at(tree, file, number)
        if spot is None:
            start, end = max(0, number - 8), number + 8
        else:
            start, end = spot.start - 1, min(spot.end, spot.start + 200)
        for variable in sorted(variables):
            if variable.lower() not in words("req request self this ctx event"):
                names.update(_around(lines[start:end], variable))
                if spot is not None and depth < 2 and _is_parameter(lines, spot, variable):
                    pending += [(f, n, spot.name, depth + 1) for f, n in uses(tree, file, spot.name, spot.scope)]
    return frozenset(n for n in names if n and n not in _PLUMBING)


def plain_name(written: str) -> str:
    """`x-campaign`, `X_Campaign` and `campaign` are one name."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"^x-", "", written.lower().strip("@$")))


def _operand(written: str, symbol: str) -> str:
    """What stands where the tried text stands: `P.test(HERE)`, `HERE.match(P)`, `re.match(P, HERE)`, `HERE =~ P`."""
    name = re.escape(symbol)
    for shape in (
        rf"(?<![\w]){name}\s*(?:\.\w+[?!]?\s*)?\(\s*(?P<it>[^,;{{}}]{{1,200}})",
        rf"\(\s*(?:[\w.]+\.)?{name}\s*,\s*(?:[\"'][^\"']*[\"']\s*,\s*)?(?P<it>[^,;{{}}]{{1,200}})",
        rf"(?P<it>[\w.$@?\[\]\"'-]{{1,120}}(?:\([^()]{{0,60}}\))?)\s*(?:=~|!~)\s*{name}",
        rf"(?P<it>[\w.$@?\[\]\"'-]{{1,120}}(?:\([^()]{{0,60}}\))?)\.(?:match\w*\??|search|replace\w*|split|scan|test)\(\s*{name}",
        rf"\b[Ii]s_?[Mm]atch\(\s*(?P<it>[^,;{{}}]{{1,200}}),\s*{name}",
        rf"[\"']?(?P<it>\b[\w-]{{1,60}})[\"']?\s*[:=]\s*[\w.$]{{1,40}}(?:\([^()]{{0,80}}\)(?:\.\w{{1,30}})?){{0,4}}\.(?:regex|pattern|matches)\(\s*{name}",
    ):
        match = re.search(shape, written)
        if match is not None:
            return match["it"]
    return ""


def _fields(written: str) -> set[str]:
    """The last attribute of each chain, and texts that are keys."""
    keys = re.findall(r"[\"']([A-Za-z_][\w.-]{0,60})[\"']", written) + re.findall(r":([a-z_]\w{0,60})\b", written)
    return {plain_name(n) for n in (*keys, *re.findall(r"\.([A-Za-z_]\w{0,60})(?!\s*\(|\w|\.|\[)", written))}


def _around(lines: list[str], variable: str) -> Iterator[str]:
    """Where the variable comes from, and under which key the log names it."""
    name = re.escape(variable)
    for line in lines:
        text = line[:400]
        if not re.search(rf"(?<![\w.]){name}(?!\w)", text):
            continue
        if re.search(
            rf"\{{[^{{}}]*(?<![\w.]){name}(?!\w)[^{{}}]*\}}\s*=\s*[\w.]*(?:req|request|ctx|event|body|query|params|input|args|form)\b",
            text,
        ):
            yield plain_name(variable)  # taken out of a request under its own name
        came = re.search(rf"(?<![\w.]){name}\s*(?::\s*\w+\s*)?:?=(?![=>~])\s*(?P<from>.{{1,200}})", text)
        if came is not None:
            yield from _fields(came["from"])
        for key in re.findall(
            rf"([A-Za-z_][\w.-]{{0,60}})[\"']?\s*[:=]\s*[\"'`]?(?:\$\{{|#\{{|\{{|\"\s*\+|'\s*\+)?\s*(?:[\w.]{{1,40}}\(\s*)?{name}(?!\w)",
            text,
        ):
            yield plain_name(key.rpartition(".")[2])
        if len(re.findall(r"%[-\w.]|\{\d?\}", text)) == 1:
            yield from (plain_name(k) for k in re.findall(r"([A-Za-z_][\w-]{0,60})\s*[:=]\s*[\"']?(?:%[-\w.]|\{\d?\})", text))


def _is_parameter(lines: list[str], spot: Spot, variable: str) -> bool:
    head = " ".join(lines[spot.start - 1 : spot.start + 4])[:600]
    found = re.search(r"\(([^()]*)\)|(?<![\w.])(\w+)\s*=>|\bdef\s+\w+[?!]?\s+(.*)", head)
    return (
        found is not None
        and re.search(rf"(?<![\w.]){re.escape(variable)}(?!\w)", next((g for g in found.groups() if g), "")) is not None
    )
