"""Policies of a queue, topic, bucket or function that let another service in, and what a change takes from them."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Relation, Setting
from gonogo.word import Json
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production

OWNERS: Mapping[str, str] = {
    "aws.sqs.queue_policy": "aws.sqs.queue",
    "aws.sns.topic_policy": "aws.sns.topic",
    "aws.s3.bucket_policy": "aws.s3.bucket",
    "aws.lambda.permission": "aws.lambda.function",
    "aws.events.bus_policy": "aws.events.bus",
}
"""A policy of its own → what it is the policy of."""
CALLERS: Mapping[str, tuple[str, ...]] = {
    "sns": ("aws.sns.topic",),
    "events": ("aws.events.rule", "aws.scheduler.schedule", "aws.events.bus"),
    "scheduler": ("aws.scheduler.schedule",),
    "s3": ("aws.s3.bucket",),
    "apigateway": ("aws.apigateway.",),
    "elasticloadbalancing": ("aws.elb.",),
    "cloudfront": ("aws.cloudfront.distribution",),
    "logs": ("aws.logs.group",),
    "iot": ("aws.iot.",),
    "cognito-idp": ("aws.cognito.",),
    "ses": ("aws.ses.",),
}
"""Service that a statement lets in → the kinds that come as it."""
_SERVICE = pattern(r"([a-z0-9-]{2,40})\.amazonaws\.com")
_TIES = (Relation.PUBLISHES_TO, Relation.TRIGGERS, Relation.INVOKES, Relation.ROUTES_TO)


class RemovedGrant(Record):
    """A service that may no more do something with a resource. `tie` is the base line of the subscription, rule or notification that goes with it."""

    action: str
    service: str
    policy: Declared
    owner: Declared
    source: Declared | None
    place: Place
    tie: Place | None = None


def removed_grants(context: RuleContext) -> tuple[RemovedGrant, ...]:
    """Every grant to a service that base gave and no policy of the same resource gives at head."""
    if not any(c.before is not None and c.before.kind in OWNERS for c in context.settings):
        return ()
    base, head = context.declared["base"], context.declared["head"]
    left = {(owner.address, *grant) for policy in head.resources if (owner := _owner(policy, head)) for grant in _grants(policy)}
    found: dict[tuple[str, str, str], RemovedGrant] = {}
    for policy in base.resources:
        owner = _owner(policy, base)
        if owner is None or not is_for_production(context, owner):
            continue
        for grant, setting in _grants(policy).items():
            if (owner.address, *grant) not in left:
                found.setdefault((owner.address, *grant), _removed(policy, owner, grant, setting, base, head))
    return tuple(found.values())


def granted_to_services(context: RuleContext) -> frozenset[tuple[str, str]]:
    """Address of a policy and action of every grant of base that is told as one to a service, not as one of a role."""
    base = context.declared["base"]
    policies = [p for p in base.resources if p.kind in OWNERS and _owner(p, base) is not None]
    return frozenset((policy.address, action) for policy in policies for action, _ in _grants(policy))


def _removed(
    policy: Declared, owner: Declared, grant: tuple[str, str], setting: Setting | None, base: Declarations, head: Declarations
) -> RemovedGrant:
    action, service = grant
    kinds = CALLERS.get(service, ())
    sources = [d for d in _beside(policy, base) if d.kind.startswith(kinds)] if kinds else []
    source = sources[0] if len(sources) == 1 else None
    line = setting.line if setting is not None else policy.line
    place = Place(file=(setting.file if setting is not None else None) or policy.file, line=max(line, 1), side="base")
    return RemovedGrant(action, service, policy, owner, source, place, _lost_tie(policy, owner, source, base, head))


def _lost_tie(policy: Declared, owner: Declared, source: Declared | None, base: Declarations, head: Declarations) -> Place | None:
    if all(d.address != owner.address for d in head.resources):
        return Place(file=owner.file, line=owner.line, side="base")

    def ties(side: Declarations) -> Iterator[Place]:
        for edge in side.edges:
            is_from = source is None or edge.source == source.address
            if is_from and edge.target == owner.address and edge.relation in _TIES and edge.evidence != policy.address:
                yield Place(file=edge.file, line=edge.line, side="base")

    before = list(ties(base))
    return before[0] if before and not any(ties(head)) else None


def _owner(policy: Declared, side: Declarations) -> Declared | None:
    kind = OWNERS.get(policy.kind)
    found = [d for d in _beside(policy, side) if d.kind == kind]
    return found[0] if len(found) == 1 else None


def _beside(policy: Declared, side: Declarations) -> Iterator[Declared]:
    if policy.kind not in OWNERS:
        return
    targets = {e.target for e in side.edges if e.source == policy.address and e.file == policy.file}
    targets |= {
        str(s.value)
        for key, s in policy.settings.items()
        if key in ("function_name", "function", "bucket", "queue_url") and s.value
    }
    yield from (
        d
        for d in side.resources
        if d.address in targets or (d.kind == OWNERS[policy.kind] and d.name is not None and d.name in targets)
    )


def _grants(policy: Declared) -> dict[tuple[str, str], Setting | None]:
    """Action and service → the setting that says so."""
    found: dict[tuple[str, str], Setting | None] = {}
    if policy.kind == "aws.lambda.permission":
        action, principal = policy.settings.get("action"), policy.settings.get("principal")
        service = _SERVICE.fullmatch(str(principal.value)) if principal is not None else None
        if service is not None:
            found[str(action.value) if action is not None else "lambda:InvokeFunction", service[1]] = principal
        return found
    for key, setting in policy.settings.items():
        value = setting.value
        if not key.startswith("statement.") or not isinstance(value, Mapping):
            continue
        statement = cast("Mapping[str, Json]", value)
        if str(statement.get("effect", "Allow")).lower() != "allow":
            continue
        services = {m[1] for text in _texts(statement.get("principals")) if (m := _SERVICE.fullmatch(re.sub(r"\s", "", text)))}
        for action in _texts(statement.get("actions")):
            for service in services:
                found.setdefault((action, service), setting)
    return found


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, Json]", value).values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[Json]", value):
            yield from _texts(inner)
