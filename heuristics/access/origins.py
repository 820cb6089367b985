"""Origins that a CORS or redirect allow-list loses."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.rule import RuleContext

_ORIGIN = pattern(r"""["'\s,;|=\[-](https?://[A-Za-z0-9.*-]{3,200}(?::\d{1,5})?)(?=["'\s,;|\]]|$)""")
_ABOUT = pattern(r"(?i)cors|origins?\b|allow\w*_?origin|Access-Control|trusted_?hosts|csrf")
_LOCAL = pattern(r"://(localhost|127\.|0\.0\.0\.0|\[::1\])")


class RemovedOrigin(Record):
    """One origin that was allowed, with the removed line."""

    origin: str
    place: Place
    kept_by: Place | None
    """A line of a list at head that still allows it."""


def removed_origins(context: RuleContext) -> tuple[RemovedOrigin, ...]:
    """Origins on removed lines of files that are about origins, and that the same file allows no more."""
    found = [one for file in context.changes.files for one in _of_file(context, file)]
    return tuple({one.origin: one for one in found}.values())


def _of_file(context: RuleContext, file: ChangedFile) -> Iterator[RemovedOrigin]:
    path = file.base_path
    if path is None or not is_production_code(path) or language_of(path) is None:
        return
    removed = [(line, m[1]) for line, text in file.removed_lines().items() for m in _ORIGIN.finditer(text[:4_000])]
    if not removed:
        return
    before = context.base.text(path) or ""
    after = context.head.text(file.head_path) or "" if file.head_path else ""
    left = {m[1] for m in _ORIGIN.finditer(after[:400_000])}
    if "*" in re.findall(r"""(?i)origins?\W{1,20}["'](\*)["']""", after):
        return
    for line, origin in removed:
        if origin in left or _LOCAL.search(origin) or not (_ABOUT.search(_around(before, line)) or _ABOUT.search(path)):
            continue
        yield RemovedOrigin(origin, Place(file=path, line=line, side="base"), _elsewhere(context, origin, path))


def _around(text: str, line: int) -> str:
    lines = text.split("\n")
    return "\n".join(lines[max(0, line - 12) : line + 3])


def _elsewhere(context: RuleContext, origin: str, path: str) -> Place | None:
    for place in context.head.search([origin.partition("://")[2]]).values():
        for one in place:
            if (
                one.file != path
                and is_production_code(one.file)
                and _ABOUT.search(_around(context.head.text(one.file) or "", one.line))
            ):
                return one
    return None
