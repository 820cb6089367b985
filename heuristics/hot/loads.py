"""Calls to other systems that a change adds to a path: what is called, in a loop or not, and of how many items at most."""

import re
from collections.abc import Iterator
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import (
    AddedCall,
    CallSite,
    added_calls,
    call_sites,
    is_ci_path,
    is_migration_path,
    is_production_code,
    language_of,
)
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.hot.lazy import lazy_touches
from heuristics.hot.spots import definitions, function_at
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

Outside = Literal["http", "database", "cache"]
_OUTSIDE: dict[str, Outside] = {"http": "http", "database": "database", "cache": "cache"}
_FINDERS = pattern(r"(?:^|\.)(?:find|find_by!?|where|exists\?|first|last|pluck|count|sum|update|create!?|save!?|all)$")
_RECORD = pattern(r"<\s*(?:ApplicationRecord|ActiveRecord::Base)|extends\s+(?:Model|Eloquent)\b|use\s+Ecto\.Schema")
_EAGER = pattern(
    r"(?:^|[.:>])(?:includes|preload|eager_load|select_related|prefetch_related|joinedload|selectinload|subqueryload|with|Include|ThenInclude)$"
)
_OBJECTS = pattern(
    r"(?i)(?:session|client|create\w*|connect|adapter|pool|Retry|compile|close|raise_for_status|json|status|open|commit|rollback|begin|cursor|prepare|migrate|ping|on|quit|disconnect)\(?\)?$"
)

_OWN_REQUEST = pattern(
    r"^(?:self\.|this\.|c\.)?(?:req|request|res|resp|response|r|w|ctx|context|headers?|params|query|form|event|url)\.|(?i:headers?|params|cookies|formdata)(?:\(\))?\.(?:get|set|add|append|has|Get|Set|Add)$"
)
"""The request that is being answered is no other system."""


class Load(Record):
    """A call that one request makes from now on. `target` is the line that leaves the program."""

    call: AddedCall
    kind: Outside
    target: Place
    target_callee: str
    is_in_loop: bool
    is_concurrent: bool
    most_items: int | None
    items_place: Place | None
    calls_each: int = 1
    eager: str = ""
    """The eager loading that went, when its absence is what adds the queries."""

    @property
    def place(self) -> Place:
        """The line that makes the call."""
        return Place(file=self.call.file, line=self.call.line, side="head")


def added_loads(context: RuleContext) -> tuple[Load, ...]:
    """Calls of HTTP services, databases and caches that existing functions make from now on; once a function and target."""
    found: dict[tuple[str, str, str, int], Load] = {}
    for file in context.changes.files:
        path = file.head_path
        if file.is_binary or not file.hunks or not path or not file.base_path or language_of(path) not in CODE_LANGUAGES:
            continue
        if not is_production_code(path) or is_ci_path(path) or is_migration_path(path) or is_elsewhere(path):
            continue
        base, head = context.base.text(file.base_path) or "", context.head.text(path) or ""
        for load in _of_file(context, path, base, head):
            found.setdefault((path, load.call.function, load.target.file, load.target.line), load)
    return tuple(found.values())


def _of_file(context: RuleContext, path: str, base: str, head: str) -> Iterator[Load]:
    language = language_of(path) or ""
    old = call_sites(base, language)
    kinds_before: dict[str, list[str]] = {}
    for site in old:
        kinds_before.setdefault(site.function, []).append(site.kind)
    for call in added_calls(path, base, head):
        if not call.function and not call.in_loop and language not in ("ruby", "php", "javascript", "typescript"):
            continue  # made once, when the program starts
        resolved = outside_of(context, call)
        if resolved is None:
            continue
        kind, place, callee, times = resolved
        same = sum(k == kind for k in kinds_before.get(call.function, ()))
        if same and not call.in_loop and not call.was_outside_loop and _replaces(call, old, head, language, kind):
            continue
        most, where = items_of(path, head, call.line, context)
        yield Load(call, kind, place, callee, call.in_loop, _is_concurrent(head, call.line), most, where, times)
    yield from _eager_lost(path, old, call_sites(head, language), head, context)
    for line, function, written, relation in lazy_touches(context, path, base, head):
        call = AddedCall(path, line, function, written, "database", in_loop=True, is_awaited=False, first_string=None)
        most, where = items_of(path, head, line, context)
        place = Place(file=relation.file, line=relation.line, side="head")
        yield Load(call, "database", place, written, is_in_loop=True, is_concurrent=False, most_items=most, items_place=where)


def _replaces(call: AddedCall, old: tuple[CallSite, ...], head: str, language: str, kind: Outside) -> bool:
    """Whether the function makes no more calls of the kind than before: one was exchanged for another."""
    new = call_sites(head, language)
    before, after = (
        sum(s.function == call.function and s.kind == kind and not _OBJECTS.search(s.callee) for s in side) for side in (old, new)
    )
    return after <= before


def outside_of(context: RuleContext, call: AddedCall) -> tuple[Outside, Place, str, int] | None:
    """What the call comes to: itself, or what the function of this repository that it names calls."""
    here = Place(file=call.file, line=call.line, side="head")
    kind = _OUTSIDE.get(call.kind)
    if not call.through and (_OBJECTS.search(call.callee) or _OWN_REQUEST.search(call.callee) or _is_user_session(call)):
        return None
    if kind is not None and not call.through:
        return kind, here, call.callee, 1
    name = re.split(r"[.:>!?]+", call.callee.rstrip("!?"))[-1]
    if not re.fullmatch(r"[A-Za-z_]\w{1,80}", name) or "()" in call.callee.rpartition(".")[0]:
        return None
    found = _called_by(context, call.file, name, call.callee, _HOPS)
    if found is not None:
        return found
    return (kind, here, call.callee, 1) if kind is not None else None


_HOPS = 3
"""Functions of this repository between the call and the line that leaves the program."""


def _called_by(context: RuleContext, file: str, name: str, via: str, hops: int) -> tuple[Outside, Place, str, int] | None:
    """The line by which a function of this repository leaves the program, in it or in what it calls itself."""
    inner: list[tuple[str, CallSite]] = []
    for spot in list(definitions(context.head, file, name, via=via))[:6]:
        text = context.head.text(spot.file) or ""
        sites = [s for s in call_sites(text, language_of(spot.file) or "") if spot.start <= s.line <= spot.end]
        is_record = _RECORD.search(text) is not None
        for site in sites:
            found = _OUTSIDE.get(site.kind) or ("database" if is_record and _FINDERS.search(site.callee) else None)
            if found is not None and not _OBJECTS.search(site.callee):
                same = [s for s in sites if s.callee == site.callee]
                return found, Place(file=spot.file, line=site.line, side="head"), site.callee, len(same)
        inner += [
            (spot.file, site) for site in sites if not _OBJECTS.search(site.callee) and not _OWN_REQUEST.search(site.callee)
        ]
    for place, site in inner[:12] if hops > 1 else ():
        word = re.split(r"[.:>!?]+", site.callee.rstrip("!?"))[-1]
        is_own = re.fullmatch(r"[A-Za-z_]\w{1,80}", word) and word != name and "()" not in site.callee.rpartition(".")[0]
        found = _called_by(context, place, word, site.callee, hops - 1) if is_own else None
        if found is not None:
            return found
    return None


def _eager_lost(
    path: str, old: tuple[CallSite, ...], new: tuple[CallSite, ...], head: str, context: RuleContext
) -> Iterator[Load]:
    kept = {(s.function, s.callee.rpartition(".")[2]) for s in new if _EAGER.search(s.callee)}
    for site in old:
        name = site.callee.rpartition(".")[2]
        if (
            not _EAGER.search(site.callee)
            or (site.function, name) in kept
            or (name in ("with", "Include") and language_of(path) == "python")
        ):
            continue
        spot = next((s for s in new if s.function == site.function and s.in_loop), None)
        if spot is None:
            continue
        call = AddedCall(
            path, spot.line, spot.function, spot.callee, "database", in_loop=True, is_awaited=spot.is_awaited, first_string=None
        )
        most, where = items_of(path, head, spot.line, context)
        yield Load(
            call,
            "database",
            Place(file=path, line=spot.line, side="head"),
            spot.callee,
            is_in_loop=True,
            is_concurrent=False,
            most_items=most,
            items_place=where,
            eager=name,
        )


_LIMIT = pattern(
    r"(?i)\blimit\s+(\d{1,7})\b|(?:\.|::|->)(?:limit|take|first|paginate|simplePaginate|per|per_page|setMaxResults)\(\s*(?:per_page:\s*)?(\d{1,7})\s*\)|\[\s*:\s*(\d{1,7})\s*\]|\bpage_?size\s*[:=]+\s*(\d{1,7})\b"
    r"|\b(?:limit|take|per_page|page_size|first|top)\s*[:=]\s*(\d{1,7})\b|\bPageRequest\.of\([^,()]{1,60},\s*(\d{1,7})|\bfind(?:Top|First)(\d{1,4})(?=[A-Z]|\b)"
)
_NAMED_LIMIT = pattern(
    r"(?i)^\s*(?:export\s+|private\s+|static\s+|final\s+|const\s+|let\s+|var\s+|int\s+|public\s+|val\s+)*(\w*(?:page|limit|batch|size|max|per_page)\w*)\s*(?::\s*\w+\s*)?(?::?=)\s*(\d{1,7})\b"
)


def items_of(path: str, text: str, line: int, context: RuleContext) -> tuple[int | None, Place | None]:
    """How many items a loop goes through at most, by a limit of its function or a constant of its file."""
    spot = function_at(context.head, path, line)
    lines = text.split("\n")
    start, end = (spot.start, spot.end) if spot is not None else (max(1, line - 15), line + 5)
    for number in range(start, min(end, len(lines)) + 1):
        found = _LIMIT.search(lines[number - 1][:500])
        if found:
            return int(next(g for g in found.groups() if g)), Place(file=path, line=number, side="head")
    body = "\n".join(lines[start - 1 : end])
    for number, written in enumerate(lines, start=1):
        found = _NAMED_LIMIT.match(written[:300])
        if found and re.search(rf"(?<!\w){re.escape(found[1])}(?!\w)", body):
            return int(found[2]), Place(file=path, line=number, side="head")
    return None, None


def _is_concurrent(text: str, line: int) -> bool:
    lines = text.split("\n")
    near = "\n".join(lines[max(0, line - 4) : line])
    return (
        re.search(
            r"Promise\.(?:all|allSettled)|asyncio\.gather|TaskGroup|errgroup|\bgo\s+func|parallel|ThreadPool|executor\.(?:map|submit)|create_task|Async\.",
            near,
        )
        is not None
    )


def _is_user_session(call: AddedCall) -> bool:
    """`session.get("user")` looks at the session of the visitor; a database's takes a model."""
    return call.kind == "database" and call.callee.endswith("session.get") and call.first_string is not None
