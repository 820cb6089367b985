"""How many messages a consumer takes at a time, and by when it has to be done with them: both numbers, where either changes."""

import re
from collections.abc import Iterator
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import ValueSite, language_of, value_sites
from heuristics.limits.changed import Changed, as_number, changed_numbers, words_of
from heuristics.rule import RuleContext

KAFKA_INTERVAL_S = 300.0
"""Kafka's default of max.poll.interval.ms."""
KAFKA_RECORDS = 500.0
"""The Java client's default of max.poll.records; librdkafka hands out one message at a time."""
CONSUMER_TIMEOUT_S = 1800.0
"""RabbitMQ's default of consumer_timeout."""


class Pulled(StrEnum):
    """Who takes the messages back when the consumer is late."""

    KAFKA = "kafka"
    SQS = "sqs"
    RABBITMQ = "rabbitmq"


class Poll(Record):
    """One change of how much is taken at a time, or of the time for it. `deadline_s` is None when only production knows it."""

    changed: Changed
    pulled: Pulled
    records: float
    records_before: float
    deadline_s: float | None
    beside: Place | None
    """Where the number stands that did not change."""
    is_shorter: bool
    """Whether it is the time that changed."""

    @property
    def setting(self) -> str:
        """The name of the time."""
        return {
            Pulled.KAFKA: "max.poll.interval.ms",
            Pulled.SQS: "the visibility time-out",
            Pulled.RABBITMQ: "consumer_timeout",
        }[self.pulled]


def poll_changes(context: RuleContext) -> Iterator[Poll]:
    """Every consumer that takes more at a time, or has less time for it."""
    for changed in changed_numbers(context):
        if changed.new is None or changed.old is None or changed.new == changed.old or not _may_be_of_code(changed):
            continue
        said = _said(changed, context)
        pulled = next((p for p, shape in _RECORDS if shape.search(said)), None)
        if pulled is not None and changed.new > changed.old:
            deadline, beside = _deadline(changed, pulled, context)
            yield Poll(changed, pulled, changed.new, changed.old, deadline, beside, is_shorter=False)
            continue
        pulled = next((p for p, shape in _DEADLINES if shape.search(said)), None)
        if pulled is not None and changed.new < changed.old:
            records, beside = _records(changed, pulled, context)
            yield Poll(changed, pulled, records, records, _seconds(said, changed.new), beside, is_shorter=True)


_RECORDS: tuple[tuple[Pulled, re.Pattern[str]], ...] = (
    (Pulled.KAFKA, pattern(r"max-poll-records|(^|-)poll-max-records|(^|-)consume-num-messages|(^|-)poll-records-poll-records")),
    (
        Pulled.SQS,
        pattern(r"max-number-of-messages|max-messages-per-poll|sqs[\w-]*-consumer-create-batch-size|receive-max-messages"),
    ),
    (Pulled.RABBITMQ, pattern(r"prefetch(-count|-limit)?$|basic-qos-prefetch-count")),
)
_DEADLINES: tuple[tuple[Pulled, re.Pattern[str]], ...] = (
    (Pulled.KAFKA, pattern(r"max-poll-interval")),
    (Pulled.RABBITMQ, pattern(r"(^|-)consumer-timeout(-ms)?$|x-consumer-timeout")),
)
_KEYED = pattern(r"MAX_POLL_(RECORDS|INTERVAL_MS)(?:_CONFIG)?|max\.poll\.(records|interval\.ms)")


def _may_be_of_code(changed: Changed) -> bool:
    return changed.declared is None or changed.key.startswith(("environment.", "data.", "spec.config"))


def _said(changed: Changed, context: RuleContext) -> str:
    """The words of key, callee and name; for `put(KEY, 500)` and `KEY to 500`, those of the key beside the number."""
    called = words_of(changed.call.rpartition(".")[2])
    own = "-".join((*words_of(changed.key)[-6:], *called, *changed.words))
    lines = (context.head.text(changed.file) or "").split("\n")
    at = (changed.head_line or 1) - 1
    line = lines[at][:2000] if 0 <= at < len(lines) else ""
    for key in _KEYED.finditer(line):
        value = re.match(r"\"?\W{1,6}(?:to\s{1,3}|valueOf\()?\"?([\d_]{1,12})", line[key.end() :])
        if value is not None and value[1].replace("_", "") == f"{changed.new:.0f}":
            return "max-poll-" + ("records" if "ecords" in key[0].lower() else "interval-ms")
    return own


def _seconds(said: str, number: float) -> float:
    return number if said.endswith(("-s", "-seconds")) else number / 1000


def _deadline(changed: Changed, pulled: Pulled, context: RuleContext) -> tuple[float | None, Place | None]:
    if pulled is Pulled.KAFKA:
        found = _number(changed, context, r"max-poll-interval", ("MAX_POLL_INTERVAL_MS_CONFIG", "max.poll.interval.ms"))
        return (found[0] / 1000, found[1]) if found is not None else (KAFKA_INTERVAL_S, None)
    if pulled is Pulled.SQS:
        found = _number(changed, context, r"visibility-timeout(-seconds)?$", ("VisibilityTimeout",))
        return (found[0], found[1]) if found is not None else (None, None)
    found = _number(changed, context, r"consumer-timeout", ("consumer_timeout",))
    return (found[0] / 1000, found[1]) if found is not None else (CONSUMER_TIMEOUT_S, None)


def _records(changed: Changed, pulled: Pulled, context: RuleContext) -> tuple[float, Place | None]:
    if pulled is Pulled.RABBITMQ:
        found = _number(changed, context, r"prefetch", ("prefetch_count",))
        return found if found is not None else (1.0, None)
    found = _number(changed, context, r"max-poll-records", ("MAX_POLL_RECORDS_CONFIG", "max.poll.records"))
    if found is not None:
        return found
    return (1.0 if _is_librdkafka(changed, context) else KAFKA_RECORDS), None


def _is_librdkafka(changed: Changed, context: RuleContext) -> bool:
    text = (context.head.text(changed.file) or "")[:100_000]
    language = language_of(changed.file)
    return language in ("go", "csharp", "javascript", "typescript", "tsx", "rust", "php") or bool(
        re.search(r"confluent|rdkafka|librdkafka", text)
    )


def _number(changed: Changed, context: RuleContext, shape: str, words: tuple[str, ...]) -> tuple[float, Place] | None:
    """The other number: of the same file, of the environment that a manifest gives, else of the only other file that has it."""
    own = _in_file(changed.file, context, shape)
    if own is not None:
        return own
    sides = context.declared.get("head")
    for declared in sides.resources if sides else ():
        for key, setting in declared.settings.items():
            if key.startswith(("environment.", "data.")) and re.search(shape, "-".join(words_of(key.partition(".")[2]))):
                value = as_number(setting.value)
                if value is not None:
                    return value, Place(file=setting.file or declared.file, line=setting.line)
    files = {
        p.file for word in words for p in context.head.search([word.rpartition(".")[2]]).get(word.rpartition(".")[2], ())[:20]
    }
    found = [hit for file in sorted(files - {changed.file})[:20] if (hit := _in_file(file, context, shape)) is not None]
    return found[0] if len(found) == 1 else None


def _in_file(file: str, context: RuleContext, shape: str) -> tuple[float, Place] | None:
    text = context.head.text(file) or ""
    for site in value_sites(file, text):
        value = as_number(site.value)
        if value is not None and re.search(shape, _site_said(site, text)):
            return value, Place(file=file, line=site.line)
    return None


def _site_said(site: ValueSite, text: str) -> str:
    line = text.split("\n")[site.line - 1][:2000] if site.line > 0 else ""
    for key in _KEYED.finditer(line):
        value = re.match(r"\"?\W{1,6}(?:to\s{1,3})?\"?([\d_]{1,12})", line[key.end() :])
        if value is not None and value[1].replace("_", "") == site.text.strip("\"'").replace("_", ""):
            return "max-poll-" + ("records" if "ecords" in key[0].lower() else "interval-ms")
    return "-".join(words_of(site.path))


def takes_side_by_side(context: RuleContext) -> bool:
    """Whether a file that consumes hands its messages to a pool or to coroutines, so that their times do not add up."""
    for word in ("KafkaListener", "ConsumerRecords", "KafkaConsumer", "poll", "consume", "receive_message", "eachBatch"):
        for place in context.head.search([word]).get(word, ())[:10]:
            text = (context.head.text(place.file) or "")[:100_000]
            if _SIDE_BY_SIDE.search(text):
                return True
    return False


_SIDE_BY_SIDE = pattern(
    r"Promise\.all|allSettled|asyncio\.gather|TaskGroup|ThreadPool|errgroup|go func|parallelStream|parallel_map|CompletableFuture|[Ee]xecutor\w{0,20}(\(\))?\.(submit|execute)\s?[({]|pool\.(submit|apply_async)\(|@Async"
    r"|newFixedThreadPool|newVirtualThread|ParallelConsumer|ParallelStreamProcessor|pLimit|pMap|concurrent\.futures"
)


def is_batch_listener(context: RuleContext) -> bool:
    """Whether a listener is given a whole poll at a time, so that its measured time is that of a poll, not of a record."""
    for word in ("batch-listener", "batchListener", "setBatchListener", "KafkaListener", "listener", "ConsumerRecords"):
        for place in context.head.search([word]).get(word, ())[:10]:
            if _BATCH_LISTENER.search((context.head.text(place.file) or "")[:100_000]):
                return True
    return False


_BATCH_LISTENER = pattern(
    r"(?i)batch\s{0,3}=\s{0,3}\"?true|setBatchListener\(true|isBatchListener\s{0,3}=\s{0,3}true|listener[.:\s]{1,20}type\s{0,3}[:=]\s{0,3}batch"
    r"|@KafkaListener\([^)]{0,300}\)\s{0,20}(public |override |suspend |fun |void |\w+\s){1,4}\w{1,60}\(\s{0,20}(\w+\s{0,3}:\s{0,3})?List<"
)
