"""What a store holds and whether anything uses it, whatever its provider calls that."""

import re
from collections.abc import Mapping

from bot.investigator.asking import Reading, config, metric, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.traffic import traffic_of
from gonogo.evidence import DatabaseEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.word import ResourceId

USES = (
    pattern(r"(?i)(\w*[_/])?(database|client|current|curr|active|open|established)?_?(connections|clients|numbackends|sessions)(\.\w+)?(\{.*\})?"),
    pattern(r"(?i)(consumed(read|write)(capacity)?units?|numberofmessages(sent|received)|incoming(records|messages)|getrecords.*|(put|get|post|delete|head|list|all)requests).*"),
    pattern(r"(?i)(total|metered|data)?_?(read|write|metadata)?_?(io_?bytes|iops|ops|requests|latency_ops)(_count|_total)?(\.\w+)?(\{.*\})?"),
    pattern(r"(?i)(volume|disk|fs|filesystem)_?(read|write)_?(ops|bytes|iops|requests).*|(read|write)_?(throughput|operations|units)(\.\w+)?(\{.*\})?"),
    pattern(r"(?i)(.*/)?(request_count|(received|sent)_bytes_count|read_bytes|write_bytes|transactions?|operation_count|commands(_processed)?)(_total)?(\{.*\})?|(search|indexing)rate|(bytes|messages)in(persec\w*)?"),
)  # fmt: skip
"""Signs of use: connections, requests, operations, transfer."""
_COUNTS = pattern(
    r"(?i)(numberofobjects|(total_?)?object_?count|item_?count|curr(ent)?_?items|approximatenumberofmessages(visible)?|searchabledocuments|.*rows.*|.*keys"
    r"|(num_)?(undelivered|backlog)_?messages|documents_?count|files_?count|total_?objects)(\.\w+)?(\{.*\})?"
)
_BYTES = pattern(
    r"(?i)(bucketsizebytes|storage_?bytes|volumebytesused|bytesusedforcache|stored_?bytes|(.*/)?(total_bytes|bytes_used|used_bytes|disk/bytes_used)|.*(size|used|stored).*bytes.*|.*bytes_?(used|stored))(\.\w+)?(\{.*\})?"
)
_ROOM = pattern(r"(?i)free|limit|available|capacity|allocated|provisioned|quota")
_COUNTED_KEYS = (
    "item_count",
    "items",
    "object_count",
    "objects",
    "key_count",
    "messages",
    "row_count",
    "rows",
    "document_count",
    "file_count",
)
_SIZE_KEYS = ("size_bytes", "table_size_bytes", "bytes", "stored_bytes", "used_bytes", "size_in_bytes")
_EMPTY_BYTES: Mapping[str, float] = {"aws.efs.": 12 * 1024, "aws.fsx.": 1e6, "aws.rds.cluster": 64e6, "aws.elasticache.": 8e6, "aws.memorydb.": 8e6, "aws.opensearch.": 1e6}  # fmt: skip
"""Bytes that an empty store of a kind is still measured with: an EFS without files has 6 KiB of metadata
(https://docs.aws.amazon.com/efs/latest/ug/metered-sizes.html), a Redis without keys some MB of its own."""


def use_of(case: Case, live: Resource) -> Reading | None:
    """The busiest sign of use; a zero is an answer too."""
    found = [r for one in USES if (r := metric(case, live.id, [one], "max"))]
    busiest = [r for one in USES for r in _each(case, live, one) if r.value > 0]
    traffic = traffic_of(case, live.id)
    return max([*busiest[:1], *found, *([traffic] if traffic else [])], key=lambda r: r.value > 0, default=None)


def contents_of(case: Case, live: Resource) -> Reading | None:
    """How much it holds: the number of its things first, else bytes, as a metric, a database statistic or an attribute."""
    for named, keys in ((_COUNTS, _COUNTED_KEYS), (_BYTES, _SIZE_KEYS)):
        series = [s for s in case.production.series_of(live.id) if named.fullmatch(s.metric) and not _ROOM.search(s.metric)]
        held = [r for s in series if (r := statistic_reading(s, "last")) is not None]
        if held:
            return max(held, key=lambda r: r.value)
        if named is _COUNTS and (rows := _rows(case, live)) is not None:
            return rows
        cited = config(case, live.id, *keys)
        value = cited.value if cited else None
        if cited is not None and isinstance(value, int | float) and not isinstance(value, bool):
            return Reading(float(value), "B" if named is _BYTES else "", cited)
    return None


def empty_bytes(live: Resource, *, is_idle: bool) -> float:
    """Up to how many bytes a store of this kind is as good as empty; of one that may be in use only those that no data takes."""
    if not is_idle and not live.kind.startswith("aws.efs."):
        return 0.0
    return next((size for start, size in _EMPTY_BYTES.items() if live.kind.startswith(start)), 0.0)


def is_of_bytes(held: Reading) -> bool:
    """Whether the reading is a size and not a number of things."""
    cited = held.evidence
    name = cited.metric if cited.kind == "metric" else cited.key if cited.kind == "config" else ""
    return held.unit == "B" or name in _SIZE_KEYS or _BYTES.fullmatch(name) is not None


def _each(case: Case, live: Resource, named: re.Pattern[str]) -> list[Reading]:
    return [
        r
        for s in case.production.series_of(live.id)
        if named.fullmatch(s.metric) and (r := statistic_reading(s, "max")) is not None
    ]


def _rows(case: Case, live: Resource) -> Reading | None:
    database = case.production.database(live.id)
    biggest = (
        max((t for t in database.tables if t.row_estimate), key=lambda t: t.row_estimate or 0, default=None) if database else None
    )
    if biggest is None or not biggest.row_estimate:
        return None
    cited = DatabaseEvidence(
        resource=ResourceId(live.id),
        table=f"{biggest.schema_name}.{biggest.name}",
        statistic="row_estimate",
        value=biggest.row_estimate,
    )
    return Reading(biggest.row_estimate, "rows", cited)
