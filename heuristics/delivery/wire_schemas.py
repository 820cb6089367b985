"""Records of schema files as their encoding sees them: protobuf and Thrift by number, Avro and JSON Schema by name."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from gonogo.pattern import pattern
from gonogo.record import Record

_TOKEN = pattern(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|#[^\n]*|/\*.*?\*/|[\w.]+|[{}()\[\]<>;=,:\n]', re.DOTALL)
_PROTO_FIELD = pattern(r"(?:(repeated|optional|required)\s+)?(map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*(\d+)\s*(\[.*)?$", re.DOTALL)
_THRIFT_FIELD = pattern(
    r"(\d+)\s*:\s*(?:(required|optional)\s+)?((?:list|set|map)\s*<[^>]*>|[\w.]+)\s+(\w+)(\s*=.*)?$", re.DOTALL
)
_LONGEST = 400_000


class WireField(Record):
    """One field. `key` is what the encoding goes by: the number of protobuf and Thrift, the name of Avro and JSON."""

    key: str
    name: str
    type: str
    line: int
    is_required: bool = False
    """A reader fails without it (Avro without default, Thrift and proto2 required, JSON Schema required)."""


class WireRecord(Record):
    """One message type of one file."""

    encoding: str
    """protobuf, thrift, avro or json-schema."""
    name: str
    """With its package or namespace."""
    fields: Mapping[str, WireField]
    file: str
    line: int

    @property
    def short_name(self) -> str:
        """Without package."""
        return self.name.rpartition(".")[2]


def is_schema_path(path: str) -> bool:
    """Whether a file of that name may hold such records."""
    return path.endswith((".proto", ".thrift", ".avsc", ".avdl.json", ".schema.json")) or (
        path.endswith(".json") and "schema" in path.lower()
    )


def records_in(path: str, text: str) -> tuple[WireRecord, ...]:
    """The records of one file; none where it cannot be read."""
    if len(text) > _LONGEST:
        return ()
    if path.endswith((".proto", ".thrift")):
        return tuple(_by_number(path, text))
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    if path.endswith(".avsc"):
        return tuple(_avro(path, text, document, ""))
    return tuple(_json_schema(path, text, document))


def _by_number(path: str, text: str) -> Iterator[WireRecord]:
    is_proto = path.endswith(".proto")
    package = re.search(r"(?m)^\s*package\s+([\w.]+)\s*;", text) if is_proto else None
    shape = _PROTO_FIELD if is_proto else _THRIFT_FIELD
    open_blocks: list[tuple[str, str, int, dict[str, WireField]]] = []
    statement, started, line = "", 1, 1
    for token in _TOKEN.finditer(text):
        word = token[0]
        at = line
        line += word.count("\n")
        if word.startswith(("//", "#", "/*")):
            continue
        if word == "{":
            head = statement.split()
            kind = head[-2] if len(head) > 1 else ""
            outer = next(
                (b[1] for b in reversed(open_blocks) if b[0] in ("message", "struct", "exception")), package[1] if package else ""
            )
            name = head[-1] if head else ""
            full = f"{outer}.{name}" if outer else name
            inherits = kind == "oneof" and open_blocks
            open_blocks.append((kind, full, at, open_blocks[-1][3] if inherits else {}))
            statement = ""
        elif word == "}":
            _take(statement, started, shape, open_blocks)
            statement = ""
            if open_blocks:
                kind, full, first, fields = open_blocks.pop()
                if kind in ("message", "struct", "exception") and fields:
                    yield WireRecord("protobuf" if is_proto else "thrift", full, dict(fields), path, first)
        elif _ends(word, statement, is_proto=is_proto):
            _take(statement, started, shape, open_blocks)
            statement = ""
        elif word != "\n":
            started = started if statement.strip() else at
            statement += word if word in "<>[]:=," else f" {word} "


def _ends(word: str, statement: str, *, is_proto: bool) -> bool:
    """Whether the token ends a statement: Thrift also ends one at a line end, or at a comma outside `map<…>`."""
    if word == ";" or is_proto:
        return word == ";"
    return word == "\n" or (word == "," and "<" not in statement.rpartition(">")[2])


def _take(statement: str, line: int, shape: re.Pattern[str], blocks: list[tuple[str, str, int, dict[str, WireField]]]) -> None:
    found = shape.match(statement.strip()) if blocks else None
    if found is None or blocks[-1][0] not in ("message", "struct", "exception", "oneof"):
        return
    if shape is _PROTO_FIELD:
        label, kind, name, number = found[1] or "", found[2], found[3], found[4]
    else:
        number, label, kind, name = found[1], found[2] or "", found[3], found[4]
    shown = ("repeated " if label == "repeated" else "") + re.sub(r"\s+", "", kind)
    blocks[-1][3][number] = WireField(number, name, shown, line, is_required=label == "required")


def _avro(path: str, text: str, node: object, namespace: str) -> Iterator[WireRecord]:
    if isinstance(node, list):
        for one in cast("list[object]", node):
            yield from _avro(path, text, one, namespace)
    if not isinstance(node, dict):
        return
    known = cast("dict[str, Any]", node)
    space = str(known.get("namespace") or namespace)
    if known.get("type") in ("record", "error") and isinstance(known.get("fields"), list):
        name = str(known.get("name", ""))
        fields: dict[str, WireField] = {}
        for row in cast("list[object]", known["fields"]):
            if isinstance(row, dict) and isinstance(field := cast("dict[str, Any]", row).get("name"), str):
                given = cast("dict[str, Any]", row)
                fields[field] = WireField(
                    field,
                    field,
                    json.dumps(given.get("type"), sort_keys=True),
                    _line_of(text, field),
                    is_required="default" not in given,
                )
                yield from _avro(path, text, given.get("type"), space)
        yield WireRecord("avro", f"{space}.{name}" if space and "." not in name else name, fields, path, _line_of(text, name))
    elif known.get("type") in ("array", "map"):
        yield from _avro(path, text, known.get("items", known.get("values")), space)


def _json_schema(path: str, text: str, node: object) -> Iterator[WireRecord]:
    if not isinstance(node, dict):
        return
    known = cast("dict[str, Any]", node)
    properties = known.get("properties")
    name = known.get("$id") or known.get("title")
    if not isinstance(properties, dict) or not isinstance(name, str):
        return
    listed = known.get("required")
    required = {str(r) for r in cast("list[object]", listed)} if isinstance(listed, list) else set[str]()
    fields = {
        str(key): WireField(str(key), str(key), json.dumps(cast("dict[str, Any]", row).get("type") if isinstance(row, dict) else None), _line_of(text, str(key)), is_required=key in required)
        for key, row in cast("dict[object, object]", properties).items()
    }  # fmt: skip
    yield WireRecord("json-schema", name, fields, path, 1)


def _line_of(text: str, name: str) -> int:
    at = text.find(f'"{name}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
