"""Functions of Lambda that code invokes from now on, and the files from which that is reached."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES, is_test_path
from heuristics.rule import RuleContext

_NAMED = pattern(r"\b(?:FunctionName|function_name|functionName)\b[\"']?\s{0,4}(?:[:=(]|=>)")
_INVOKES = pattern(r"InvokeCommand|InvokeRequest|InvokeInput|\b[iI]nvoke(?:Async)?\s?[({]|\.invoke\b")
_ASYNC = pattern(
    r"InvocationType(?:\.|[\"']?\s{0,4}(?:[:=(]|=>)\s{0,4}[\w.]{0,30}[\"']?)(?:Event|EVENT)|invocation_type:\s?[\"']Event|InvokeAsync"
)
_IMPORTS = pattern(r"^\s*(?:import\b|from\b|export\b.*\bfrom\b|(?:const|let|var)\b.*\brequire\(|require(?:_relative)?\b|use\b)")
_DEPTH = 3


class AddedInvoke(Record):
    """A call that the change adds. `is_async`: the caller does not wait for it."""

    place: Place
    is_async: bool
    files: tuple[str, ...]
    """The file of the call, and those that import it, nearest first."""


def added_invokes(context: RuleContext) -> tuple[AddedInvoke, ...]:
    """Every added line that names the function which it invokes."""
    found: list[AddedInvoke] = []
    for file in context.changes.files:
        path = file.head_path
        if path is None or language_of(path) not in CODE_LANGUAGES or is_test_path(path) or not is_production_code(path):
            continue
        lines = (context.head.text(path) or "").split("\n")
        before = context.base.text(file.base_path) or "" if file.base_path else ""
        for number, text in file.added_lines().items():
            around = "\n".join(line[:500] for line in lines[max(0, number - 5) : number + 5])
            if _NAMED.search(text[:500]) is None or _INVOKES.search(around) is None or text.strip() in before:
                continue
            is_async = _ASYNC.search(around) is not None
            found.append(AddedInvoke(Place(file=path, line=number), is_async, tuple(_reached_from(context.head, path))))
    return tuple(found)


def _reached_from(tree: SourceTree, path: str) -> Iterator[str]:
    seen, level = {path}, [path]
    yield path
    for _ in range(_DEPTH):
        following: list[str] = []
        for at in level:
            stem = at.rpartition("/")[2].partition(".")[0]
            for places in tree.search([stem]).values():
                for place in places:
                    other = place.file
                    if other in seen or language_of(other) not in CODE_LANGUAGES or is_test_path(other):
                        continue
                    line = (tree.text(other) or "").split("\n")[place.line - 1]
                    if _IMPORTS.match(line[:300]) and re.search(rf"(?<!\w){re.escape(stem)}(?!\w)", line):
                        seen.add(other)
                        following.append(other)
                        yield other
        level = following
