"""Who a text in a configuration names: by exact ARN, by URL, host or endpoint, or by the whole name of one known resource.

A shared word never joins two resources: a name counts only when it is the whole value, or a whole item of a list in it, and
just one resource of that account and region has it.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

from context_graph.collecting import Mention, Scope
from context_graph.providers.aws.arns import IN_TEXT, parse_arn, unqualified
from gonogo.pattern import pattern
from gonogo.resource import Edge, Relation
from gonogo.word import ResourceId

NAMED_KINDS = (
    "aws.dynamodb.table", "aws.elasticache.cluster", "aws.events.bus", "aws.firehose.delivery_stream", "aws.kinesis.stream",
    "aws.lambda.function", "aws.rds.cluster", "aws.rds.instance", "aws.s3.bucket", "aws.secretsmanager.secret", "aws.sns.topic",
    "aws.sqs.queue", "aws.ssm.parameter", "aws.stepfunctions.state_machine",
)  # fmt: skip
"""Kinds that programs are told by their plain name."""

_RELATIONS = {
    "aws.lambda.function": Relation.INVOKES,
    "aws.stepfunctions.state_machine": Relation.INVOKES,
    "aws.secretsmanager.secret": Relation.READS_FROM,
    "aws.ssm.parameter": Relation.READS_FROM,
    "aws.apigateway.api": Relation.INVOKES,
    "aws.elb.loadbalancer": Relation.INVOKES,
    "aws.sns.topic": Relation.PUBLISHES_TO,
    "aws.events.bus": Relation.PUBLISHES_TO,
    "cloudflare.worker": Relation.INVOKES,
}
"""What a program does with a resource that it knows by name; without more knowledge it is connected to it."""

_DNS_RECORD = "aws.route53.record"
_LONGEST = 8192
_ITEM = pattern(r"\s*[,;|\n]\s*")
_NAME = pattern(r"/?[A-Za-z0-9_][A-Za-z0-9_./-]{2,255}")
_HOST = pattern(r"([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::(\d{2,5}))?")


class Known(Protocol):
    """What is asked of the graph."""

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of those that are known."""
        ...

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[ResourceId, tuple[str, str]]:
        """Those of these kinds and names."""
        ...

    def called(self, values: Collection[str]) -> Mapping[str, Collection[ResourceId]]:
        """URL, host or endpoint → who answers to it."""
        ...


def edges_of(mentions: Sequence[Mention], scope: Scope, known: Known) -> list[Edge]:
    """An edge for every mention that names exactly one known resource, or an ARN of another account."""
    texts = {mention: tuple(texts_in(mention.value)) for mention in mentions}
    everything = {text for found in texts.values() for text in found}
    arns = {text: [unqualified(a) for a in IN_TEXT.findall(text)] for text in everything}
    words = {text: tuple(a.lower() for a in arns[text]) or tuple(_words(text)) for text in everything}
    called = known.called({word for found in words.values() for word in found})
    named = known.named(NAMED_KINDS, [text for text in everything if not arns[text] and _NAME.fullmatch(text)])
    ids = [ResourceId(a) for found in arns.values() for a in found] + [at for found in called.values() for at in found]
    kinds = {**named, **known.kinds_of(ids)}
    by_name: dict[str, list[ResourceId]] = {}
    for at, (_, name) in named.items():
        if _is_near(at, scope):
            by_name.setdefault(name, []).append(at)

    found: dict[tuple[str, str, Relation], Edge] = {}
    for mention, parts in texts.items():
        for text in parts:
            for target in _targets(text, arns[text], words.get(text, ()), called, by_name, kinds, scope):
                if target != mention.source:
                    usual = _RELATIONS.get(kinds.get(target, ("", ""))[0], Relation.CONNECTS_TO)
                    relation = mention.relation or usual
                    source, end = (target, mention.source) if mention.is_back else (mention.source, target)
                    edge = Edge(source=source, target=end, relation=relation, evidence=mention.evidence)
                    found.setdefault((source, end, relation), edge)
    return list(found.values())


def texts_in(value: str) -> Iterator[str]:
    """The single texts of a value: leaves of JSON, items of a list, or the value itself."""
    value = value.strip()[:_LONGEST]
    if value[:1] in ("{", "["):
        try:
            yield from _leaves(json.loads(value), depth=0)
        except (ValueError, RecursionError):
            pass
        else:
            return
    yield value
    items = _ITEM.split(value)
    if len(items) > 1:
        yield from (item for item in items if item)


def _leaves(value: Any, *, depth: int) -> Iterator[str]:
    if depth > 8:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, Any]", value).values():
            yield from _leaves(inner, depth=depth + 1)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _leaves(inner, depth=depth + 1)


def _words(text: str) -> Iterator[str]:
    """The URL without its query, its host, and the host with its port: what a resource may answer to, in lower case."""
    plain = text.lower()
    if "://" in plain:
        scheme, _, rest = plain.partition("://")
        yield f"{scheme}://{rest.partition('?')[0].rstrip('/')}"
        try:
            host = urlsplit(plain).hostname
        except ValueError:
            return
        if host:
            yield f"{scheme}://{host}" if scheme in ("s3", "s3a") else host
    elif match := _HOST.fullmatch(plain.rstrip("/")):
        yield match.group(1)


def _targets(
    text: str,
    arns: Sequence[str],
    words: Sequence[str],
    called: Mapping[str, Collection[ResourceId]],
    by_name: Mapping[str, Sequence[ResourceId]],
    kinds: Mapping[ResourceId, tuple[str, str]],
    scope: Scope,
) -> Iterable[ResourceId]:
    for arn in arns:
        parsed, alone = parse_arn(arn), _alone(called.get(arn.lower(), ()), kinds)
        if alone and ResourceId(arn) not in kinds:  # a secret's ARN without its random ending, a node of a cluster
            yield alone
        elif ResourceId(arn) in kinds or (parsed is not None and parsed.account not in ("", scope.account)):
            yield ResourceId(arn)
    if arns:
        return
    for word in words:
        if alone := _alone(called.get(word, ()), kinds):
            yield alone
            return
    if len(by_name.get(text, ())) == 1:
        yield by_name[text][0]


def _alone(answering: Collection[ResourceId], kinds: Mapping[ResourceId, tuple[str, str]]) -> ResourceId | None:
    """The one that answers; a name in DNS is only the way to what is called by it."""
    if len(answering) > 1:
        answering = [at for at in answering if kinds.get(at, ("", ""))[0] != _DNS_RECORD]
    return next(iter(answering)) if len(answering) == 1 else None


def _is_near(at: ResourceId, scope: Scope) -> bool:
    """Same account and region; S3 names are the world's."""
    parsed = parse_arn(at)
    return parsed is None or (
        (parsed.account or scope.account) == scope.account and (parsed.region or scope.region) == scope.region
    )
