"""What a call reaches when production has no edge to it yet: the name that its code, or a variable of its manifests, gives."""

import re
from collections.abc import Iterator

from bot.investigator.case import Case
from context_graph.newly_named import arns_in, meant
from gonogo.pattern import pattern
from gonogo.resource import Place, Resource
from heuristics.names.given import given_names

_ENVIRONMENT = pattern(
    r"""(?:environ(?:\.get)?\s{0,2}[\[(]|getenv\w{0,3}\(|Getenv\(|process\.env(?:\.|\[)|ENV(?:\.fetch\(|\[)|env(?:::var|\.str|\.string)?\(|[Nn]eed\w{0,8}\(|[Rr]equired?\w{0,8}\(|mustEnv\w{0,8}\(|\$\{)\s{0,2}["'`]?(?P<name>[A-Z][A-Z0-9_]{2,80})"""
)
_TEXT = pattern(r"""["'`](?P<text>[A-Za-z0-9_][^"'`\s]{2,300})["'`]""")
_WORD = pattern(r"[A-Za-z_]\w{2,60}")
_SAYS = pattern(
    r"[Tt]able|TABLE|[Qq]ueue|QUEUE|[Tt]opic|TOPIC|[Ss]tream|STREAM|[Bb]ucket|BUCKET|[Ff]unction|[Uu]rl|URL|[Hh]ost|HOST|[Ee]ndpoint|ENDPOINT|[Aa]ddr|ADDR|https?://|fetch|axios|requests\.|redis|Redis"
)
_HOPS = 2


def named_target(case: Case, place: Place, callee: str, kinds: tuple[str, ...]) -> Resource | None:
    """The one live resource of these kinds that the lines around a call name; None when they name several or none."""
    found: dict[str, Resource] = {}
    for text, said in _named(case, place, callee):
        pairs, ids = set(meant(text, said)), set(arns_in(text))
        for one in case.production.resources:
            if one.kind.startswith(kinds) and (one.id in ids or (one.kind, one.name) in pairs):
                found[one.id] = one
    return next(iter(found.values())) if len(found) == 1 else None


def _named(case: Case, place: Place, callee: str) -> Iterator[tuple[str, str]]:
    """Texts, and what each is called, that the call, its receiver and the constants they use come to."""
    given = _given(case)
    for line in _lines(case, place, callee):
        for found in _ENVIRONMENT.finditer(line):
            for value in given.get(found["name"], ()):
                yield value, found["name"]
        if _SAYS.search(line):
            for found in _TEXT.finditer(line):
                yield found["text"], line[:200]


def _given(case: Case) -> dict[str, set[str]]:
    """Variable → the values that head's manifests give it."""
    found: dict[str, set[str]] = {}
    for declared in case.diff.declared["head"].resources if "head" in case.diff.declared else ():
        for name, given in given_names(declared).items():
            if isinstance(given.setting.value, str):
                found.setdefault(name, set()).add(given.setting.value.strip())
    return found


def _lines(case: Case, place: Place, callee: str) -> Iterator[str]:
    """The call's lines, then those that give its receiver and its constants their values, here and in what it imports."""
    lines = (case.diff.head.text(place.file) or "").split("\n")
    near = [line[:600] for line in lines[max(0, place.line - 1) : place.line + 6]]
    receiver = re.match(r"(?:self\.|this\.|c\.|s\.)?_?(\w+)\.", callee)
    wanted = {receiver[1]} if receiver is not None else set[str]()
    yield from near
    wanted |= {w for line in near[:4] for w in _WORD.findall(line) if _SAYS.search(w) or w.isupper()}
    seen: set[str] = set()
    for _ in range(_HOPS):
        following: set[str] = set()
        for word in sorted(wanted - seen)[:12]:
            seen.add(word)
            for line in _definitions(case, place.file, lines, word):
                yield line
                following |= {w for w in _WORD.findall(line) if _SAYS.search(w) or w.isupper()}
        wanted = following


def _definitions(case: Case, file: str, lines: list[str], word: str) -> Iterator[str]:
    given = rf"{re.escape(word)}\s*(?::\s*[\w.<>\[\]| ]+?\s*)?(?:=(?![=>])|:(?!:)|:=)"
    gives = re.compile(rf"(?<![\w.]){given}|(?:self|this|exports)\._?{given}")
    own = [line[:600] for line in lines if gives.search(line)]
    if own or len(word) < 5:
        yield from own[:4]
        return
    for places in case.diff.head.search({word}).values():
        for at in [p for p in places if p.file != file][:8]:
            line = ((case.diff.head.text(at.file) or "").split("\n")[at.line - 1])[:600]
            if gives.search(line):
                yield line
