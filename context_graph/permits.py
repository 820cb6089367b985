"""What IAM says about a connection: a function that may only receive from a queue does not write to it.

A policy settles the direction of what a configuration names, also by a pattern. By itself it makes an edge only where it names
one resource in full: who may read every table does not read every table.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from context_graph.collecting import Grants
from context_graph.providers.aws.arns import parse_arn, unqualified
from gonogo.resource import Edge, Relation
from gonogo.word import ResourceId

ACTIONS: Mapping[str, Mapping[Relation, tuple[str, ...]]] = {
    "sqs": {Relation.PUBLISHES_TO: ("sqs:SendMessage",), Relation.READS_FROM: ("sqs:ReceiveMessage",)},
    "sns": {Relation.PUBLISHES_TO: ("sns:Publish",)},
    "events": {Relation.PUBLISHES_TO: ("events:PutEvents",)},
    "kinesis": {
        Relation.PUBLISHES_TO: ("kinesis:PutRecord", "kinesis:PutRecords"),
        Relation.READS_FROM: ("kinesis:GetRecords", "kinesis:SubscribeToShard"),
    },
    "firehose": {Relation.PUBLISHES_TO: ("firehose:PutRecord", "firehose:PutRecordBatch")},
    "dynamodb": {
        Relation.WRITES_TO: (
            "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem",
            "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLDelete",
        ),
        Relation.READS_FROM: (
            "dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:BatchGetItem", "dynamodb:PartiQLSelect",
        ),
    },
    "s3": {Relation.WRITES_TO: ("s3:PutObject", "s3:DeleteObject"), Relation.READS_FROM: ("s3:GetObject", "s3:ListBucket")},
    "lambda": {Relation.INVOKES: ("lambda:InvokeFunction", "lambda:InvokeFunctionUrl", "lambda:InvokeAsync")},
    "states": {Relation.INVOKES: ("states:StartExecution", "states:StartSyncExecution")},
    "apigateway": {Relation.INVOKES: ("execute-api:Invoke",)},
    "secretsmanager": {Relation.READS_FROM: ("secretsmanager:GetSecretValue", "secretsmanager:BatchGetSecretValue")},
    "ssm": {Relation.READS_FROM: ("ssm:GetParameter", "ssm:GetParameters", "ssm:GetParametersByPath")},
}  # fmt: skip
"""Service of the resource's ARN → what is done with it → the actions that do it. Source: AWS service authorization reference."""

ALLOWED = "its role allows it"
"""How the evidence of an edge that a policy settled ends."""

_PLAIN = (Relation.CONNECTS_TO, Relation.DEPENDS_ON)
_WILD = re.compile(r"[*?]")
_BELOW = re.compile(r"(/\*|:\*|\*)$")


@dataclass(frozen=True)
class Settled:
    """Edges of workloads: those left as they were, and those that policies made or gave a direction."""

    left: Sequence[Edge]
    by_policy: Sequence[Edge]


def settle(
    edges: Iterable[Edge],
    roles: Mapping[ResourceId, ResourceId],
    grants: Mapping[ResourceId, Grants],
    known: Collection[ResourceId],
    joined: Collection[tuple[ResourceId, ResourceId]],
) -> Settled:
    """Give each plain connection of a workload the directions that its role allows, and add what the role names besides.

    `known` are the resources that `named_in` found listed; `joined` are pairs that are edges already, either way.
    """
    left: list[Edge] = []
    found: dict[tuple[str, str, Relation], Edge] = {}
    mentioned: set[tuple[ResourceId, ResourceId]] = set(joined)
    for edge in edges:
        role = grants.get(roles.get(edge.source, ResourceId("")))
        allowed = _allowed(role, edge.target) if role is not None and edge.relation in _PLAIN else ()
        mentioned.add((edge.source, edge.target))
        for relation in allowed:
            evidence = f"{edge.evidence}; {ALLOWED}"
            found[edge.source, edge.target, relation] = edge.model_copy(update={"relation": relation, "evidence": evidence})
        if not allowed:
            left.append(edge)
    for workload, role_id in roles.items():
        for target in named_in([role_id], grants):
            if target not in known or (workload, target) in mentioned or (target, workload) in mentioned:
                continue
            for relation in _allowed(grants[role_id], target):
                found[workload, target, relation] = Edge(source=workload, target=target, relation=relation, evidence=ALLOWED)
    return Settled(left, list(found.values()))


def named_in(roles: Iterable[ResourceId], grants: Mapping[ResourceId, Grants]) -> list[ResourceId]:
    """The resources that policies of these roles name in full; what is below one (objects, indexes, versions) stands for it."""
    found = (
        whole
        for role in roles
        for _, resource in (grants[role].allowed if role in grants else ())
        if (whole := _whole(resource)) is not None
    )
    return list(dict.fromkeys(found))


def _whole(resource: str) -> ResourceId | None:
    """`arn:aws:s3:::orders/*` → the bucket; None for a pattern that more than one resource fits."""
    parsed = parse_arn(resource)
    if parsed is None:
        return None
    if parsed.service == "execute-api":  # execute-api:eu-west-1:1111:a1b2c3/prod/GET/orders
        number = parsed.resource.partition("/")[0]
        whole = f"arn:{parsed.partition}:apigateway:{parsed.region}::/restapis/{number}"
        return None if _WILD.search(whole) else ResourceId(whole)
    above = unqualified(resource)
    if parsed.service == "secretsmanager" and above.endswith("-??????"):
        return None
    if above == resource and resource.endswith((":*", "/*")) and parsed.service in ("sqs", "logs"):
        above = _BELOW.sub("", resource)
    return None if _WILD.search(above) else ResourceId(above)


def _allowed(grants: Grants, target: ResourceId) -> list[Relation]:
    """What may be done with the resource: an action of it is allowed and not forbidden again."""
    parsed = parse_arn(target)
    if parsed is None:
        return []
    texts = tuple(_as_policies_write(target))
    return [
        relation
        for relation, actions in ACTIONS.get(parsed.service, {}).items()
        if any(_matches(grants.allowed, action, texts) and not _matches(grants.denied, action, texts) for action in actions)
    ]


def _as_policies_write(target: ResourceId) -> Iterator[str]:
    """The resource, and what of it a policy may name instead: an object of a bucket, a version of a function, a stage of an API."""
    yield target
    parsed = parse_arn(target)
    if parsed is not None and parsed.service == "s3":
        yield f"{target}/*"
    elif parsed is not None and parsed.service == "lambda":
        yield f"{target}:*"
    elif parsed is not None and parsed.service == "apigateway":
        number = parsed.resource.rpartition("/")[2]
        yield f"arn:{parsed.partition}:execute-api:{parsed.region}:*:{number}/*"


def _matches(pairs: Sequence[tuple[str, str]], action: str, texts: Sequence[str]) -> bool:
    return any(
        _fits(pattern.lower(), action.lower()) and any(_covers(resource, text) for text in texts) for pattern, resource in pairs
    )


def _covers(resource: str, text: str) -> bool:
    """The pattern fits the resource, or names a part of it: one index, one prefix of a bucket, one alias."""
    whole = _whole(resource)
    return _fits(resource, text) or (whole is not None and whole == text)


def _fits(pattern: str, text: str) -> bool:
    if not _WILD.search(pattern):
        return pattern == text
    return _pattern(pattern).fullmatch(text) is not None


@lru_cache(maxsize=20_000)
def _pattern(text: str) -> re.Pattern[str]:
    """IAM's wildcards as a regular expression; neighbouring stars are one, so that matching stays quick."""
    text = re.sub(r"\*+", "*", text)
    return re.compile("".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in text), re.DOTALL)
