"""Batches, visibility time-outs and receive counts of queues and streams that a change alters."""

import re
from collections.abc import Iterator
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Relation
from heuristics.limits.changed import Changed, changed_numbers, setting_number, words_of
from heuristics.rule import RuleContext


class QueueLimit(StrEnum):
    """What of a queue, or of its consumer, changed."""

    BATCH = "batch"
    VISIBILITY = "visibility"
    RECEIVES = "receives"
    FUNCTION_TIME_OUT = "function-time-out"


class QueueChange(Record):
    """One changed number of a queue. `source` and `function` are what the manifests declare at head, where they do."""

    changed: Changed
    limit: QueueLimit
    old: float | None
    new: float
    source: Declared | None = None
    function: Declared | None = None
    mapping: Declared | None = None

    @property
    def window_s(self) -> float:
        """How long a batch is collected at head."""
        return setting_number(self.mapping, "event_source_batching_window_s") or 0.0


def queue_changes(context: RuleContext) -> Iterator[QueueChange]:
    """Every changed batch size, visibility time-out, receive count, and longer time-out of a queue's function."""
    for changed in changed_numbers(context):
        if changed.new is None:
            continue
        found = (
            _of_manifest(changed, changed.new, context)
            if changed.declared is not None
            else _of_code(changed, changed.new, context)
        )
        if found is not None and found.old != found.new:
            yield found


def mappings(context: RuleContext) -> Iterator[tuple[Declared, Declared | None, Declared | None]]:
    """Event source mappings of head with the source and the function that they join."""
    declared = context.declared.get("head")
    for mapping in declared.resources if declared else ():
        if mapping.kind in ("aws.lambda.event_source_mapping", "cloudflare.queue_consumer"):
            yield (mapping, *_joined(mapping, context))


def handler_text(context: RuleContext, function: Declared | None) -> str | None:
    """The source of the function's handler, when exactly one file of head fits its name."""
    setting = function.settings.get("handler") if function is not None else None
    if setting is None or not isinstance(setting.value, str) or "." not in setting.value:
        return None
    module = re.split(r"\.(?=[^.]*$)|::", setting.value)[0].replace(".", "/").rpartition("/")[2]
    found = [
        p for p in context.head.paths() if p.rpartition("/")[2].partition(".")[0] == module and not p.endswith((".md", ".json"))
    ]
    return context.head.text(found[0]) if len(found) == 1 else None


def works_in_parallel(text: str | None) -> bool:
    """Whether a handler works on the messages of a batch side by side, so that its time is no sum."""
    return bool(
        text
        and re.search(
            r"Promise\.all|allSettled|asyncio\.gather|TaskGroup|ThreadPool|errgroup|go func|parallel|Parallel|concurrent\.futures|pLimit|pMap",
            text,
        )
    )


def _of_manifest(changed: Changed, new: float, context: RuleContext) -> QueueChange | None:
    declared = changed.declared
    if declared is None:
        return None
    match changed.key:
        case "event_source_batch_size":
            source, function = _joined(declared, context)
            return QueueChange(changed, QueueLimit.BATCH, changed.old, new, source, function, declared)
        case "visibility_timeout_s" | "ack_deadline_seconds" | "ack_deadline_s":
            mapping, function = _reader_of(declared, context)
            return QueueChange(changed, QueueLimit.VISIBILITY, changed.old, new, declared, function, mapping)
        case "redrive_max_receive_count":
            return QueueChange(changed, QueueLimit.RECEIVES, changed.old, new, declared)
        case "timeout_s" if declared.kind == "aws.lambda.function" and (changed.old is None or new > changed.old):
            for mapping, source, function in mappings(context):
                if function is not None and (function.kind, function.address) == (declared.kind, declared.address):
                    return QueueChange(changed, QueueLimit.FUNCTION_TIME_OUT, changed.old, new, source, function, mapping)
            return QueueChange(changed, QueueLimit.FUNCTION_TIME_OUT, changed.old, new, None, declared)
        case _:
            return None


def _joined(mapping: Declared, context: RuleContext) -> tuple[Declared | None, Declared | None]:
    sides = context.declared.get("head")
    if sides is None:
        return None, None
    edge = next(
        (e for e in sides.edges if e.relation is Relation.TRIGGERS and e.evidence == mapping.address and e.file == mapping.file),
        None,
    )
    if edge is not None:
        at = {d.address: d for d in sides.resources if d.kind != mapping.kind}
        return at.get(edge.source), at.get(edge.target)
    values = {str(s.value) for key in ("function", "source", "queue") if (s := mapping.settings.get(key)) is not None and s.value}
    named = [
        d
        for d in sides.resources
        if d.address in values or (d.name is not None and (d.name in values or any(v.endswith(f":{d.name}") for v in values)))
    ]
    function = next((d for d in named if d.kind == "aws.lambda.function"), None)
    return next((d for d in named if d.kind not in ("aws.lambda.function", mapping.kind)), None), function


def _reader_of(queue: Declared, context: RuleContext) -> tuple[Declared | None, Declared | None]:
    for mapping, source, function in mappings(context):
        if source is not None and (source.kind, source.address) == (queue.kind, queue.address):
            return mapping, function
    return None, None


def _of_code(changed: Changed, new: float, context: RuleContext) -> QueueChange | None:
    if changed.words == ("batch", "size") and changed.call.endswith("EventSource"):
        return QueueChange(changed, QueueLimit.BATCH, changed.old, new)
    if changed.words == ("timeout",) and changed.new_seconds is not None and _FUNCTION.search(changed.call):
        if changed.old_seconds is None or changed.new_seconds > changed.old_seconds:
            return QueueChange(changed, QueueLimit.FUNCTION_TIME_OUT, changed.old_seconds, changed.new_seconds)
        return None
    words = words_of(changed.key)[-5:] + changed.words
    joined = "-".join(words)
    if _HIDDEN.search(joined) or (joined.endswith("retry-after") and _is_of_queue(changed, joined)):
        return _hidden(changed, new, context, joined)
    return None


_FUNCTION = pattern(r"(?:^|[.:])(?:\w+_)?(?:Nodejs|Python|Go|DockerImage|Rust|Deno)?Function$")
"""Functions of the CDK in any of its languages."""
_HIDDEN = pattern(
    r"visibility-timeout|lock-duration|ack-deadline|redeliver-timeout|(^|-)ack-wait|invisibility-timeout|rescue-(stuck-jobs-)?after|reserve-for|reservation-timeout"
)
"""What SQS and Celery, BullMQ, Pub/Sub, Symfony, NATS, Hangfire, Oban and River, Faktory call it; Laravel says `retry_after`."""
_CONNECTION = pattern(r"connections\.([\w-]+)\.retry_after")


def _is_of_queue(changed: Changed, joined: str) -> bool:
    """Whether a `retry_after` is that of a job queue, not of an HTTP answer."""
    name = changed.file.rpartition("/")[2].lower()
    return (
        "queue" in joined.split("-")
        or name.startswith(("queue.", "queues.", "horizon."))
        or bool(_CONNECTION.search(changed.key))
    )


def _hidden(changed: Changed, new: float, context: RuleContext, joined: str) -> QueueChange | None:
    found = _CONNECTION.search(changed.key)
    if found is not None and found[1] not in _connections_in_use(changed, context):
        return None
    factor = 1e-3 if "lock-duration" in joined or joined.endswith("-ms") else 1.0
    seconds = changed.new_seconds if changed.new_seconds is not None else new * factor
    was = changed.old_seconds if changed.old_seconds is not None else changed.old * factor if changed.old is not None else None
    return QueueChange(changed, QueueLimit.VISIBILITY, was, seconds)


def _connections_in_use(changed: Changed, context: RuleContext) -> frozenset[str]:
    """The connections that configuration and manifests of head name as what jobs go through."""
    texts = [context.head.text(changed.file) or ""]
    texts += [
        context.head.text(p) or "" for p in context.head.paths() if p.rpartition("/")[2] in ("horizon.php", ".env.production")
    ]
    named = {m[1] for text in texts for m in _NAMED_CONNECTION.finditer(text[:200_000])}
    sides = context.declared.get("head")
    for one in sides.resources if sides else ():
        for key in ("environment.QUEUE_CONNECTION", "data.QUEUE_CONNECTION"):
            if key in one.settings:
                named.add(str(one.settings[key].value))
    return frozenset(named)


_NAMED_CONNECTION = pattern(
    r"""(?:['"](?:default|connection)['"]\s{0,4}=>\s{0,4}(?:env\(['"]\w{1,60}['"],\s{0,4})?|QUEUE_CONNECTION=)['"]?([\w-]{1,60})"""
)
