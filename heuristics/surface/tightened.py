"""Handlers that refuse calls from now on which they let through: a check of a header or signature that was skipped when it was absent.

`if sig and not matches(body, sig): abort(401)` lets a call without a signature in; without `sig and` it is refused.
"""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile, Hunk
from gonogo.pattern import pattern
from gonogo.resource import Place
from heuristics.code import Narrowed, Route, is_production_code, language_of, routes
from heuristics.code.paths import CODE_LANGUAGES, is_test_path
from heuristics.rule import RuleContext

_ABSENT = r"(?:\s*(?:!=|!==|is not|~=)\s*(?:\"\"|''|nil|null|None|undefined)|\.(?:present\?|isPresent\(\)|isNotEmpty\(\)|nonEmpty)|\s*\?\.\w+)?"
_SKIPPED = pattern(
    rf"(?P<guard>[A-Za-z_][\w.\[\]\"'()-]{{0,80}}?){_ABSENT}\s*(?:\band\b|&&)\s*(?:not\s+|!\s*)(?P<call>[\w.:]+[?!]?)(?=[\s(])"
)
_REFUSED = pattern(
    r"(?i)\b(?:abort|status|sendStatus|halt|HTTPException|HttpError|Response|error|head|respond|render|json|writeHead|StatusCode|send_error|WithStatus\w*|AbortWithStatus\w*)\b[^\n]{0,60}?(?<!\d)4(?:00|01|03|22)(?!\d)"
    r"|http\.Status(?:Unauthorized|Forbidden|BadRequest)|Unauthorized|Forbidden(?:Exception)?|:unauthorized|:forbidden|\b40[13]\b"
)
_DEMANDED = pattern(
    r"(?i)(?:not\s+|!\s*|unless\s+|is None|== ?(?:\"\"|''|nil|null|None)).{0,120}(?:signature|\bsig\b|token|api_?key|authorization|hmac|bearer|credential)"
    r"|(?:signature|\bsig\b|token|api_?key|authorization|hmac|bearer|credential)\w*.{0,60}(?:is None|={2,3} ?(?:\"\"|''|nil|null|None|undefined))"
)
_NEAR = 4


def tightened_demands(context: RuleContext) -> Iterator[Narrowed]:
    """One for every handler that lost the condition by which it let calls through, or that got a refusal of its own."""
    for file in context.changes.files:
        path = file.head_path
        if path is None or file.base_path is None or language_of(path) not in CODE_LANGUAGES or is_test_path(path):
            continue
        if not is_production_code(path) or not any(_may_matter(h) for h in file.hunks):
            continue
        lines = (context.head.text(path) or "").split("\n")
        at_head = sorted((r for r in routes(context.head) if r.file == path), key=lambda r: r.line)
        for hunk in file.hunks:
            found = _tightened(hunk, lines)
            route = _route_of(at_head, file, found[0]) if found is not None else None
            if found is not None and route is not None:
                line, name = found
                there = Place(file=file.base_path, line=max(hunk.base_start, 1), side="base")
                yield Narrowed(route, "auth added", "auth", name, there, Place(file=path, line=line))


def _may_matter(hunk: Hunk) -> bool:
    return any(_SKIPPED.search(t[:500]) or _DEMANDED.search(t[:500]) for t in (*hunk.removed, *hunk.added))


def _tightened(hunk: Hunk, lines: list[str]) -> tuple[int, str] | None:
    """The head line that refuses more than before, and what it asks for."""
    added = list(enumerate(hunk.added, start=hunk.head_start))
    for text in hunk.removed:
        skipped = _SKIPPED.search(text[:500])
        if skipped is None:
            continue
        call = re.compile(rf"(?:not\s+|!\s*|unless\s+|=\s*){re.escape(skipped['call'])}(?=[\s(])")
        for number, new in added:
            again = _SKIPPED.search(new[:500])
            if call.search(new[:500]) and (again is None or again["guard"] != skipped["guard"]) and _refuses(lines, number):
                return number, skipped["guard"].rpartition(".")[2].strip("\"'()[]")
    was_refusing = any(_REFUSED.search(t[:500]) for t in hunk.removed)
    for number, new in added if not was_refusing else []:
        if _DEMANDED.search(new[:500]) and any(_REFUSED.search(t[:500]) for n, t in added if number <= n <= number + _NEAR):
            named = re.search(r"(?i)[\w-]*(?:signature|token|api_?key|authorization|hmac|bearer|credential|\bsig\b)\w*", new)
            return number, named[0] if named is not None else "credentials"
    return None


def _refuses(lines: list[str], number: int) -> bool:
    return any(_REFUSED.search(text[:500]) for text in lines[max(0, number - 2) : number + _NEAR])


def _route_of(at_head: list[Route], file: ChangedFile, line: int) -> Route | None:
    """The endpoint whose handler holds the line; none for one that is new itself."""
    above = [r for r in at_head if r.line <= line]
    if not above or above[-1].line in file.added_lines():
        return None
    return above[-1]
