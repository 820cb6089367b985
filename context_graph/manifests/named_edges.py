"""Edges from variables that name a resource in plain text: an ARN, a queue's URL, or its whole name."""

import re
from collections import defaultdict
from collections.abc import Iterable

from context_graph.manifests.node import Draft, Link
from gonogo.pattern import pattern
from gonogo.resource import Relation

_NAMED = {
    "aws.sqs.queue": Relation.CONNECTS_TO,
    "aws.sns.topic": Relation.PUBLISHES_TO,
    "aws.dynamodb.table": Relation.CONNECTS_TO,
    "aws.s3.bucket": Relation.CONNECTS_TO,
    "aws.kinesis.stream": Relation.CONNECTS_TO,
    "aws.rds.instance": Relation.CONNECTS_TO,
    "aws.rds.cluster": Relation.CONNECTS_TO,
    "aws.elasticache.cluster": Relation.CONNECTS_TO,
    "aws.lambda.function": Relation.INVOKES,
    "aws.stepfunctions.state_machine": Relation.INVOKES,
}
_SAYS_SO = pattern(r"(?i)queue|table|bucket|topic|stream|function|lambda|state_?machine|cluster|database|cache")
_ARN = pattern(r"arn:aws[a-z-]{0,8}:([a-z0-9-]{2,20}):[^:\s]{0,20}:\d{0,12}:(\S{1,300})")
_QUEUE_URL = pattern(r"https://sqs\.[a-z0-9-]{2,20}\.amazonaws\.com/\d{12}/([\w.-]{1,90})")
_HOST = pattern(r"([\w-]{1,64})\.(?:cluster-(?:ro-)?)?[\w.]{1,60}\.(?:rds|cache)\.amazonaws\.com")
_SERVICES = {"sqs": "aws.sqs.queue", "sns": "aws.sns.topic", "dynamodb": "aws.dynamodb.table", "s3": "aws.s3.bucket",
             "kinesis": "aws.kinesis.stream", "lambda": "aws.lambda.function", "states": "aws.stepfunctions.state_machine"}  # fmt: skip


def named_links(drafts: Iterable[Draft]) -> list[Link]:
    """Only whole names count, and only where one resource of the tree has that name: names that look alike join nothing."""
    members = list(drafts)
    by_name: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for draft in members:
        if draft.kind in _NAMED and draft.name:
            by_name[draft.kind, draft.name].append(draft)
    links: list[Link] = []
    for draft in members:
        for key, node in draft.extra.items():
            if not key.startswith("environment.") or node.references:
                continue
            target = _target(key.partition(".")[2], node.string() or "", by_name)
            if target is not None and target.address != draft.address:
                evidence = f"{key.partition('.')[2]} = {node.text}"[:200]
                links.append(
                    Link(
                        draft.address,
                        target.address,
                        _NAMED[target.kind],
                        draft.file,
                        node.line,
                        evidence,
                        draft.scope,
                        target.scope,
                    )
                )
    return links


def _target(variable: str, value: str, by_name: dict[tuple[str, str], list[Draft]]) -> Draft | None:
    wanted: list[tuple[str, str]] = []
    arn, url, host = _ARN.fullmatch(value), _QUEUE_URL.fullmatch(value), _HOST.search(value[:500])
    if arn is not None and arn.group(1) in _SERVICES:
        rest = arn.group(2)
        wanted.append((_SERVICES[arn.group(1)], re.split(r"[:/]", rest)[-1] if arn.group(1) != "s3" else rest.partition("/")[0]))
    elif url is not None:
        wanted.append(("aws.sqs.queue", url.group(1)))
    elif host is not None:
        wanted += [(kind, host.group(1)) for kind in ("aws.rds.instance", "aws.rds.cluster", "aws.elasticache.cluster")]
    elif _SAYS_SO.search(variable):
        wanted += [(kind, value) for kind in _NAMED]
    found = [draft for key in wanted for draft in by_name.get(key, [])]
    return found[0] if len({(draft.scope, draft.address) for draft in found}) == 1 else None
