"""Amazon Resource Names: six parts, of which the last may hold any number of colons."""

import re
from dataclasses import dataclass

from gonogo.pattern import pattern

IN_TEXT = pattern(r"arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:\d{0,12}:[^\s\"',;|<>{}\[\]()]+")
"""An ARN inside a longer value: a JSON list, a comma-separated one, a connection string."""

_QUALIFIED = re.compile(r"(arn:aws[a-z-]*:lambda:[^:]*:[^:]*:function:[^:/]+)(?:[:/].*)?")


@dataclass(frozen=True)
class Arn:
    """`arn:partition:service:region:account:resource`."""

    partition: str
    service: str
    region: str
    account: str
    resource: str


def parse_arn(text: str) -> Arn | None:
    """The parts, or None when it is no ARN. The resource part keeps its colons and slashes."""
    parts = text.split(":", 5)
    if len(parts) != 6 or parts[0] != "arn" or not parts[2] or not parts[5]:
        return None
    return Arn(*parts[1:])


def unqualified(arn: str) -> str:
    """The ARN of what it is a version, an alias, an index, a stream or a consumer of: the node that the graph knows."""
    if found := _QUALIFIED.fullmatch(arn):
        return found.group(1)
    parsed = parse_arn(arn)
    if parsed is None:
        return arn
    match parsed.service:
        case "dynamodb":  # table/orders/stream/2026-… and table/orders/index/by-date
            table = "/".join(parsed.resource.split("/")[:2])
            return arn.removesuffix(parsed.resource) + table
        case "logs":  # log-group:/aws/lambda/f:* and log-group:name:log-stream:…
            return arn.removesuffix(parsed.resource) + ":".join(parsed.resource.split(":")[:2])
        case "kinesis":  # stream/clicks/consumer/one:17000
            return arn.removesuffix(parsed.resource) + "/".join(parsed.resource.split("/")[:2])
        case "ecs" if parsed.resource.startswith("task-definition/"):  # every deployment makes a revision: task-definition/web:12
            return arn.removesuffix(parsed.resource) + parsed.resource.partition(":")[0]
        case "secretsmanager":  # secret:pay/key-AbCdEf:password:AWSCURRENT:
            return arn.removesuffix(parsed.resource) + ":".join(parsed.resource.split(":")[:2])
        case "states" if parsed.resource.startswith("stateMachine:"):  # stateMachine:work:PROD, stateMachine:work:3
            return arn.removesuffix(parsed.resource) + ":".join(parsed.resource.split(":")[:2])
        case "s3" if "/" in parsed.resource:
            return arn.removesuffix(parsed.resource) + parsed.resource.partition("/")[0]
        case _:
            return arn
