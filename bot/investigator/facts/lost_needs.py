"""What programs do with the resources that a policy names no more: in their code, over their live edges, by the counts of the service."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from bot.investigator.asking import Reading, edge, metric, quote, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.allowed_arns import Patterns
from bot.investigator.facts.runners import is_workload
from bot.investigator.facts.traffic import dimensions_of
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place, Relation, Resource
from heuristics.access.narrowed_resources import NarrowedGrant
from heuristics.access.sdk import METRICS, uses_of_action
from heuristics.access.sub_resources import SubResource, indexes_used, object_keys

_OF_BUCKET = pattern(r"(?i)s3:(List(Bucket|Objects).*|GetBucket.*|PutBucket.*|DeleteBucket.*|HeadBucket)")
_OF_INDEX = pattern(r"(?i)dynamodb:(Query|Scan|PartiQLSelect)")
_READS = pattern(r"(?i)(get|list|describe|query|scan|batchget|receive|select|head|consume|subscribe)")
_WRITES = pattern(r"(?i)(put|send|update|delete|publish|write|batchwrite|start|create|invoke|transactwrite)")
_FEEDS = pattern(r"(?i)(sqs:(receive|delete)message|kinesis:get(records|sharditerator)|dynamodb:get(records|sharditerator))")
_TAKEN = ("NumberOfMessagesReceived", "NumberOfMessagesSent", "GetRecords.Records", "IncomingRecords", "ReturnedRecordsCount")
_REST = "\N{MIDDLE DOT}"
"""Stands for the part of a key that is not known: no pattern names it."""
_INDEX_KEYS = pattern(r"(global_?secondary_?|local_?secondary_?)?index_?(name)?")


class Need(Record):
    """One part of production that an action was allowed on and is allowed on no more."""

    action: str
    arn: str
    said: str
    """`the index by-due-date`, `reports/` of a bucket, the name of a queue."""
    program: Resource
    uses: tuple[Place, ...]
    """Code that names it, or that can mean nothing else."""
    cited: tuple[Evidence, ...]
    """Live edges from the program."""
    rate: Reading | None
    """How often it is done there, by the service's own count."""
    is_alone: bool
    """Whether the count can be of no other program."""
    begins: str = ""
    """With what the ARN begins for sure, where its rest is not known."""


def needs_of(case: Case, grant: NarrowedGrant, was: Patterns, left: Patterns, programs: Sequence[Resource]) -> Iterator[Need]:
    """Every need that base's patterns allow and head's do not."""
    for program in programs:
        every = [*_of_indexes(case, grant, program), *_of_objects(case, grant, program), *_of_targets(case, grant, program)]
        for need in every:
            if not was.allow(need.arn) or left.allow(need.arn):
                continue
            is_open = bool(need.begins) and any(glob.startswith(need.begins) for glob in left.globs)
            yield replace(need, uses=(), rate=None) if is_open else need


def still_allowed(case: Case, grant: NarrowedGrant, left: Patterns, programs: Sequence[Resource]) -> tuple[Evidence, ...]:
    """Citations that all which the programs do with the service stays allowed; none when that is not to be seen.

    Keys below a bucket have to stand in the code; of other services the live edges tell what a program reaches.
    """
    found: list[Evidence] = []
    if any(_OF_INDEX.fullmatch(a) for a in grant.actions) and indexes_used(case.diff.head):
        return ()
    for program in programs:
        needs = [*_of_objects(case, grant, program), *_of_targets(case, grant, program)]
        if not needs or not all(left.allow(need.arn) for need in needs):
            return ()
        found += [quote(case, use.file, use.line) for need in needs for use in need.uses if need.begins]
        found += [one for need in needs for one in need.cited]
    return tuple(dict.fromkeys(found))


# -- indexes of tables -----------------------------------------------------------------------------------


def _of_indexes(case: Case, grant: NarrowedGrant, program: Resource) -> Iterator[Need]:
    action = next((a for a in grant.actions if _OF_INDEX.fullmatch(a)), None)
    if action is None:
        return
    coded = indexes_used(case.diff.head)
    for table in _reached(case, program, "aws.dynamodb."):
        if "/index/" in table.id:
            continue
        for name in _indexes(case, table):
            arn = f"{table.id}/index/{name}"
            uses = tuple(c.place for c in coded if c.name == name)
            joined = [e for e in (_any_edge(case, program.id, arn), _any_edge(case, table.id, arn)) if e is not None]
            rate = _index_rate(case, table.id, arn, name)
            others = _clients(case, table.id) - {program.id}
            yield Need(action, arn, f"the index {name}", program, uses, tuple(joined), rate, not others)


def _indexes(case: Case, table: Resource) -> list[str]:
    names = [r.id.rpartition("/index/")[2] for r in case.production.resources if r.id.startswith(f"{table.id}/index/")]
    for key in ("global_secondary_indexes", "local_secondary_indexes", "indexes"):
        value = table.attributes.get(key)
        for one in cast("list[object]", value) if isinstance(value, list | tuple) else []:
            name = one if isinstance(one, str) else None
            if isinstance(one, dict):
                entries = cast("dict[str, object]", one)
                name = next((v for k in ("name", "index_name", "IndexName") if isinstance(v := entries.get(k), str)), None)
            if name is not None:
                names.append(name)
    return list(dict.fromkeys(names))


def _index_rate(case: Case, table: str, arn: str, name: str) -> Reading | None:
    counted = METRICS["dynamodb:Query"]
    own = metric(case, arn, counted, "mean")
    if own is not None:
        return own
    for series in case.production.series_of(table):
        labels = dimensions_of(series.metric)
        is_of = any(_INDEX_KEYS.fullmatch(k) and v == name for k, v in labels.items())
        if is_of and series.metric.partition("{")[0] in (*counted, "SuccessfulRequestLatency", "ReturnedItemCount"):
            return statistic_reading(series, "mean")
    return None


# -- objects of buckets ----------------------------------------------------------------------------------


def _of_objects(case: Case, grant: NarrowedGrant, program: Resource) -> Iterator[Need]:
    for action in grant.actions:
        if not action.lower().startswith("s3:") or _OF_BUCKET.fullmatch(action):
            continue
        uses = uses_of_action(case.diff.head, action)
        for bucket in _reached(case, program, "aws.s3."):
            is_only = len(_reached(case, program, "aws.s3.")) == 1
            for key in object_keys(case.diff.head, uses):
                if not is_only and not _names(case, key.place, bucket.name):
                    continue
                yield from _of_key(case, action, bucket, key, program)


def _of_key(case: Case, action: str, bucket: Resource, key: SubResource, program: Resource) -> Iterator[Need]:
    joined = _any_edge(case, program.id, bucket.id)
    cited = (joined,) if joined is not None else ()
    start = key.name or ""
    alone = not (_clients(case, bucket.id) - {program.id})
    rate = _prefix_rate(case, bucket, action, start) or metric(case, bucket.id, METRICS.get(action, ()), "mean")
    said = f"objects below {start} of {bucket.name}" if start else f"the objects of {bucket.name}"
    begins = f"arn:aws:s3:::{bucket.name}/{start}"
    yield Need(action, f"{begins}{_REST}", said, program, (key.place,), cited, rate, alone, begins)


def _prefix_rate(case: Case, bucket: Resource, action: str, start: str) -> Reading | None:
    """A count by prefix or filter of the bucket."""
    first = start.strip("/").partition("/")[0].lower()
    for series in case.production.series_of(bucket.id) if first else ():
        labels = dimensions_of(series.metric)
        is_of = any(re.fullmatch(r"(filter_?id|prefix|filter|folder|key_prefix)", k) and v.strip("/").lower() in (first, start.strip("/").lower()) for k, v in labels.items())  # fmt: skip
        if is_of and series.metric.partition("{")[0] in (*METRICS.get(action, ()), "AllRequests"):
            return statistic_reading(series, "mean")
    return None


# -- whole resources -------------------------------------------------------------------------------------


def _of_targets(case: Case, grant: NarrowedGrant, program: Resource) -> Iterator[Need]:
    for service in dict.fromkeys(a.partition(":")[0].lower() for a in grant.actions):
        actions = [a for a in grant.actions if a.lower().startswith(f"{service}:")]
        for one in (*case.out_of(program.id), *case.into(program.id, Relation.TRIGGERS)):
            target = one.target if one.source == program.id else one.source
            resource = case.production.resource(target)
            if resource is None or not resource.kind.startswith(f"aws.{service}.") or "/index/" in target:
                continue
            action = next((a for a in actions if _fits(one.relation, a, resource)), None)
            shown = edge(case, one.source, one.target, one.relation)
            is_fed = one.relation is Relation.TRIGGERS
            if action is None or shown is None or (is_fed and _is_fed_otherwise(case, grant)):
                continue
            rate = metric(case, target, _TAKEN if is_fed else METRICS.get(action, ()), "mean")
            uses = tuple(u.place for u in uses_of_action(case.diff.head, action) if _names(case, u.place, resource.name))
            others = set[str]() if is_fed else _clients(case, target) - {program.id}
            arn = f"{target}/stream/0" if is_fed and ":table/" in target else target
            yield Need(action, arn, resource.name, program, uses, (shown,), rate, not others)


def _is_fed_otherwise(case: Case, grant: NarrowedGrant) -> bool:
    """Whether SAM, the serverless framework or a policy of the provider lets the platform poll, whatever the statement says."""
    texts = (s.text + str(s.value) for d in case.diff.declared["head"].resources for k, s in d.settings.items() if "polic" in k)
    return not grant.before.file.endswith(".tf") or any(
        re.search(r"AWSLambda\w*(?:SQS|Kinesis|DynamoDB|MSK)\w*ExecutionRole", t) for t in texts
    )


def _fits(relation: Relation, action: str, target: Resource) -> bool:
    verb = action.partition(":")[2]
    if target.kind.startswith("aws.s3.") and not _OF_BUCKET.fullmatch(action):
        return False  # actions on objects have keys, see above
    if relation is Relation.TRIGGERS:
        return _FEEDS.match(action) is not None
    if relation is Relation.READS_FROM:
        return _READS.match(verb) is not None
    if relation in (Relation.WRITES_TO, Relation.PUBLISHES_TO, Relation.INVOKES):
        return _WRITES.match(verb) is not None
    return True


def _reached(case: Case, program: Resource, kind: str) -> list[Resource]:
    targets = dict.fromkeys(e.target for e in case.out_of(program.id))
    tables = dict.fromkeys([*targets, *(t.partition("/index/")[0] for t in targets if "/index/" in t)])
    return [r for t in tables if (r := case.production.resource(t)) is not None and r.kind.startswith(kind)]


def _any_edge(case: Case, source: str, target: str) -> Evidence | None:
    found = next((e for e in case.out_of(source) if e.target == target), None)
    return edge(case, source, target, found.relation) if found is not None else None


def _clients(case: Case, target: str) -> set[str]:
    sources = (case.production.resource(e.source) for e in case.into(target))
    return {r.id for r in sources if r is not None and is_workload(r.kind)}


def _names(case: Case, place: Place, name: str) -> bool:
    """Whether the file of a call names the resource in plain text."""
    text = case.diff.head.text(place.file) or ""
    return len(name) > 3 and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
