"""Fields of shared schemas that a change takes away, numbers anew, retypes or renames, and other copies of the same record."""

import re
from collections.abc import Iterator
from typing import Literal

from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES, is_test_path
from heuristics.delivery.wire_schemas import WireField, WireRecord, is_schema_path, records_in
from heuristics.rule import RuleContext
from heuristics.schema.naming import camel

How = Literal["gone", "retyped", "renamed"]
_VARINT = frozenset(["int32", "uint32", "int64", "uint64", "bool", "i8", "i16", "i32", "i64", "byte"])
_GROUPS = (
    _VARINT,
    frozenset(("sint32", "sint64")),
    frozenset(("fixed32", "sfixed32")),
    frozenset(("fixed64", "sfixed64")),
    frozenset(("string", "bytes")),
)
_PROMOTED = {
    ("int", "long"),
    ("int", "float"),
    ("int", "double"),
    ("long", "float"),
    ("long", "double"),
    ("float", "double"),
    ("string", "bytes"),
    ("bytes", "string"),
}


class Copy(Record):
    """Another copy of the record, which keeps the field, and a line of the code beside it that reads the field."""

    record: WireRecord
    field: WireField
    use: Place | None


class WireChange(Record):
    """One field that is not on the wire as it was."""

    how: How
    record: WireRecord
    before: WireField
    after: WireField | None
    """What stands in its place: under its key, else under its name."""
    path: str
    head: Place
    copies: tuple[Copy, ...]


def wire_changes(context: RuleContext) -> tuple[WireChange, ...]:
    """Every changed field of the schema files of the change."""
    found: list[WireChange] = []
    for file in context.changes.files:
        if file.base_path is None or file.head_path is None or not is_schema_path(file.head_path) or is_test_path(file.head_path):
            continue
        before = {r.name: r for r in records_in(file.base_path, context.base.text(file.base_path) or "")}
        after = {r.name: r for r in records_in(file.head_path, context.head.text(file.head_path) or "")}
        for name, record in before.items():
            if name in after:
                is_asked = _is_request(record.short_name, context.base.text(file.base_path) or "")
                for how, old, new in _differences(record, after[name]):
                    if is_asked and how == "gone" and new is None:
                        continue  # the server stopped reading it; what old callers send besides is skipped
                    line = new.line if new is not None else file.head_line_after_which(old.line)
                    copies = tuple(_copies(context, record, old, file.head_path))
                    found.append(
                        WireChange(how, after[name], old, new, file.base_path, Place(file=file.head_path, line=line), copies)
                    )
    return tuple(found[:40])


def _is_request(record: str, text: str) -> bool:
    """Whether procedures take the record and none answers with it."""
    takes = re.search(rf"\brpc\s+\w+\s*\(\s*(?:stream\s+)?(?:[\w.]+\.)?{re.escape(record)}\s*\)", text)
    gives = re.search(rf"\breturns\s*\(\s*(?:stream\s+)?(?:[\w.]+\.)?{re.escape(record)}\s*\)", text)
    return takes is not None and gives is None


def _differences(before: WireRecord, after: WireRecord) -> Iterator[tuple[How, WireField, WireField | None]]:
    for key, old in before.fields.items():
        new = after.fields.get(key)
        if new is None:
            moved = next(
                (f for f in after.fields.values() if f.name == old.name or (f.key not in before.fields and f.type == old.type)),
                None,
            )
            yield "gone", old, moved
        elif not _reads_as(old.type, new.type, before.encoding):
            yield "retyped", old, new
        elif old.name != new.name:
            yield "renamed", old, new


def _reads_as(old: str, new: str, encoding: str) -> bool:
    """Whether bytes of the one type read as the other."""
    if old == new:
        return True
    if encoding in ("protobuf", "thrift"):
        is_own = [t.rpartition(".")[2][:1].isupper() for t in (old, new)]
        return any(old in group and new in group for group in _GROUPS) or (
            all(is_own) and old.rpartition(".")[2] == new.rpartition(".")[2]
        )
    plain = (old.strip('"'), new.strip('"'))
    return (plain[1], plain[0]) in _PROMOTED or (plain[1] in plain[0] and "[" in plain[0])


def _copies(context: RuleContext, record: WireRecord, field: WireField, path: str) -> Iterator[Copy]:
    extension = path.rpartition(".")[2]
    changed = {f.head_path for f in context.changes.files}
    for other in context.head.paths():
        if (
            other == path
            or not other.endswith(f".{extension}")
            or is_test_path(other)
            or not is_schema_path(other)
            or other in changed
        ):
            continue
        for found in records_in(other, context.head.text(other) or ""):
            kept = found.fields.get(field.key)
            if kept is not None and _is_same(found, record) and kept.name == field.name:
                yield Copy(found, kept, _use(context.head, other, field.name, record.short_name))


def _is_same(one: WireRecord, other: WireRecord) -> bool:
    if one.name == other.name:
        return True
    shared = sum(1 for k, f in other.fields.items() if k in one.fields and one.fields[k].name == f.name)
    return one.short_name == other.short_name and shared >= max(2, len(other.fields) - 1)


def _accessor(field: str) -> re.Pattern[str]:
    """What generated code calls the field: `GetAmount()`, `getAmount()`, `.Amount`, `.amount`, `["amount"]`."""
    name = camel(field)
    plain = {field, name, name[:1].lower() + name[1:]}
    words = "|".join(re.escape(w) for w in sorted(plain))
    return re.compile(rf"\.[Gg]et{name}\(|\.(?:{words})\b(?!\s*=[^=])|\[[\"'](?:{words})[\"']\]")


def _use(tree: SourceTree, schema: str, field: str, record: str) -> Place | None:
    """A line of code in the folder of the program that holds the copy which reads the field by a generated accessor."""
    accessor, getter = _accessor(field), re.compile(rf"\.[Gg]et{camel(field)}\(")
    generated = re.compile(rf"\b{re.escape(record)}\b|_pb2?\b|_pb['\"]|\bpb\.|\bgrpc\b")
    folder = schema.rpartition("/")[0]
    for _ in range(3):
        for path in tree.paths() if folder else ():
            if path.startswith(folder + "/") and language_of(path) in CODE_LANGUAGES and is_production_code(path):
                text = (tree.text(path) or "")[:200_000]
                shape = accessor if generated.search(text) is not None else getter
                for number, line in enumerate(text.split("\n"), start=1):
                    if shape.search(line[:600]):
                        return Place(file=path, line=number)
        folder = folder.rpartition("/")[0]
    return None


def used_at_base(context: RuleContext, change: WireChange) -> bool:
    """Whether production code of the deployed version reads the field by a generated accessor."""
    accessor = _accessor(change.before.name)
    words = {change.before.name, camel(change.before.name), f"Get{camel(change.before.name)}", f"get{camel(change.before.name)}"}
    for path in {p.file for places in context.base.search(words).values() for p in places}:
        if language_of(path) in CODE_LANGUAGES and is_production_code(path) and accessor.search(context.base.text(path) or ""):
            return True
    return False


def speaks_json(context: RuleContext) -> Place | None:
    """A line that turns protobuf messages into JSON, where names count: a gateway's annotation, protojson, JsonFormat."""
    for path in context.head.paths():
        if is_test_path(path) or not (path.endswith((".proto", ".yaml", ".yml")) or language_of(path) in CODE_LANGUAGES):
            continue
        text = (context.head.text(path) or "")[:200_000]
        found = re.search(
            r"google\.api\.http|protojson\.|jsonpb\.|JsonFormat\.|MessageToJson|MessageToDict|json_format|toJson\(|grpc-gateway|fromJSON\(|toJSON\(|grpc_json_transcoder",
            text,
        )
        if found is not None:
            return Place(file=path, line=text.count("\n", 0, found.start()) + 1)
    return None
