"""Parts of a store that code names when it calls: the index of a table, the key of an object, the qualifier of a function."""

import re
from collections.abc import Iterable, Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import Use
from heuristics.code.paths import CODE_LANGUAGES, is_production_code, is_test_path, language_of

_INDEX = pattern(
    r"\b(?:IndexName|index_name|indexName|WithIndexName)\b[\"']?\s{0,4}(?:[:=(]|=>)\s{0,4}(?:aws\.String\(|Some\(|&)?"
    r"(?:[\"'`](?P<name>[\w.-]+)[\"'`]|(?P<variable>[A-Za-z_][\w.]*))"
)
_INDEX_CALL = pattern(r"\.index\(\s{0,4}\"(?P<name>[\w.-]+)\"")
_KEYED = pattern(
    r"\b(?:Key|key|ObjectKey|object_key|objectKey|Prefix|prefix|blob_name)\b[\"']?\s{0,4}(?:[:=(]|=>)\s{0,4}(?:aws\.String\()?(?P<value>[^,\n)]{1,200})"
)
_WRITTEN = pattern(
    r"^(?:[fbr]{0,2}|\$|(?:fmt\.Sprintf|String\.format|format!?)\(\s{0,4})[\"'`](?P<start>[^\"'`{$%#]*)(?P<more>[\"'`{$%#]?)"
)
_PATH_ARGUMENT = pattern(
    r"[,(]\s{0,4}(?:[fbr]{0,2}|\$|(?:fmt\.Sprintf|String\.format)\(\s{0,4})[\"'`](?P<start>[\w.-]+/[^\"'`{$%#]*)"
)
_NAME = pattern(r"^[A-Za-z_][\w.]*$")


class SubResource(Record):
    """What a call names below its store; `name` is None where the code does not say it in plain text.

    Of an object key it is the part that every such key begins with.
    """

    name: str | None
    place: Place


def indexes_used(tree: SourceTree) -> tuple[SubResource, ...]:
    """Every index of a table that production code names in a call."""
    found: list[SubResource] = []
    for places in tree.search(["IndexName", "index_name", "indexName", "WithIndexName", "index"]).values():
        for place in places:
            if not _is_code(place.file):
                continue
            text = tree.text(place.file) or ""
            line = text.split("\n")[place.line - 1][:1_000]
            match = _INDEX.search(line) or (_INDEX_CALL.search(line) if "dynamo" in text.lower() else None)
            if match is not None:
                variable = match.groupdict().get("variable")
                found.append(SubResource(match["name"] or _value_of(text, variable or ""), place))
    return tuple(dict.fromkeys(found))


def object_keys(tree: SourceTree, uses: Iterable[Use]) -> tuple[SubResource, ...]:
    """With what the keys of these calls begin."""
    found: list[SubResource] = []
    for use in uses:
        text = tree.text(use.file) or ""
        lines = text.split("\n")
        around = "\n".join(line[:500] for line in lines[use.line - 1 : use.line + 8])
        found += [SubResource(start, use.place) for start in _starts(around, text)] or [SubResource(None, use.place)]
    return tuple(dict.fromkeys(found))


def _starts(around: str, text: str) -> Iterator[str | None]:
    keyed = _KEYED.search(around)
    if keyed is not None:
        value = keyed["value"].strip()
        match = _WRITTEN.match(value)
        yield _start_of(match) if match is not None else _value_of(text, value) if _NAME.match(value) else None
        return
    argument = _PATH_ARGUMENT.search(around.split("\n", 1)[0])
    if argument is not None:
        yield argument["start"]


def _start_of(match: re.Match[str]) -> str | None:
    return match["start"] or None


def _value_of(text: str, variable: str) -> str | None:
    """The text that one plain assignment of the file gives a name."""
    last = variable.rpartition(".")[2]
    if not last:
        return None
    given = re.compile(
        rf"\b{re.escape(last)}\b[^=\n:(]{{0,30}}(?::=|=|:)\s{{0,4}}(?P<value>(?:[fbr]{{0,2}}|\$|(?:fmt\.Sprintf|String\.format)\(\s{{0,4}})[\"'`][^\n]*)"
    )
    values = {_start_of(m) for one in given.finditer(text) if (m := _WRITTEN.match(one["value"])) is not None}
    return values.pop() if len(values) == 1 else None


def _is_code(path: str) -> bool:
    return language_of(path) in CODE_LANGUAGES and is_production_code(path) and not is_test_path(path)
